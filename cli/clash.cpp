// SPDX-License-Identifier: Apache-2.0
// tumble clash: every part of an assembly against every other, told by class.
#include "cli/allow_list.h"
#include "cli/baseline.h"
#include "cli/budget_argument.h"
#include "cli/choices.h"
#include "cli/clash_findings.h"
#include "cli/clash_parts.h"
#include "cli/clash_state.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/report/write.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "io/suggest.h"
#include "report/clash_page.h"

#include <tumble/clash.h>
#include <tumble/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tumble::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  PartFileOptions reading;
  std::vector<std::string> between;
  std::optional<double> clearance, tolerance;
  std::optional<Budget> depth_budget;
  std::optional<std::string> allow, baseline, state;
  std::array<bool, listed_classes> fail_on{true, true, true, false, true};  // all but touching
  std::optional<std::string> json, csv, junit, report;

  ClashOptions asked() const {
    ClashOptions asked{.clearance = clearance.value_or(0),
                       .tolerance = tolerance.value_or(0),
                       .depth_budget = depth_budget.value_or(Budget{}),
                       .threads = reading.tree.threads};
    if (!between.empty()) asked.between = {between[0], between[1]};
    return asked;
  }
  bool prints() const { return json != "-" && csv != "-" && junit != "-" && report != "-" && !is_quiet(); }

  /// Where interrupted work is kept: as asked for, or beside the first file that is written.
  std::optional<std::string> state_file() const {
    if (state) return state;
    for (const std::optional<std::string>& file : {json, csv, junit, report}) {
      if (!file || *file == "-") continue;
      std::error_code ignored;  // a device has nothing beside it
      if (!std::filesystem::exists(*file, ignored) || std::filesystem::is_regular_file(*file, ignored))
        return *file + ".unfinished";
    }
    return std::nullopt;
  }
};

/// The classes that are listed; too-close is easier to type than too close.
std::vector<std::string> class_words() {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < listed_classes; ++i) {
    words.emplace_back(name(static_cast<ClashClass>(i)));
    std::ranges::replace(words.back(), ' ', '-');
  }
  return words;
}

/// Class names separated by commas.
void read_fail_on(const std::string& words, std::array<bool, listed_classes>& fail_on) {
  fail_on = {};
  if (words == "none") return;
  std::string_view rest = words;
  while (true) {
    const std::string_view word = rest.substr(0, rest.find(','));
    const auto is_named = [&](std::size_t i) {
      const std::string_view named = name(static_cast<ClashClass>(i));
      return word == named || (word == "too-close" && named == "too close");
    };
    std::size_t i = 0;
    while (i < fail_on.size() && !is_named(i)) ++i;
    if (i == fail_on.size()) {
      const std::vector<std::string> known = class_words();
      refuse("--fail-on", fmt::format("'{}' is not none or a list of {}, with commas between{}", words,
                                      fmt::join(known, ", "), io::did_you_mean(word, known)));
    }
    fail_on[i] = true;
    if (rest.find(',') == rest.npos) return;
    rest.remove_prefix(word.size() + 1);
  }
}

Json given(const Options& options) {
  Json fail_on = Json::array();
  for (std::size_t i = 0; i < options.fail_on.size(); ++i)
    if (options.fail_on[i]) fail_on.push_back(name(static_cast<ClashClass>(i)));
  return {{"files", options.files},
          {"between", options.between.empty() ? Json() : Json(options.between)},
          {"clearance", options.clearance.value_or(0)},
          {"tolerance", options.tolerance.value_or(0)},
          {"depth_budget", to_json(options.depth_budget)},
          {"allow", or_null(options.allow)},
          {"baseline", or_null(options.baseline)},
          {"fail_on", std::move(fail_on)},
          {"deflection", or_null(options.reading.step.deflection)},
          {"angle", options.reading.step.angle},
          {"tree", to_json(options.reading.tree)}};
}

