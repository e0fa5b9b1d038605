// SPDX-License-Identifier: Apache-2.0
// Draw, measure, keep the worst.
#include "lab/rivals/cliff_search.h"

#include "scenes/situation.h"

#include <tumble/error.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace tumble::lab {
namespace {

constexpr std::array all_questions{Question::any, Question::all, Question::distance};

Finding measure(const scenes::Situation& situation, Question question, const Rivals& entrants,
                const SearchOptions& options) {
  Finding finding{scenes::to_text(situation) + "-" + name(question), {}};
  finding.question = question;
  finding.result = point_contest(scenes::place(situation), {question}, entrants, options.point);
  finding.best_us = std::numeric_limits<double>::infinity();
  for (const PointScore& score : finding.result.scores) {
    if (score.id == entrants.front()->id()) finding.ours_us = score.us.value_or(score.limit * 1e6);
    if (score.id.starts_with("tumble") || !options.counts(score.id)) continue;
    if (!score.us || *score.us >= finding.best_us) continue;
    if (!score.differs.empty() && question != Question::all) continue;
    finding.best_us = *score.us;
    finding.best = score.name;
  }
  return finding;
}

std::string kin(const Finding& finding) {
  return finding.situation.substr(0, finding.situation.find('-')) + name(finding.question);
}

bool ours_wrong(const Finding& finding) {
  return std::ranges::any_of(finding.result.scores, [](const PointScore& score) {
    return score.id.starts_with("tumble") && !(score.differs.empty() && score.failure.empty());
  });
}

void keep(std::vector<Finding>& worst, Finding finding, std::size_t most) {
  if (std::ranges::find(worst, finding.situation, &Finding::situation) != worst.end()) return;
  worst.push_back(std::move(finding));
  std::ranges::stable_sort(worst, std::greater<>(), &Finding::ratio);
  for (std::size_t i = 0; i < worst.size();) {
    const auto before =
        std::ranges::count(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(i), kin(worst[i]), kin);
    if (before >= 2)
      worst.erase(worst.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
  if (worst.size() > most) worst.resize(most);
}

}  // namespace

Finding measure_situation(const std::string& text, const Rivals& entrants, const SearchOptions& options) {
  const std::size_t end = text.rfind('-');
  for (const Question question : all_questions)
    if (end != std::string::npos && text.substr(end + 1) == name(question))
      return measure(scenes::situation_from(text.substr(0, end)), question, entrants, options);
  throw Error(ErrorCode::invalid_argument,
              "'" + text + "' ends with no question; a situation is plates-5-80-12-0-m3-0-any, or -all, -distance");
}

Search search_cliffs(const Rivals& entrants, const SearchOptions& options,
                     const std::function<void(double)>& on_share) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  scenes::Random random(options.seed);
  Search search;
  while (spent() < options.seconds && search.tried < options.tries) {
    if (on_share) on_share(spent() / options.seconds);
    Question question = all_questions[random.index(all_questions.size())];
    scenes::Situation situation = scenes::random_situation(random);
    if (!search.worst.empty() && random.index(10) >= 4) {
      const Finding& parent = search.worst[random.index(search.worst.size())];
      situation =
          scenes::mutated(scenes::situation_from(parent.situation.substr(0, parent.situation.rfind('-'))), random);
      if (random.index(6) != 0) question = parent.question;
    }
    Finding finding = measure(situation, question, entrants, options);
    ++search.tried;
    if (ours_wrong(finding)) search.wrong.push_back(finding);
    keep(search.worst, std::move(finding), options.kept);
  }
  return search;
}

}  // namespace tumble::lab
