// SPDX-License-Identifier: Apache-2.0
// What `cliffs` measures with: the limit, the referee, the contest at one point; and its bars, judged as written.
#include "brute_force.h"
#include "lab/experiments/cliffs_bars.h"
#include "lab/rivals/cliff_search.h"
#include "lab/rivals/limited.h"
#include "lab/rivals/ours.h"
#include "lab/rivals/point_contest.h"
#include "lab/rivals/referee.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "scenes/situation.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <map>
#include <stdexcept>

namespace tumble::lab {
namespace {

void work_for_ever() {
  volatile bool go_on = true;
  while (go_on) {
  }
}

TEST(Limited, GivesBackWhatTheWorkReturns) {
  const std::string large(3'000'000, 'x');  // more than a pipe holds
  const Limited limited = run_limited(10, [&] { return large; });
  EXPECT_EQ(limited.end, Limited::End::finished);
  EXPECT_EQ(limited.text, large);
}

TEST(Limited, EndsWhatTakesTooLong) {
  const Limited limited = run_limited(0.05, []() -> std::string {
    work_for_ever();
    return {};
  });
  EXPECT_EQ(limited.end, Limited::End::over_limit);
}

TEST(Limited, LiftedTheLimitIsGone) {
  const Limited limited = run_limited(0.02, [] {
    lift_limit();
    for (const std::clock_t start = std::clock(); std::clock() - start < CLOCKS_PER_SEC / 10;) {
    }
    return std::string("done");
  });
  EXPECT_EQ(limited.end, Limited::End::finished);
  EXPECT_EQ(limited.text, "done");
}

TEST(Limited, WhatThrowsOrCrashesHasFailed) {
  const Limited thrown = run_limited(10, []() -> std::string { throw std::runtime_error("no luck"); });
  EXPECT_EQ(thrown.end, Limited::End::failed);
  EXPECT_EQ(thrown.text, "no luck");
  const Limited crashed = run_limited(10, []() -> std::string {
    std::raise(SIGKILL);
    return {};
  });
  EXPECT_EQ(crashed.end, Limited::End::failed);
  EXPECT_EQ(crashed.text, "signal 9");
}

// The referee takes short cuts that the tests' own oracle does not take.
TEST(Referee, AgreesWithBruteForce) {
  constexpr std::uint64_t seed = 5;
  SCOPED_TRACE(seed);
  scenes::Random random(seed);
  const Mesh a = scenes::wrinkled_torus(300, 1), b = scenes::wrinkled_torus(400, 2);
  int free = 0;
  for (int i = 0; i < 20; ++i) {
    const Vec3 axis = random.direction(), way = random.direction() * random.between(0, 3);
    const Pose pose = Pose::from_quaternion(1, axis.x, axis.y, axis.z, way);
    std::vector<PairOfTriangles> expected;
    for (const Contact& c : brute_force_contacts(a, {}, b, pose)) expected.emplace_back(c.triangle_a, c.triangle_b);
    EXPECT_EQ(referee_contacts(a, b, pose), expected) << i;
    const double exact = distance(Model(a), {}, Model(b), pose).distance;
    EXPECT_NEAR(referee_distance(a, b, pose), exact, 1e-12 * exact + 1e-14 * 4) << i;
    free += expected.empty();
  }
  EXPECT_GE(free, 3);
  EXPECT_LE(free, 17);
}

/// Answers as told.
class Told : public Rival {
 public:
  explicit Told(std::string id) : id_(std::move(id)) {}
  std::string id() const override { return id_; }
  std::string name() const override { return id_; }
  std::string settings() const override { return "none"; }
  void build(const Mesh&, const Mesh&) override {}
  void clear() override {}
  bool any(const Pose&) override {
    if (slow) work_for_ever();
    if (crashes) std::abort();
    return hit;
  }
  void all(const Pose&, std::vector<PairOfTriangles>& into) override { into = pairs; }
  bool has_distance() const override { return true; }
  double distance(const Pose&) override { return far; }