/// What find_clashes finds, together with what an interrupted run had found. Ends the program if it is interrupted,
/// too.
Clashes search(const ClashParts& parts, ClashOptions asked, const std::optional<std::string>& state_file) {
  const Parts& all = parts.described().parts;
  asked.ignore = parts.ignored();
  std::optional<ClashState> state;
  std::optional<Stoppable> stoppable;
  std::map<std::pair<std::size_t, std::size_t>, Clash> earlier;
  if (state_file) {
    state.emplace(*state_file, sum_of(all, asked), all.parts.size());
    earlier = state->pairs();
    if (!earlier.empty())
      complain(fmt::format("{}: takes up interrupted work, {} done", *state_file, count(earlier.size(), "pair")));
    stoppable.emplace();
    asked.each = [&](const Clash& clash) { state->add(clash); };
  }
  asked.is_known = [&](std::size_t a, std::size_t b) { return earlier.contains({a, b}); };
  std::size_t done = 0, of = 0;
  Clashes found = [&] {
    Progress progress("looking for clashes");
    asked.progress = [&](std::size_t now_done, std::size_t now_of) {
      done = now_done, of = now_of;
      progress.set_share(of ? static_cast<double>(done) / static_cast<double>(of) : 1);
      return !(stoppable && stoppable->asked_to_stop());
    };
    return find_clashes(all, asked);
  }();
  if (!found.finished) {
    state->save();
    complain(fmt::format("interrupted; {} of {} are kept in {}: the same command goes on from there",
                         earlier.size() + done, count(earlier.size() + of, "pair"), *state_file));
    stoppable->end();
  }
  for (const auto& [key, clash] : earlier)
    if (clash.kind == ClashClass::clear)
      ++found.clear;
    else
      found.pairs.push_back(clash);
  std::ranges::sort(found.pairs, {}, [](const Clash& c) { return std::pair(c.a, c.b); });
  return found;
}

const char* verdict(const Finding& finding) {
  if (finding.allowed) return "allowed";
  if (finding.known) return "known";
  return finding.fails ? "fails" : "passes";
}

/// Its clash-12 is the twelfth pair of the JSON.
Page page_of(const ClashFindings& findings, const std::vector<Clash>& clashes) {
  Page page = clash_page(findings.parts, clashes);
  page.title = page_title(findings.inputs);
  for (std::size_t i = 0; i < page.clashes.size(); ++i) page.clashes[i].verdict = verdict(findings.pairs[i]);
  return page;
}

/// Checks that the options fit together, before any work is done.
void check(const Options& options, const CLI::App& app) {
  check_part_files(app, options.files, options.reading, {{"--allow", options.allow}, {"--baseline", options.baseline}},
                   {{"--json", options.json},
                    {"--csv", options.csv},
                    {"--junit", options.junit},
                    {"--report", options.report},
                    {"--state", options.state_file(), GivenFile::Use::kept}});
  if (!options.between.empty() && options.between.size() != 2)
    throw Error(ErrorCode::invalid_argument, "--between takes two patterns");
  if (options.state == "-")
    throw Error(ErrorCode::invalid_argument, "--state: it is read again, which standard output cannot be");
}

Status run(const Options& options) {
  std::optional<Output> json, csv, junit, report;
  if (options.json) json.emplace(*options.json);
  if (options.csv) csv.emplace(*options.csv);
  if (options.junit) junit.emplace(*options.junit);
  if (options.report) report.emplace(*options.report);
  const Baseline baseline = options.baseline ? Baseline(*options.baseline) : Baseline();
  const ClashParts parts(options.files, options.reading);
  ClashFindings findings = parts.described();
  const AllowList allowed = options.allow ? AllowList(*options.allow, findings.parts) : AllowList();
  findings.clearance = options.clearance.value_or(0);
  findings.tolerance = options.tolerance.value_or(0);

  const std::optional<std::string> state_file = options.state_file();
  const Clashes found = search(parts, options.asked(), state_file);
  findings.clear = found.clear;
  if (found.clear == 0 && found.pairs.empty())
    note(fmt::format("no pair is compared; look at {}group and ignore in PARTS.json",
                     options.between.empty() ? "" : "--between, and "));
  for (const Clash& clash : found.pairs) {
    Finding finding{clash};
    finding.allowed = allowed.allows(clash.a, clash.b);
    finding.known =
        baseline.knows(findings.parts.parts[clash.a].name, findings.parts.parts[clash.b].name, name(clash.kind));
    finding.fails = options.fail_on[static_cast<std::size_t>(clash.kind)] && !finding.allowed && !finding.known;
    findings.pairs.push_back(finding);
  }
  if (json) write_json(*json, findings, given(options));
  if (csv) write_csv(*csv, findings);
  if (junit) write_junit(*junit, findings);
  if (report) write_page(page_of(findings, found.pairs), *report);
  finish_together({&json, &csv, &junit, &report});
  if (options.prints()) print(findings);
  std::error_code ignored;  // there is one only if the work was interrupted
  if (state_file) std::filesystem::remove(*state_file, ignored);
  return findings.count(&Finding::fails) > 0 ? Status::found : Status::nothing_found;
}

}  // namespace

