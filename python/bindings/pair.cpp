// SPDX-License-Identifier: Apache-2.0
// Questions about two models: one at a time, of a Pair, within budgets, and in batches.
#include "requests.h"

#include "answers.h"
#include "bind.h"

#include <tumble/query.h>

#include <functional>
#include <memory>

namespace tumble::python {
namespace {

/// A Pair that threads may share: each waits for its turn.
struct SharedPair {
  SharedPair(const StoredModel& first, const StoredModel& second, const PairOptions& options)
      : a(first), b(second), pair(a.model, b.model, options) {}

  StoredModel a, b;
  Pair pair;
  Turns turns;
};

struct SharedQuery {
  std::shared_ptr<SharedPair> pair;
  Query query;
  bool finds_contacts;  // and not pairs that are near
};

/// Calls a Python function for everything found; returning False ends the question.
template <class Found>
std::function<bool(const Found&)> calling(const py::object& each, const py::dtype& type) {
  return [&each, &type](const Found& found) {
    const py::gil_scoped_acquire acquired;
    const py::array one = adopt(std::vector<Found>{found}, type);
    return goes_on(each(one[py::int_(0)]));
  };
}

Certainty run(SharedQuery& self, const std::optional<double>& time, const NodePairs& node_pairs,
              const py::object& each) {
  const Budget budget = budget_of(time, node_pairs);
  return self.pair->turns.take([&] {
    if (each.is_none()) return self.query.run(budget);
    if (self.finds_contacts) return self.query.run(budget, calling<Contact>(each, records().contact));
    return self.query.run(budget, calling<NearPair>(each, records().near_pair));
  });
}

constexpr const char* collide_doc =
    "Is there any contact? Touching counts, unless ignore_touch; solid: a body inside the other is in contact with "
    "it.\n"
    "Both together ask for overlap: a common volume.\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> shift = np.eye(4)\n>>> shift[0, 3] = 2\n"
    ">>> tumble.collide(cube, None, cube, shift)\nTrue\n"
    ">>> tumble.collide(cube, None, cube, shift, ignore_touch=True, solid=True)\nFalse";
constexpr const char* contacts_doc =
    "All contacts, as an array of contact_dtype, sorted by triangle of a, then of b.\n\n"
    "ignore_touch: only kinds cross and coplanar count, and inside; at_most: stop after so many; geometry: fill in\n"
    "outline, point, normal (unit, from b to a) and depth; solid: one of kind inside for each shell inside the "
    "other.\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> shift = np.eye(4)\n>>> shift[:3, 3] = 0.5\n"
    ">>> found = tumble.contacts(cube, None, cube, shift)\n"
    ">>> (found[\"kind\"] == tumble.ContactKind.cross).any()\nTrue\n"
    ">>> found[\"point\"].shape == (len(found), 3)\nTrue";
constexpr const char* distance_doc =
    "The least distance; 0 with a common point when in contact.\n\n"
    "The answer is at most the minimum times (1 + rel_error), plus abs_error. Bodies farther apart than upper_bound "
    "are\n"
    "farther. solid: a body inside the other is at distance 0. last_bit: the least of all pairs, to the last bit.\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> shift = np.eye(4)\n>>> shift[0, 3] = 3\n"
    ">>> tumble.distance(cube, None, cube, shift).distance\n1.0";
constexpr const char* within_doc =
    "All pairs of triangles at most `distance` apart, as an array of near_pair_dtype.\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> shift = np.eye(4)\n>>> shift[0, 3] = 2.25\n"
    ">>> tumble.within(cube, None, cube, shift, 0.25)[\"distance\"].max()\n0.25";
constexpr const char* is_within_doc =
    "Is anything at most `distance` apart?\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> shift = np.eye(4)\n>>> shift[0, 3] = 2.25\n"
    ">>> tumble.is_within(cube, None, cube, shift, 0.2)\nFalse";
constexpr const char* closest_pairs_doc =
    "All pairs of triangles at most m * (1 + rel_error) + abs_error apart, m being the least distance.\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> shift = np.eye(4)\n>>> shift[0, 3] = 2.25\n"
    ">>> len(tumble.closest_pairs(cube, None, cube, shift)) > 1\nTrue";
constexpr const char* penetration_doc =
    "How deep the surface of either closed mesh is in the other solid, to within the precision.\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> shift = np.eye(4)\n>>> shift[:3, 3] = 1.75\n"
    ">>> deep = tumble.penetration(cube, None, cube, shift, precision=1e-6)\n"
    ">>> bool(abs(deep.a_in_b.lower - 0.25) < 1e-5)\nTrue";
constexpr const char* overlap_depth_doc =
    "The diameter of the largest ball inside both closed meshes, as an interval.\n\n"
    ">>> cube = tumble.load(\"examples/cube.obj\")\n"
    ">>> depth = tumble.overlap_depth(cube, None, cube, None, precision=1e-3)\n"
    ">>> depth.lower <= 2 <= depth.upper\nTrue";

/// Defines a question as a function of two models and as a member of Pair. `ask(pair, pose_a, pose_b, asked...)` works
/// without the interpreter's lock, `show` makes Python's answer of it.
template <class... Asked, class Ask, class Show, class... Extra>
void bind_question(py::module_& m, py::class_<SharedPair, std::shared_ptr<SharedPair>>& pair, const char* name,
                   const Ask& ask, const Show& show, const char* doc, const Extra&... extra) {
  pair.def(
      name,
      [ask, show](SharedPair& self, const Pose& pose_a, const Pose& pose_b, const Asked&... asked) {
        return show(self.turns.take([&] { return ask(self.pair, pose_a, pose_b, asked...); }));
      },
      py::arg("pose_a"), py::arg("pose_b"), extra..., "The question of the same name, asked of this pair.");
  m.def(
      name,
      [ask, show](const StoredModel& a, const Pose& pose_a, const StoredModel& b, const Pose& pose_b,
                  const Asked&... asked) {
        return show(freely([&] {
          Pair once(a.model, b.model);
          return ask(once, pose_a, pose_b, asked...);
        }));
      },
      py::arg("a"), py::arg("pose_a"), py::arg("b"), py::arg("pose_b"), extra..., doc);
}

const auto as_it_is = [](const auto& answer) { return answer; };
const auto as_contacts = [](Contacts found) { return adopt(std::move(found), records().contact); };
const auto as_near_pairs = [](NearPairs found) { return adopt(std::move(found), records().near_pair); };

void bind_questions(py::module_& m, py::class_<SharedPair, std::shared_ptr<SharedPair>>& pair) {
  const py::kw_only keywords;
  const auto ignore_touch = py::arg("ignore_touch") = false;
  const auto solid = py::arg("solid") = false;
  const auto at_most = py::arg("at_most") = py::none();
  const auto rel_error = py::arg("rel_error") = 0.0, abs_error = py::arg("abs_error") = 0.0;
  const auto upper_bound = py::arg("upper_bound") = std::numeric_limits<double>::infinity();
  const auto precision = py::arg("precision") = 0.0;

  bind_question<bool, bool>(
      m, pair, "collide",
      [](Pair& p, const Pose& a, const Pose& b, bool ignore, bool as_solids) {
        return p.collide(a, b, {.ignore_touch = ignore, .solid = as_solids});
      },
      as_it_is, collide_doc, keywords, ignore_touch, solid);
  bind_question<bool, AtMost, bool, bool>(
      m, pair, "contacts",
      [](Pair& p, const Pose& a, const Pose& b, bool ignore, const AtMost& most, bool geometry, bool as_solids) {
        return p.contacts(a, b, contact_request(ignore, most, geometry, as_solids));
      },
      as_contacts, contacts_doc, keywords, ignore_touch, at_most, py::arg("geometry") = true, solid);
  bind_question<double, double, double, bool, bool>(
      m, pair, "distance",
      [](Pair& p, const Pose& a, const Pose& b, double rel, double abs, double upper, bool as_solids, bool last_bit) {
        return p.distance(a, b, {rel, abs, upper, as_solids, last_bit});
      },
      as_it_is, distance_doc, keywords, rel_error, abs_error, upper_bound, solid, py::arg("last_bit") = false);
  bind_question<double, AtMost, bool>(
      m, pair, "within",
      [](Pair& p, const Pose& a, const Pose& b, double distance, const AtMost& most, bool as_solids) {
        return p.within(a, b, within_request(distance, most, as_solids));
      },
      as_near_pairs, within_doc, py::arg("distance"), keywords, at_most, solid);
  bind_question<double, bool>(
      m, pair, "is_within",
      [](Pair& p, const Pose& a, const Pose& b, double distance, bool as_solids) {
        return p.is_within(a, b, within_request(distance, {}, as_solids));
      },
      as_it_is, is_within_doc, py::arg("distance"), keywords, solid);
  bind_question<double, double, double, bool>(
      m, pair, "closest_pairs",
      [](Pair& p, const Pose& a, const Pose& b, double rel, double abs, double upper, bool as_solids) {
        return p.closest_pairs(a, b, {rel, abs, upper, as_solids});
      },
      as_near_pairs, closest_pairs_doc, keywords, rel_error, abs_error, upper_bound, solid);
  bind_question<double>(
      m, pair, "penetration",
      [](Pair& p, const Pose& a, const Pose& b, double wanted) { return p.penetration(a, b, {wanted}); }, as_it_is,
      penetration_doc, keywords, precision);
  bind_question<double>(
      m, pair, "overlap_depth",
      [](Pair& p, const Pose& a, const Pose& b, double wanted) { return p.overlap_depth(a, b, {wanted}); }, as_it_is,
      overlap_depth_doc, keywords, precision);
}

void bind_pair_class(py::module_& m) {
  py::class_<Counters>(m, "Counters", "What questions did, in the papers' words.")
      .def_readonly("nv", &Counters::nv, "Overlap tests of bounding volumes.")
      .def_readonly("nu", &Counters::nu, "Realignments of bounding volumes.")
      .def_readonly("np", &Counters::np, "Triangle pairs tested.")
      .def_readonly("nodes", &Counters::nodes, "Nodes opened.")
      .def_readonly("mixed", &Counters::mixed, "Overlap tests of a leaf's volume with an inner one.")
      .def_readonly("contacts", &Counters::contacts, "Pairs found.")
      .def("__repr__", [](const Counters& self) {
        return "Counters(nv=" + std::to_string(self.nv) + ", nu=" + std::to_string(self.nu) +
               ", np=" + std::to_string(self.np) + ")";
      });

  py::class_<SharedQuery>(m, "Query",
                          "A question in progress: it stops at a budget and continues later. Another question to its\n"
                          "Pair makes it stale; every call then raises Error.")
      .def("run", &run, py::kw_only(), py::arg("time") = py::none(), py::arg("node_pairs") = py::none(),
           py::arg("each") = py::none(),
           "Works until the question is answered or the budget is spent: time in seconds, node_pairs of volumes.\n"
           "each is called once for everything found; if it returns False, the question is finished.")
      .def(
          "contacts",
          [](SharedQuery& self) { return as_contacts(self.pair->turns.take([&] { return self.query.contacts(); })); },
          "All contacts certain so far, sorted.")
      .def(
          "pairs",
          [](SharedQuery& self) { return as_near_pairs(self.pair->turns.take([&] { return self.query.pairs(); })); },
          "All near pairs certain so far, sorted.")
      .def(
          "penetration",
          [](SharedQuery& self) { return self.pair->turns.take([&] { return self.query.penetration(); }); },
          "Intervals that hold both depths and narrow from call to call.")
      .def(
          "overlap_depth",
          [](SharedQuery& self) { return self.pair->turns.take([&] { return self.query.overlap_depth(); }); },
          "An interval that narrows from call to call.");

  py::class_<SharedPair, std::shared_ptr<SharedPair>> pair(
      m, "Pair",
      "Two models for many questions. Each starts from where the last one ended. Threads take turns.\n\n"
      "realign, descend and coherent change speed and counters, never answers.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> pair = tumble.Pair(cube, cube)\n"
      ">>> pair.collide(None, None)\nTrue\n"
      ">>> query = pair.start(None, None, tumble.ContactRequest())\n"
      ">>> while not query.run(time=50e-6).finished:\n...     pass\n"
      ">>> len(query.contacts()) == len(pair.contacts(None, None))\nTrue");
  pair.def(py::init([](const StoredModel& a, const StoredModel& b, const std::string& realign,
                       const std::string& descend, const std::string& coherent) {
             PairOptions options;
             options.realign = named<Realign>("realign", realign, 6);
             options.descend = named<Descend>("descend", descend, 4);
             options.coherent = named<Coherent>("coherent", coherent, 3);
             return freely([&] { return std::make_shared<SharedPair>(a, b, options); });
           }),
           py::arg("a"), py::arg("b"), py::kw_only(), py::arg("realign") = "affine",
           py::arg("descend") = "larger_first", py::arg("coherent") = "automatic")
      .def_property_readonly("a", [](const SharedPair& self) { return self.a; })
      .def_property_readonly("b", [](const SharedPair& self) { return self.b; })
      .def(
          "start",
          [](const std::shared_ptr<SharedPair>& self, const Pose& pose_a, const Pose& pose_b, const Request& request) {
            Query query = self->turns.take([&] { return self->pair.start(pose_a, pose_b, request); });
            return SharedQuery{self, std::move(query), std::holds_alternative<ContactRequest>(request)};
          },
          py::arg("pose_a"), py::arg("pose_b"), py::arg("request"),
          "Starts a question to run with a budget, in steps or with a callback.")
      .def(
          "count", [](SharedPair& self, bool on) { self.turns.take([&] { self.pair.count(on); }); }, py::arg("on"),
          "Switches the counting of operations on or off.")
      .def(
          "stats", [](SharedPair& self) { return self.turns.take([&] { return self.pair.stats(); }); },
          "The counts of all questions since counting began.")
      .def("reset_stats", [](SharedPair& self) { self.turns.take([&] { self.pair.reset_stats(); }); })
      .def(
          "forget", [](SharedPair& self) { self.turns.take([&] { self.pair.forget(); }); },
          "Drops the state from which the next question would start.")
      .def("__repr__", [](const SharedPair& self) {
        return "<tumble.Pair of " + std::to_string(self.a.model.triangles().size()) + " and " +
               std::to_string(self.b.model.triangles().size()) + " triangles>";
      });
  bind_questions(m, pair);
}

void bind_batches(py::module_& m) {
  m.def(
      "collide_many",
      [](const StoredModel& a, const StoredModel& b, py::handle poses, bool ignore_touch, bool solid,
         const Pose& pose_a, Threads threads) {
        const std::vector<Pose> all = poses_from(poses);
        std::vector<std::uint8_t> hits = freely([&] {
          return collide_many(a.model, b.model, all, {ignore_touch, solid}, {.threads = threads, .pose_a = pose_a});
        });
        return adopt(std::move(hits), py::dtype::of<bool>());
      },
      py::arg("a"), py::arg("b"), py::arg("poses"), py::kw_only(), py::arg("ignore_touch") = false,
      py::arg("solid") = false, py::arg("pose_a") = py::none(), py::arg("threads") = 0,
      "collide for every pose of b, on all cores: (N, 4, 4) or (N, 3, 4) in, (N,) bool out.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> path = np.tile(np.eye(4), (3, 1, 1))\n>>> path[:, 0, 3] = 0, 2, 3\n"
      ">>> tumble.collide_many(cube, cube, path).tolist()\n[True, True, False]");
  m.def(
      "distance_many",
      [](const StoredModel& a, const StoredModel& b, py::handle poses, double rel, double abs, double upper, bool solid,
         bool last_bit, const Pose& pose_a, Threads threads) {
        const std::vector<Pose> all = poses_from(poses);
        return adopt(freely([&] {
                       return distance_many(a.model, b.model, all, {rel, abs, upper, solid, last_bit},
                                            {.threads = threads, .pose_a = pose_a});
                     }),
                     records().distance);
      },
      py::arg("a"), py::arg("b"), py::arg("poses"), py::kw_only(), py::arg("rel_error") = 0.0,
      py::arg("abs_error") = 0.0, py::arg("upper_bound") = std::numeric_limits<double>::infinity(),
      py::arg("solid") = false, py::arg("last_bit") = false, py::arg("pose_a") = py::none(), py::arg("threads") = 0,
      "distance for every pose of b, on all cores: an array of distance_dtype.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> path = np.tile(np.eye(4), (3, 1, 1))\n>>> path[:, 0, 3] = 2, 3, 4\n"
      ">>> tumble.distance_many(cube, cube, path)[\"distance\"].tolist()\n[0.0, 1.0, 2.0]");
  m.def(
      "contacts_many",
      [](const StoredModel& a, const StoredModel& b, py::handle poses, bool ignore_touch, const AtMost& at_most,
         bool geometry, bool solid, const Pose& pose_a, Threads threads) {
        const std::vector<Pose> all = poses_from(poses);
        std::vector<Contacts> found = freely([&] {
          return contacts_many(a.model, b.model, all, contact_request(ignore_touch, at_most, geometry, solid),
                               {.threads = threads, .pose_a = pose_a});
        });
        py::list lists(found.size());
        for (std::size_t i = 0; i < found.size(); ++i) lists[i] = as_contacts(std::move(found[i]));
        return lists;
      },
      py::arg("a"), py::arg("b"), py::arg("poses"), py::kw_only(), py::arg("ignore_touch") = false,
      py::arg("at_most") = py::none(), py::arg("geometry") = true, py::arg("solid") = false,
      py::arg("pose_a") = py::none(), py::arg("threads") = 0,
      "contacts for every pose of b, on all cores: a list of arrays of contact_dtype.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> path = np.tile(np.eye(4), (2, 1, 1))\n>>> path[:, 0, 3] = 0.5, 3\n"
      ">>> [len(found) > 0 for found in tumble.contacts_many(cube, cube, path)]\n[True, False]");

  py::class_<Outcome>(m, "Outcome", "The result for one pose of run_many, or for one pair of a world.")
      .def_readonly("certainty", &Outcome::certainty)
      .def_property_readonly("contacts", [](const Outcome& self) { return as_contacts(self.contacts); })
      .def_property_readonly("pairs", [](const Outcome& self) { return as_near_pairs(self.pairs); })
      .def_readonly("penetration", &Outcome::penetration)
      .def_readonly("overlap_depth", &Outcome::overlap_depth)
      .def("__repr__", [](const Outcome& self) {
        return std::string("<tumble.Outcome: ") + name(self.certainty.verdict) +
               (self.certainty.finished ? ">" : ", not finished>");
      });
  m.def(
      "run_many",
      [](const StoredModel& a, const StoredModel& b, py::handle poses, const Request& request,
         const std::optional<double>& time, const NodePairs& node_pairs, const Pose& pose_a, Threads threads) {
        const std::vector<Pose> all = poses_from(poses);
        const Budget budget = budget_of(time, node_pairs);
        return freely(
            [&] { return run_many(a.model, b.model, all, request, budget, {.threads = threads, .pose_a = pose_a}); });
      },
      py::arg("a"), py::arg("b"), py::arg("poses"), py::arg("request"), py::kw_only(), py::arg("time") = py::none(),
      py::arg("node_pairs") = py::none(), py::arg("pose_a") = py::none(), py::arg("threads") = 0,
      "Any question for every pose of b, with a budget for each.\n\n"
      ">>> cube = tumble.load(\"examples/cube.obj\")\n"
      ">>> tumble.run_many(cube, cube, [np.eye(4)], tumble.CollideRequest(), node_pairs=1000)\n"
      "[<tumble.Outcome: colliding>]");
}

}  // namespace

void bind_pair(py::module_& m) {
  bind_requests(m);
  bind_pair_class(m);
  bind_batches(m);
}

}  // namespace tumble::python
