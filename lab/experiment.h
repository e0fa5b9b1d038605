// SPDX-License-Identifier: Apache-2.0
// Experiment: one table or figure of a paper, or a question of our own, and what it is given to work with.
#pragma once

#include "lab/flown.h"
#include "lab/journal.h"
#include "lab/plot.h"
#include "lab/table.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::lab {

/// What is drawn by other means than a Plot.
struct Picture {
  std::string name, title, svg;
};

struct Report {
  std::vector<Table> tables{};
  std::vector<Plot> plots{};
  std::vector<Picture> pictures{};
  std::vector<std::string> not_reproduced{};  // what a paper says and this does not show, in a sentence each
  std::vector<std::string> findings{};        // what it says in a few sentences, losses included
  std::vector<std::string> stand_ins{};       // what stands in for what, and how it was chosen, in a sentence each
  std::string arguments{};                    // settings that a page must name to be made again
  // Filled in by run():
  std::vector<std::string> broken{};  // claims that must hold whatever the machine, and do not: see Context::must_hold
  std::set<std::string> commits{};    // that measured its rows
  double seconds = 0;                 // that its rows took to be measured, by the clock, now or before
  Json counters = Json::array();      // of a quick run, what is the same on every machine: see lab/kept_counters.h
  Json replaced = Json::object();  // "env", "object": the file, triangles and hash of what took a generated one's place
};

class Context;

/// Which settings mean something to an experiment; the others are refused.
struct Takes {
  bool scenes = false, rivals = false, passes = false, search = false;
  bool env = false, object = false;
};

struct Experiment {
  std::string name;    // as on the command line
  std::string title;   // one line
  std::string paper;   // author, year, place in the paper; or the question's
  std::string source;  // the file in lab/experiments that measures its rows
  void (*run)(Context& context, Report& report) = nullptr;
  Takes takes{};
};

/// All of them, in the order of the papers, then the studies.
std::span<const Experiment> experiments();
/// Throws Error(invalid_argument) naming those there are.
const Experiment& experiment(std::string_view name);
/// Throws Error(invalid_argument) for a word that is not known, naming those that are.
void check_words(const std::vector<std::string>& words, const std::vector<std::string>& known, const std::string& what);

struct Settings {
  bool quick = false;                           // everything at reduced size
  std::filesystem::path folder{"lab-results"};  // made if missing
  std::vector<std::string> scenes{}, rivals{};  // only these; all if empty
  int passes = 0;                               // over each flight; 0: as many as the experiment thinks right
  double search = 0;                            // seconds to look for what nobody thought of
  std::uint64_t seed = 1;                       // of that search
  std::vector<std::string> situations{};        // found by one: measure these, and nothing else
  std::shared_ptr<const scenes::Replacement> env{}, object{};  // for the scenes' own

  bool replaced() const { return env || object; }
  /// Of the quick run whose counters are kept beside a page. No search: what it finds in its time is never the same.
  Settings of_counters() const {
    Settings counted = *this;
    counted.quick = true;
    counted.search = 0;
    return counted;
  }
};

/// Throws Error(invalid_argument) for a setting that the experiment does not take, naming those experiments that do.
void check_settings(const Experiment& experiment, const Settings& settings);

/// The scenes flown so far in this run; making one takes up to seconds.
class Hangar {
 public:
  const Flown& get(std::string_view scene, const scenes::SceneOptions& options = {});

 private:
  std::map<std::string, std::unique_ptr<Flown>> flown_;
};

/// What a running experiment sees.
class Context {
 public:
  using Progress = std::function<void(double share)>;

  Context(const Experiment& experiment, const Settings& settings, Journal& journal, Hangar& hangar, Progress progress);

  const Settings& settings() const { return settings_; }
  bool quick() const { return settings_.quick; }
  /// Whether what was published is of the same sizes and meshes.
  bool as_published() const { return !settings_.quick && !settings_.replaced(); }
  /// The full size, or the reduced one.
  template <class T>
  T pick(T full, T reduced) const {
    return quick() ? reduced : full;
  }

  /// The options with the meshes that the settings put in the place of generated ones.
  scenes::SceneOptions with_replacements(scenes::SceneOptions options) const;
  const Flown& scene(std::string_view name, const scenes::SceneOptions& options = {}) {
    return hangar_.get(name, with_replacements(options));
  }

  /// How hard times are to be measured.
  Effort effort() const { return quick() ? Effort{.seconds = 0, .passes = 1} : Effort{}; }

  /// How many rows there will be, for the progress bar.
  void plan(std::size_t rows) { planned_ = rows; }
  /// The members of `key` and those that `measure` returns: from the journal if this row was finished before (at the
  /// same commit, by the same code, at the same size with the same `options`), otherwise measured now and recorded.
  Row row(const Row& key, const Json& options, const std::function<Row()>& measure);
  Row row(const Row& key, const std::function<Row()>& measure) { return row(key, Json(), measure); }
  /// A fact that must hold whatever the machine and its load, such as equal answers of two configurations; never a
  /// matter of time. One that does not hold is reported, and the command that ran the experiment fails.
  void must_hold(bool holds, const std::string& claim) {
    if (!holds) broken_.push_back(claim);
  }
  /// What a finding says of a target. At reduced sizes nothing is judged.
  std::string_view verdict(bool reached) const {
    return quick() ? "not judged at reduced sizes" : reached ? "reached" : "NOT REACHED";
  }
  /// The claims that did not hold so far.
  const std::vector<std::string>& broken() const { return broken_; }
  /// The commits that measured the rows so far.
  const std::set<std::string>& commits() const { return commits_; }
  /// What they took to be measured.
  double seconds() const { return seconds_; }
  /// The exact part of each of them.
  const Json& counters() const { return counters_; }
  /// Which share of the row being measured is done, for one that takes long.
  void part(double share) const;

 private:
  const Experiment& experiment_;
  const Settings& settings_;
  Journal& journal_;
  Hangar& hangar_;
  Progress progress_;
  std::size_t planned_ = 0, finished_ = 0;
  std::set<std::string> commits_;
  double seconds_ = 0;
  Json counters_ = Json::array();
  std::vector<std::string> broken_;
};

/// Must hold: rows that are alike in all of `same` are alike in all of `answers` too; rows without one of the keys do
/// not count.
void must_agree(Context& context, const Table& table, const std::vector<std::string>& same,
                const std::vector<std::string>& answers);

}  // namespace tumble::lab