Command add_clash(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "clash", "Check all parts of an assembly against each other");
  add_operands(*app, "FILE", options->files, " ",
               "Folders, placed parts (.json), assemblies (.glb, .gltf, .step), meshes or -, stored models");
  add_two_words(*app, "--between", options->between, "GLOB GLOB",
                "Only pairs of a part whose name fits the one pattern and a part that fits the other");
  add_distance(*app, "--clearance", options->clearance, "Parts at most so far apart are too close");
  add_distance(*app, "--tolerance", options->tolerance,
               "Overlaps up to this only touch; parts this near each other everywhere are duplicates");
  add_read(
      *app, "--depth-budget",
      [options](const std::string& word) {
        options->depth_budget = parse_budget(word);
        if (!options->depth_budget)
          refuse("--depth-budget", fmt::format("'{}' is neither a number of node pairs nor a time such as 20ms", word));
      },
      "N|TIME", "How long to look for the overlap depth of one pair: node pairs, or a time such as 20ms");
  add_word(*app, "--allow", options->allow, "FILE",
           "Intended contacts, which never fail: in each line a pattern of names, or two for a pair");
  add_word(*app, "--baseline", options->baseline, "FILE",
           "The JSON of an earlier run: pairs it lists with the same class are known and do not fail");
  add_read(
      *app, "--fail-on", [options](const std::string& words) { read_fail_on(words, options->fail_on); },
      fmt::format("{}|none,...", fmt::join(class_words(), "|")).c_str(),
      "The classes that end with status 1, with commas between; all but touching by default");
  add_json(*app, options->json);
  add_word(*app, "--csv", options->csv, "FILE", "Write a table of the pairs; - for standard output");
  add_word(*app, "--junit", options->junit, "FILE", "Write JUnit XML, a test case per pair; - for standard output");
  add_report(*app, options->report);
  add_word(*app, "--state", options->state, "FILE",
           "Where interrupted work is kept and taken up from; beside the first output file by default");
  add_part_file_options(*app, options->reading);
  for_few(*app, {"--depth-budget", "--state"});
  add_footer(
      *app,
      "Each pair has the first class that fits: duplicate (in one place), contained (one inside the other), piercing\n"
      "(they overlap), touching, too close (see --clearance) or clear. Parts that are not closed have no inside: they\n"
      "pierce where surfaces cross. Parts of one group in PARTS.json, and pairs it ignores, are not compared. All "
      "files\n"
      "are in the same units, which those of --clearance and --tolerance are, too; STEP files are read in mm.\n"
      "In patterns, * stands for any characters and ? for any one. In a list for --allow, quotes hold a name with "
      "spaces,\n"
      "and # begins a comment. Ctrl-C keeps what is done, if a file is written; the same command then goes on.\n"
      "Exit status: 0 no clash, 1 a clash of a class to fail on that is neither allowed nor known, 2 error.\n\n"
      "Examples:\n"
      "  tumble clash gearbox/ --clearance 0.5\n"
      "  tumble clash gearbox.step --tolerance 0.05 --json clashes.json --report clashes.html\n"
      "  tumble clash building.glb --between 'duct*' 'beam*' --csv clashes.csv\n"
      "  tumble clash cell.json --allow intended.txt --baseline clashes.json --junit clashes.xml");
  return {app, [options, app] {
            check(*options, *app);
            return run(*options);
          }};
}

}  // namespace tumble::cli