  bool slow = false, crashes = false, hit = false;
  std::vector<PairOfTriangles> pairs{};
  double far = 0;

 private:
  std::string id_;
};

const PointScore& score(const PointResult& result, Question question, const std::string& id) {
  for (const PointScore& s : result.scores)
    if (s.question == question && s.id == id) return s;
  throw std::runtime_error("no such score");
}

TEST(PointContest, HoldsEveryAnswerAgainstTheReferee) {
  const scenes::Placing placing = scenes::far_apart(2, 200);  // free
  const double truth = referee_distance(placing.env, placing.object, placing.pose);
  Rivals entrants = ours_by_default();
  auto right = std::make_unique<Told>("right"), wrong = std::make_unique<Told>("wrong");
  right->far = truth;
  wrong->hit = true;
  wrong->pairs = {{3, 4}, {3, 4}};
  wrong->far = 1.001 * truth;
  entrants.push_back(std::move(right));
  entrants.push_back(std::move(wrong));
  const PointResult result = point_contest(placing, {Question::any, Question::all, Question::distance}, entrants,
                                           {.limit = 1, .seconds = 0.001});
  EXPECT_TRUE(result.refereed);
  EXPECT_EQ(result.contacts, 0u);
  EXPECT_EQ(result.scores.size(), 12u);
  for (const Question question : {Question::any, Question::all, Question::distance})
    for (const char* id : {"tumble", "tumble-coherent", "right"}) {
      EXPECT_EQ(score(result, question, id).differs, "") << id;
      EXPECT_GT(score(result, question, id).us.value_or(0), 0) << id;
    }
  EXPECT_EQ(score(result, Question::any, "wrong").differs, "says contact");
  EXPECT_EQ(score(result, Question::all, "wrong").differs, "0 missed, 1 invented");
  EXPECT_TRUE(score(result, Question::distance, "wrong").differs.starts_with("off by"));
}

TEST(PointContest, OursMustKeepTheToleranceOfPromise7) {
  const scenes::Placing placing = scenes::far_apart(2, 200);
  const double truth = referee_distance(placing.env, placing.object, placing.pose);
  Rivals entrants;
  auto nearly = std::make_unique<Told>("tumble");
  nearly->far = truth * (1 + 1e-11);
  entrants.push_back(std::move(nearly));
  const PointResult result = point_contest(placing, {Question::distance}, entrants, {.limit = 1, .seconds = 0.001});
  EXPECT_NE(result.scores.at(0).differs, "");
}

TEST(PointContest, WhoFallsOffIsStoppedAndWhoCrashesIsNamed) {
  const scenes::Placing placing = scenes::coincident(200);
  Rivals entrants = ours_by_default();
  for (const char* id : {"slow", "crashes", "misses"}) {
    auto told = std::make_unique<Told>(id);
    told->slow = std::string(id) == "slow";
    told->crashes = std::string(id) == "crashes";
    entrants.push_back(std::move(told));
  }
  const PointResult result =
      point_contest(placing, {Question::any, Question::all}, entrants, {.limit = 0.05, .seconds = 0.001});
  EXPECT_GT(result.contacts.value_or(0), 200u);
  EXPECT_FALSE(score(result, Question::any, "slow").us.has_value());
  EXPECT_EQ(score(result, Question::any, "slow").failure, "");
  EXPECT_FALSE(score(result, Question::any, "crashes").us.has_value());
  EXPECT_EQ(score(result, Question::any, "crashes").failure, "signal 6");
  EXPECT_EQ(score(result, Question::any, "misses").differs, "says free");
  EXPECT_EQ(score(result, Question::all, "misses").differs, std::to_string(*result.contacts) + " missed, 0 invented");
  EXPECT_EQ(score(result, Question::all, "tumble").differs, "");
}

// Right about nothing but free bodies, and at once: whoever is slower on those is found.
TEST(CliffSearch, FindsWhereARivalIsAheadAndNamesIt) {
  Rivals entrants = ours_by_default();
  entrants.pop_back();  // the coherent one
  entrants.push_back(std::make_unique<Told>("quick"));
  SearchOptions options{.seconds = 1000, .tries = 8, .seed = 4};
  options.point.seconds = 1e-4;
  options.point.most_pairs = 1e6;
  const Search search = search_cliffs(entrants, options, {});
  ASSERT_EQ(search.tried, 8u);
  ASSERT_FALSE(search.worst.empty());
  EXPECT_TRUE(search.wrong.empty());
  EXPECT_LE(search.worst.size(), options.kept);
  EXPECT_GT(search.worst.front().ratio(), 1);
  EXPECT_EQ(search.worst.front().best, "quick");
  std::map<std::string, int> kin;
  for (std::size_t i = 0; i < search.worst.size(); ++i) {
    const Finding& found = search.worst[i];
    if (i > 0) {
      EXPECT_GE(search.worst[i - 1].ratio(), found.ratio());
    }
    const std::string situation = found.situation.substr(0, found.situation.rfind('-'));
    EXPECT_LE(++kin[scenes::situation_from(situation).shape + name(found.question)], 2);
  }
  const Finding again = measure_situation(search.worst.front().situation, entrants, options);
  EXPECT_EQ(again.situation, search.worst.front().situation);
  EXPECT_EQ(again.result.contacts, search.worst.front().result.contacts);
  for (const char* text :
       {"", "plates", "plates-5-80-12-0-3-0", "plates-5-80-12-0-3-0-inside", "moon-5-80-12-0-3-0-any"})
    EXPECT_THROW(measure_situation(text, entrants, options), Error) << text;
}

TEST(CliffSearch, PassesOverWhoDoesNotCount) {
  Rivals entrants = ours_by_default();
  entrants.pop_back();  // the coherent one
  entrants.push_back(std::make_unique<Told>("quick"));
  SearchOptions options{.seconds = 1000, .tries = 4, .seed = 4};
  options.point.seconds = 1e-4;
  options.point.most_pairs = 1e6;
  options.counts = [](const std::string& id) { return id != "quick"; };
  for (const Finding& found : search_cliffs(entrants, options, {}).worst) EXPECT_EQ(found.best, "") << found.situation;
}

// A finding that we answer wrongly is kept apart, whatever its time.
TEST(CliffSearch, KeepsWhatWeAnswerWrongly) {
  Rivals entrants;
  entrants.push_back(std::make_unique<Told>("tumble"));  // bodies never touch, and their distance is 0
  SearchOptions options{.seconds = 1000, .tries = 4, .seed = 4};
  options.point.seconds = 1e-4;
  const Search search = search_cliffs(entrants, options, {});
  EXPECT_FALSE(search.wrong.empty());
}

Row answer(const std::string& family, const std::string& question, double parameter, const std::string& id, Json us,
           std::size_t contacts = 0, std::size_t triangles = 1000) {
  return {{"family", family},
          {"question", question},
          {"parameter", parameter},
          {"triangles", triangles},
          {"contacts", contacts},
          {"refereed", true},
          {"id", id},
          {"rival", id},
          {"us", std::move(us)},
          {"limit_us", 1e6},
          {"failure", ""},
          {"differs", ""}};
}

const Row& bar(const Table& table, const std::string& beginning) {
  for (const Row& row : table.rows)
    if (row["bar"].get<std::string>().starts_with(beginning)) return row;
  throw std::runtime_error("no bar " + beginning);
}

TEST(CliffsLeads, AreOverTheBestThatIsRight) {
  std::vector<Row> rows{
      answer("plates", "any", 1e-6, "tumble", 2.0),   answer("plates", "any", 1e-6, "fcl-obb", 50.0),
      answer("plates", "any", 1e-6, "fcl-rss", 40.0), answer("plates", "any", 1e-6, "fcl-float-obb", 1.0),
      answer("plates", "any", 1e-6, "embree", 30.0),  answer("plates", "any", 1e-6, "ode", nullptr)};
  rows[3]["differs"] = "says contact";
  const std::vector<Row> all = leads(rows);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["ratio"], 15);
  EXPECT_EQ(all[0]["best"], "embree");
  EXPECT_EQ(all[0]["fcl"], 20);
  EXPECT_EQ(all[0]["fcl_volume"], "fcl-rss");
  EXPECT_FALSE(all[0]["at_least"].get<bool>());
}

TEST(CliffsLeads, ALimitIsOnlyABound) {
  const std::vector<Row> nobody =
      leads({answer("plates", "any", 1e-6, "tumble", 2e4), answer("plates", "any", 1e-6, "fcl-obb", nullptr)});
  EXPECT_EQ(nobody[0]["ratio"], 50);
  EXPECT_TRUE(nobody[0]["at_least"].get<bool>());
  EXPECT_EQ(bar(judge_cliffs(nobody, true), "plates, any")["verdict"], "open: the limit is too low");
  EXPECT_EQ(bar(judge_cliffs(nobody, true), "the goal")["verdict"], "met");
  const std::vector<Row> ours =
      leads({answer("plates", "any", 1e-6, "tumble", nullptr), answer("plates", "any", 1e-6, "fcl-obb", 1e4)});
  EXPECT_TRUE(ours[0]["ours_over"].get<bool>());
  EXPECT_EQ(bar(judge_cliffs(ours, true), "no rival ahead")["verdict"], "MISSED");
}

TEST(CliffsBars, AreJudgedAsWritten) {
  std::vector<Row> rows;
  const auto add = [&](const char* family, const char* question, double parameter, double ours, double fcl) {
    rows.push_back(answer(family, question, parameter, "tumble", ours));
    rows.push_back(answer(family, question, parameter, "fcl-obb", fcl));
  };
  add("plates", "any", 1e-5, 1, 50);  // not asked to be a hundred times
  add("plates", "any", 1e-6, 1, 100);
  add("plates", "all", 1e-6, 1, 99);
  add("plates", "distance", 1e-3, 1, 21);
  add("far", "distance", 3, 1, 5);  // not far
  add("far", "distance", 1e6, 2.5, 25);
  add("coincident", "all", 1e3, 1, 6);
  add("mated", "all", 1e-3, 1, 4.5);
  add("huge", "distance", 1e5, 1, 0.5);                         // judged apart
  rows.push_back(answer("mated", "all", 1e-3, "bullet", 0.5));  // not judged
  const Table table = judge_cliffs(leads(rows), true);
  EXPECT_EQ(bar(table, "no rival ahead")["verdict"], "met");
  EXPECT_EQ(bar(table, "the goal")["verdict"], "MISSED");
  EXPECT_EQ(bar(table, "the goal")["where"], "mated all at 0.001, fcl-obb");
  EXPECT_EQ(bar(table, "plates, any")["verdict"], "met");
  EXPECT_EQ(bar(table, "plates, all")["verdict"], "MISSED");
  EXPECT_EQ(bar(table, "plates, distance")["verdict"], "met");
  EXPECT_EQ(bar(table, "fans, needles, huge")["verdict"], "MISSED");
  EXPECT_EQ(bar(table, "far bodies, 1000 radii")["verdict"], "met");
  EXPECT_EQ(bar(table, "far bodies, 1000 radii")["measured"], 10);
  EXPECT_EQ(bar(table, "coincident meshes, any")["verdict"], "not measured");
  EXPECT_EQ(bar(table, "coincident meshes, all")["verdict"], "met");
  EXPECT_EQ(bar(table, "mated faces, all")["verdict"], "MISSED");
  EXPECT_EQ(bar(table, "far bodies: our largest")["measured"], 2.5);
  EXPECT_EQ(bar(table, "far bodies: our largest")["verdict"], "MISSED");
  EXPECT_EQ(bar(judge_cliffs(leads(rows), false), "mated faces, all")["verdict"], "not judged");
  EXPECT_EQ(bar(judge_cliffs({}, true), "mated")["verdict"], "not measured");
}

TEST(CliffsBars, AStepIsWhatContactsDoNotExplain) {
  const auto lead = [](const char* question, double parameter, double us, std::size_t contacts, std::size_t triangles) {
    return leads({answer("f", question, parameter, "tumble", us, contacts, triangles)}).at(0);
  };
  EXPECT_NEAR(unexplained_step(lead("any", 1e-1, 1, 0, 10), lead("any", 1e-2, 4, 0, 10)), 4, 1e-12);
  EXPECT_NEAR(unexplained_step(lead("any", 1e-1, 1, 0, 10), lead("any", 1e-3, 4, 0, 10)), 2, 1e-12);  // two decades
  EXPECT_NEAR(unexplained_step(lead("any", 1, 1, 0, 10), lead("any", 2, 4, 0, 10)), 4, 1e-12);        // less than one
  EXPECT_NEAR(unexplained_step(lead("all", 1e3, 1, 100, 10), lead("all", 1e4, 20, 1000, 10)), 2, 1e-12);
  EXPECT_NEAR(unexplained_step(lead("any", 1e3, 1, 100, 10), lead("any", 1e4, 20, 1000, 100)), 20, 1e-12);
  EXPECT_NEAR(unexplained_step(lead("any", 1e3, 1, 0, 10), lead("any", 1e4, 20, 0, 100)), 2, 1e-12);  // triangles
  EXPECT_NEAR(unexplained_step(lead("all", 1e3, 8, 100, 10), lead("all", 1e4, 4, 10, 10)), 0.5, 1e-12);
}

TEST(CliffsFindings, ListApartWhoIsAheadAndNotJudged) {
  const std::vector<Row> rows{answer("lid", "any", 1e-2, "tumble", 2.0), answer("lid", "any", 1e-2, "embree", 30.0),
                              answer("lid", "any", 1e-2, "fcl-float-obb", 1.0),
                              answer("lid", "any", 1e-2, "bullet", 1.5)};
  const std::vector<Row> all = leads(rows);
  EXPECT_EQ(all[0]["best"], "embree");
  EXPECT_EQ(all[0]["beside_rival"], "fcl-float-obb");
  const std::vector<std::string> findings = cliffs_findings(rows, all, judge_cliffs(all, true));
  EXPECT_EQ(findings.at(0), "No rival that the targets name is ahead of tumble anywhere.");
  EXPECT_EQ(findings.at(1),
            "Ahead of tumble, but not judged (single precision): lid any at 0.01 (1 of 1 points): "
            "fcl-float-obb takes 0.5 of our time.");
}

TEST(CliffsFindings, BeginWithWhoIsAhead) {
  std::vector<Row> rows{answer("lid", "any", 1e-2, "tumble", 2.0), answer("lid", "any", 1e-2, "embree", 30.0),
                        answer("lid", "any", 1e-3, "tumble", 8.0), answer("lid", "any", 1e-3, "embree", 4.0)};
  rows[1]["differs"] = "says free";
  std::vector<Row> all = leads(rows);
  std::vector<std::string> findings = cliffs_findings(rows, all, judge_cliffs(all, true));
  EXPECT_EQ(findings.front(),
            "A rival is ahead of tumble, worst first: lid any at 0.001 (1 of 2 points): embree takes 0.5 of our time.");
  std::string text;
  for (const std::string& finding : findings) text += finding + "\n";
  EXPECT_NE(text.find("differ from brute force: embree (1 of 2 answers; first lid any at 0.01: says free)"),
            std::string::npos)
      << text;
  rows[3]["us"] = 80;
  all = leads(rows);
  EXPECT_EQ(cliffs_findings(rows, all, judge_cliffs(all, true)).front(),
            "No rival that the targets name is ahead of tumble anywhere.");
}

}  // namespace
}  // namespace tumble::lab
