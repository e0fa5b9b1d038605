// SPDX-License-Identifier: Apache-2.0
// Asking, timing and judging. Times are processor time, of as many calls in a row as the clock can tell.
#include "lab/rivals/point_contest.h"

#include "lab/rivals/limited.h"
#include "lab/rivals/referee.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace tumble::lab {
namespace {

constexpr double least_interval = 1e-4;  // seconds; reading the clock takes half a microsecond

/// Of this thread; the process's clock only ticks while the limit's timer runs.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// What an entrant says: a distance, or pairs of triangles; for `any` one pair of nothing stands for yes.
struct Answer {
  double us = 0, distance = 0;
  std::vector<PairOfTriangles> pairs{};

  std::string packed() const {
    std::string text(2 * sizeof(double) + pairs.size() * sizeof(PairOfTriangles), '\0');
    const double numbers[] = {us, distance};
    std::memcpy(text.data(), numbers, sizeof numbers);
    if (!pairs.empty())
      std::memcpy(text.data() + sizeof numbers, static_cast<const void*>(pairs.data()),
                  pairs.size() * sizeof(PairOfTriangles));
    return text;
  }
  static Answer unpacked(const std::string& text) {
    double numbers[2];
    if (text.size() < sizeof numbers) throw std::runtime_error("an answer without numbers");
    std::memcpy(numbers, text.data(), sizeof numbers);
    Answer answer{numbers[0], numbers[1]};
    for (std::size_t at = sizeof numbers; at + sizeof(PairOfTriangles) <= text.size(); at += sizeof(PairOfTriangles)) {
      std::uint32_t ids[2];
      std::memcpy(ids, text.data() + at, sizeof ids);
      answer.pairs.emplace_back(ids[0], ids[1]);
    }
    return answer;
  }
};
static_assert(sizeof(PairOfTriangles) == 2 * sizeof(std::uint32_t));

void ask(Rival& rival, Question question, const Pose& pose, Answer& into) {
  switch (question) {
    case Question::any: into.pairs.assign(rival.any(pose) ? 1 : 0, {}); break;
    case Question::all: rival.all(pose, into.pairs); break;
    case Question::distance: into.distance = rival.distance(pose); break;
  }
}

/// In the child. Who remembers goes back and forth between two poses.
Answer measure(Rival& rival, Question question, const scenes::Placing& placing, double seconds) {
  rival.begin();
  Answer answer, scratch;
  if (rival.remembers()) ask(rival, question, placing.before, scratch);
  const auto time_of = [](const auto& calls) {
    const double start = processor_seconds();
    calls();
    return processor_seconds() - start;
  };
  const double first = time_of([&] { ask(rival, question, placing.pose, answer); });
  lift_limit();
  double best = first, spent = first;  // of a single quick call the clock tells nothing
  // The first call finds nothing in the caches, and quick ones take a hundredth of it: doubled until the clock can
  // tell.
  int calls = 1;
  const auto ask_often = [&] {
    for (int i = 0; i < calls; ++i) {
      if (rival.remembers()) ask(rival, question, placing.before, scratch);
      ask(rival, question, placing.pose, scratch);
    }
  };
  while (spent < seconds && calls < 10'000) {
    const double interval = time_of(ask_often);
    spent += interval;
    if (interval >= least_interval) break;
    calls *= 2;
  }
  for (int visit = 0; spent < seconds || (visit == 0 && spent < 0.5); ++visit) {
    const double interval = time_of(ask_often);
    spent += interval;
    const double one = interval / (rival.remembers() ? 2 * calls : calls);
    if (!(one > 0)) continue;  // the clock has been seen to stand still, and to step back
    best = visit == 0 ? one : std::min(best, one);
  }
  rival.end();
  answer.us = best * 1e6;
  std::ranges::sort(answer.pairs);
  answer.pairs.erase(std::unique(answer.pairs.begin(), answer.pairs.end()), answer.pairs.end());
  return answer;
}

struct Truth {
  std::optional<std::vector<PairOfTriangles>> pairs;
  std::optional<double> distance;
  bool refereed = false;
};

/// The largest coordinate in the world.
double size_of(const scenes::Placing& placing) {
  double size = 0;
  const auto add = [&size](const Vec3& v) { size = std::max({size, std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
  for (const Vec3& v : placing.env.vertices) add(v);
  for (const Vec3& v : placing.object.vertices) add(placing.pose * v);
  return size;
}

/// How the answer differs from the truth, or nothing. Ours must keep promise 7; of others a rounding more is let pass.
std::string difference(Question question, const Answer& answer, const Truth& truth, double size, bool ours) {
  if (question == Question::distance) {
    if (!truth.distance) return {};
    const double off = std::abs(std::max(answer.distance, 0.0) - *truth.distance);
    const double allowed = ours ? 1e-12 * *truth.distance + 1e-14 * size : 1e-9 * *truth.distance + 1e-12 * size;
    if (off <= allowed) return {};
    char text[64];
    std::snprintf(text, sizeof text, "off by %.2g of %.2g", off, *truth.distance);
    return text;
  }
  if (!truth.pairs) return {};
  if (question == Question::any)
    return answer.pairs.empty() == truth.pairs->empty() ? "" : answer.pairs.empty() ? "says free" : "says contact";
  std::vector<PairOfTriangles> common;
  std::ranges::set_intersection(*truth.pairs, answer.pairs, std::back_inserter(common));
  const std::size_t missed = truth.pairs->size() - common.size(), invented = answer.pairs.size() - common.size();
  if (missed + invented == 0) return {};
  return std::to_string(missed) + " missed, " + std::to_string(invented) + " invented";
}

}  // namespace

const char* name(Question question) {
  switch (question) {
    case Question::any: return "any";
    case Question::all: return "all";
    case Question::distance: return "distance";
  }
  return "";
}

PointResult point_contest(const scenes::Placing& placing, const std::vector<Question>& questions,
                          const Rivals& entrants, const PointOptions& options,
                          const std::function<void(double)>& on_share) {
  PointResult result{placing.env.triangles.size(), placing.object.triangles.size(), std::nullopt};
  const double env = static_cast<double>(result.env_triangles), object = static_cast<double>(result.object_triangles);
  Truth truth{{}, {}, env * object <= options.most_pairs};
  const double size = size_of(placing);
  const bool about_contacts =
      std::ranges::any_of(questions, [](Question q) { return q == Question::any || q == Question::all; });
  if (truth.refereed && about_contacts) truth.pairs = referee_contacts(placing.env, placing.object, placing.pose);
  if (truth.refereed && std::ranges::find(questions, Question::distance) != questions.end())
    truth.distance = referee_distance(placing.env, placing.object, placing.pose);
  result.refereed = truth.refereed;

  const auto visit = [&](Rival& rival, Question question, bool ours) {
    PointScore score{question, rival.id(), rival.name(), options.limit * (ours ? ours_patience : 1), {}, {}, {}};
    const Limited limited = run_limited(options.limit * (ours ? 10 : 1),
                                        [&] { return measure(rival, question, placing, options.seconds).packed(); });
    if (limited.end == Limited::End::failed) score.failure = limited.text;
    if (limited.end != Limited::End::finished) return score;
    const Answer answer = Answer::unpacked(limited.text);
    score.us = answer.us;
    if (question == Question::all && !truth.pairs) truth.pairs = answer.pairs;  // the first one's, where no referee is
    if (question == Question::distance && !truth.distance) truth.distance = answer.distance;
    score.differs = difference(question, answer, truth, size, ours);
    return score;
  };

  std::vector<std::vector<PointScore>> by_question(questions.size());
  double done = 0;
  for (std::size_t e = 0; e < entrants.size(); ++e) {
    Rival& rival = *entrants[e];
    if (on_share) on_share(done++ / static_cast<double>(entrants.size() + 1));
    if (!rival.has_distance() && !about_contacts) continue;
    rival.build(placing.env, placing.object);
    const bool ours = rival.id().starts_with("tumble");
    for (std::size_t q = 0; q < questions.size(); ++q)
      if (questions[q] != Question::distance || rival.has_distance())
        by_question[q].push_back(visit(rival, questions[q], ours));
    if (!ours) rival.clear();
  }
  for (std::size_t q = 0; q < questions.size() && !entrants.empty(); ++q) {
    PointScore& first = by_question[q].front();
    const PointScore again = visit(*entrants.front(), questions[q], true);
    if (again.us) first.us = std::min(first.us.value_or(*again.us), *again.us);
    if (first.differs.empty()) first.differs = again.differs;
  }
  for (auto& scores : by_question)
    for (PointScore& score : scores)
      for (const auto& entrant : entrants)
        if (options.count && entrant->id() == score.id)
          score.work = work_of(*entrant, [&](Rival& rival) {
            Answer answer;
            if (rival.remembers()) ask(rival, score.question, placing.before, answer);
            ask(rival, score.question, placing.pose, answer);
          });
  for (std::size_t e = entrants.size(); e-- > 0;) entrants[e]->clear();
  if (truth.pairs) result.contacts = truth.pairs->size();
  for (const auto& scores : by_question) result.scores.insert(result.scores.end(), scores.begin(), scores.end());
  return result;
}

}  // namespace tumble::lab
