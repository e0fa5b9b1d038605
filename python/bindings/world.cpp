// SPDX-License-Identifier: Apache-2.0
// World: many bodies that move. Ids are plain integers.
#include "world.h"

#include "answers.h"
#include "requests.h"

#include <functional>
#include <memory>

namespace tumble::python {
namespace {

using Class = py::class_<SharedWorld, std::shared_ptr<SharedWorld>>;

NeighbourFinding neighbours_named(const std::string& word) {
  if (word == "box_tree") return NeighbourFinding::box_tree;
  if (word == "sweep_and_prune") return NeighbourFinding::sweep_and_prune;
  throw Error(ErrorCode::invalid_argument, "neighbours must be box_tree or sweep_and_prune, not '" + word + "'");
}

BodyBoxes boxes_named(const std::string& word) {
  if (word == "dynamic") return BodyBoxes::dynamic;
  if (word == "fixed") return BodyBoxes::fixed;
  throw Error(ErrorCode::invalid_argument, "boxes must be dynamic or fixed, not '" + word + "'");
}

Subject subject_of(const std::optional<BodyId>& body, const std::optional<Visitor>& visitor) {
  if (body && visitor)
    throw Error(ErrorCode::invalid_argument, "a question is about a body or about a visitor, not both");
  if (body) return *body;
  if (visitor) return *visitor;
  return {};
}

/// Moves all bodies or none; one pose moves one body.
void move(SharedWorld& self, py::handle ids, py::handle poses) {
  if (!py::hasattr(ids, "__len__")) {
    const BodyId id = id_from(ids);
    const Pose pose = pose_from(poses);
    self.turns.take([&] { self.world.move(id, pose); });
    return;
  }
  std::vector<BodyId> all;
  for (const py::handle id : ids) all.push_back(id_from(id));
  const std::vector<Pose> to = poses_from(poses);
  self.turns.take([&] { self.world.move(all, to); });
}

WorldOutcome run(SharedWorld& self, const Request& request, const std::optional<double>& time,
                 const NodePairs& node_pairs, const py::object& each, const std::optional<BodyId>& body,
                 const std::optional<Visitor>& visitor) {
  RunOptions options{.budget = budget_of(time, node_pairs)};
  if (!each.is_none())
    options.each = [&each](const PairOutcome& found) {
      const py::gil_scoped_acquire acquired;
      return goes_on(each(found));
    };
  const Subject subject = subject_of(body, visitor);
  return self.turns.take([&] { return self.world.run(request, options, subject); });
}

void bind_bodies(Class& world) {
  world
      .def(
          "add",
          [](SharedWorld& self, py::handle model, const Pose& pose, Name name, bool moves, Categories categories,
             CaresAbout cares_about, double margin) {
            const BodyOptions options{std::move(name.bytes), moves, categories, cares_about, margin};
            const BodyModel body = body_model(model);
            return self.turns.take([&] { return self.world.add(body, pose, options); }).value;
          },
          py::arg("model"), py::arg("pose") = py::none(), py::kw_only(), py::arg("name") = "", py::arg("moves") = true,
          py::arg("categories") = 1, py::arg("cares_about") = ~0U, py::arg("margin") = 0.0,
          "Adds a body, a Model or a ConvexModel, and returns its id. Two convex bodies are solids. Two bodies are "
          "tested if each cares about a category of the other, at "
          "least\n"
          "one moves, and the pair is not ignored. Near means at most the sum of two margins apart.")
      .def(
          "add_group",
          [](SharedWorld& self, const Pose& pose, Name name, bool moves, Categories categories, CaresAbout cares_about,
             double margin) {
            const BodyOptions options{std::move(name.bytes), moves, categories, cares_about, margin};
            return self.turns.take([&] { return self.world.add_group(pose, options); }).value;
          },
          py::arg("pose") = py::none(), py::kw_only(), py::arg("name") = "", py::arg("moves") = true,
          py::arg("categories") = 1, py::arg("cares_about") = ~0U, py::arg("margin") = 0.0,
          "A group moves as one, and its members are never tested against each other.")
      .def(
          "add_member",
          [](SharedWorld& self, BodyId group, py::handle model, const Pose& pose, Name name) {
            const BodyModel body = body_model(model);
            return self.turns.take([&] { return self.world.add_member(group, body, pose, std::move(name.bytes)); })
                .value;
          },
          py::arg("group"), py::arg("model"), py::arg("pose") = py::none(), py::kw_only(), py::arg("name") = "",
          "Adds a member at a pose in the coordinates of its group.")
      .def(
          "remove", [](SharedWorld& self, BodyId id) { self.turns.take([&] { self.world.remove(id); }); },
          py::arg("id"), "Removes a body, or a group with its members.")
      .def("move", &move, py::arg("id"), py::arg("pose"),
           "Moves a body or group to a pose, or several ids to (N, 4, 4) poses: all of them, or none if one is "
           "refused.")
      .def("__contains__",
           [](SharedWorld& self, BodyId id) { return self.turns.take([&] { return self.world.contains(id); }); })
      .def("__len__", [](SharedWorld& self) { return self.turns.take([&] { return self.world.bodies().size(); }); })
      .def(
          "bodies", [](SharedWorld& self) { return ids_of(self.turns.take([&] { return self.world.bodies(); })); },
          "The ids of all bodies with a model, members included.")
      .def(
          "members",
          [](SharedWorld& self, BodyId group) {
            return ids_of(self.turns.take([&] { return self.world.members(group); }));
          },
          py::arg("group"), "The ids of a group's members.")
      .def(
          "group_of",
          [](SharedWorld& self, BodyId id) { return self.turns.take([&] { return self.world.group_of(id); }).value; },
          py::arg("id"), "The group of a member; the id itself if it is no member.")
      .def(
          "find",
          [](SharedWorld& self, const Name& name) {
            return ids_of(self.turns.take([&] { return self.world.find(name.bytes); }));
          },
          py::arg("name"), "The ids of all bodies and groups of that name.")
      .def(
          "name",
          [](SharedWorld& self, BodyId id) {
            return self.turns.take([&] { return Name{std::string(self.world.name(id))}; });
          },
          py::arg("id"), "The name of a body or group.")
      .def(
          "model",
          [](SharedWorld& self, BodyId id) {
            return self.turns.take([&] { return StoredModel{self.world.model(id)}; });
          },
          py::arg("id"), "The model of a body; of a convex one its hull.")
      .def(
          "convex",
          [](SharedWorld& self, BodyId id) {
            return self.turns.take([&] { return std::optional<ConvexModel>(self.world.convex(id)); });
          },
          py::arg("id"), "The ConvexModel of a body; None if it was added as a mesh.")
      .def(
          "pose",
          [](SharedWorld& self, BodyId id) { return self.turns.take([&] { return Pose(self.world.pose(id)); }); },
          py::arg("id"), "(4, 4), the pose of a body or group in the world.")
      .def(
          "ignore", [](SharedWorld& self, BodyId a, BodyId b) { self.turns.take([&] { self.world.ignore(a, b); }); },
          py::arg("a"), py::arg("b"), "These two are never tested.")
      .def(
          "unignore",
          [](SharedWorld& self, BodyId a, BodyId b) { self.turns.take([&] { self.world.unignore(a, b); }); },
          py::arg("a"), py::arg("b"), "These two are tested again.")
      .def(
          "set_categories",
          [](SharedWorld& self, BodyId id, Categories categories, CaresAbout cares_about) {
            self.turns.take([&] { self.world.set_categories(id, categories, cares_about); });
          },
          py::arg("id"), py::arg("categories"), py::arg("cares_about"))
      .def(
          "set_moves",
          [](SharedWorld& self, BodyId id, bool moves) { self.turns.take([&] { self.world.set_moves(id, moves); }); },
          py::arg("id"), py::arg("moves"))
      .def(
          "set_margin",
          [](SharedWorld& self, BodyId id, double margin) {
            self.turns.take([&] { self.world.set_margin(id, margin); });
          },
          py::arg("id"), py::arg("margin"))
      .def(
          "set_pair_margin",
          [](SharedWorld& self, BodyId a, BodyId b, double margin) {
            self.turns.take([&] { self.world.set_margin(a, b, margin); });
          },
          py::arg("a"), py::arg("b"), py::arg("margin"), "The margin of a pair, instead of the sum of theirs.");
}

void bind_world_questions(Class& world) {
  using Id = std::optional<BodyId>;
  using Guest = std::optional<Visitor>;
  const auto body = py::arg("body") = py::none(), visitor = py::arg("visitor") = py::none();
  const auto ignore_touch = py::arg("ignore_touch") = false, solid = py::arg("solid") = false;
  const auto rel_error = py::arg("rel_error") = 0.0, abs_error = py::arg("abs_error") = 0.0;
  const auto upper_bound = py::arg("upper_bound") = std::numeric_limits<double>::infinity();
  const auto last_bit = py::arg("last_bit") = false;
  const auto at_most = py::arg("at_most") = py::none();

  world
      .def(
          "collide",
          [](SharedWorld& self, bool ignore, bool as_solids, const Id& id, const Guest& guest) {
            const Subject subject = subject_of(id, guest);
            return self.turns.take([&] { return self.world.collide({ignore, as_solids}, subject); });
          },
          py::kw_only(), ignore_touch, solid, body, visitor,
          "Does anything collide? Of all pairs, those of one body, or those of a visitor: would it fit?")
      .def(
          "colliding",
          [](SharedWorld& self, bool ignore, bool as_solids, const Id& id, const Guest& guest) {
            const Subject subject = subject_of(id, guest);
            return ids_of(self.turns.take([&] { return self.world.colliding({ignore, as_solids}, subject); }));
          },
          py::kw_only(), ignore_touch, solid, body, visitor, "(N, 2) ids of the pairs that collide, groups as one.")
      .def(
          "contacts",
          [](SharedWorld& self, bool ignore, const AtMost& most, bool geometry, bool as_solids, const Id& id,
             const Guest& guest) {
            const Subject subject = subject_of(id, guest);
            const ContactRequest request = contact_request(ignore, most, geometry, as_solids);
            return adopt(self.turns.take([&] { return self.world.contacts(request, subject); }),
                         records().world_contact);
          },
          py::kw_only(), ignore_touch, at_most, py::arg("geometry") = true, solid, body, visitor,
          "All contacts, as an array of world_contact_dtype, sorted by ids, then triangles.")
      .def(
          "within",
          [](SharedWorld& self, double distance, const AtMost& most, bool as_solids, const Id& id, const Guest& guest) {
            const Subject subject = subject_of(id, guest);
            const WithinRequest request = within_request(distance, most, as_solids);
            return adopt(self.turns.take([&] { return self.world.within(request, subject); }),
                         records().world_near_pair);
          },
          py::arg("distance"), py::kw_only(), at_most, solid, body, visitor,
          "All pairs of triangles at most `distance` apart, as an array of world_near_pair_dtype.")
      .def(
          "distances",
          [](SharedWorld& self, double rel, double abs, double upper, bool as_solids, bool last, const Id& id,
             const Guest& guest) {
            const Subject subject = subject_of(id, guest);
            return adopt(self.turns.take([&] {
              return self.world.distances({rel, abs, upper, as_solids, last}, subject);
            }),
                         records().world_distance);
          },
          py::kw_only(), rel_error, abs_error, upper_bound, solid, last_bit, body, visitor,
          "The distance of each pair, groups as one, as an array of world_distance_dtype.")
      .def(
          "closest",
          [](SharedWorld& self, double rel, double abs, double upper, bool as_solids, bool last, const Id& id,
             const Guest& guest) -> py::object {
            const Subject subject = subject_of(id, guest);
            const auto found = self.turns.take([&] {
              return self.world.closest({rel, abs, upper, as_solids, last}, subject);
            });
            if (!found) return py::none();
            return py::make_tuple(found->a.value, found->b.value, found->distance);
          },
          py::kw_only(), rel_error, abs_error, upper_bound, solid, last_bit, body, visitor,
          "The closest pair as a tuple (a, b, Distance), or None if there is no pair.")
      .def(
          "neighbours",
          [](SharedWorld& self, const Id& id, const Guest& guest) {
            const Subject subject = subject_of(id, guest);
            return ids_of(self.turns.take([&] { return self.world.neighbours(subject); }));
          },
          py::kw_only(), body, visitor, "(N, 2) ids of the bodies whose boxes overlap.")
      .def("run", &run, py::arg("request"), py::kw_only(), py::arg("time") = py::none(),
           py::arg("node_pairs") = py::none(), py::arg("each") = py::none(), body, visitor,
           "Any question with a budget, or with a function to call for each pair; it may return False to end it.")
      .def(
          "step",
          [](SharedWorld& self, bool ignore, bool as_solids, bool contacts) {
            return self.turns.take([&] { return Step(self.world.step({ignore, as_solids, contacts})); });
          },
          py::kw_only(), ignore_touch, solid, py::arg("contacts") = false,
          "Finds out what collides and what changed since the last step.");
}

}  // namespace

BodyModel body_model(py::handle source) {
  if (py::isinstance<ConvexModel>(source)) return source.cast<const ConvexModel&>();
  if (py::isinstance<StoredModel>(source)) return source.cast<const StoredModel&>().model;
  throw py::type_error("a body is a tumble.Model or a tumble.ConvexModel, not " +
                       std::string(py::str(py::type::of(source).attr("__name__"))));
}

void bind_world(py::module_& m) {
  py::class_<Visitor>(m, "Visitor", "A model that is not in the world: would it fit there? It has the id 0.")
      .def(py::init([](py::handle model, const Pose& pose, Categories categories, CaresAbout cares_about) {
             return Visitor{body_model(model), pose, categories, cares_about};
           }),
           py::arg("model"), py::arg("pose") = py::none(), py::kw_only(), py::arg("categories") = 1,
           py::arg("cares_about") = ~0U)
      .def_readonly("pose", &Visitor::pose);
  py::class_<Changes>(m, "Changes", "(N, 2) ids of pairs for which something is true now or was before.")
      .def_property_readonly("began", [](const Changes& self) { return ids_of(self.began); })
      .def_property_readonly("persisting", [](const Changes& self) { return ids_of(self.persisting); })
      .def_property_readonly("ended", [](const Changes& self) { return ids_of(self.ended); })
      .def("__repr__", [](const Changes& self) {
        return "<tumble.Changes: " + std::to_string(self.began.size()) + " began, " +
               std::to_string(self.persisting.size()) + " persisting, " + std::to_string(self.ended.size()) + " ended>";
      });
  py::class_<Step>(m, "Step", "A step, and how it differs from the one before.")
      .def_readonly("colliding", &Step::colliding)
      .def_readonly("near", &Step::near, "At most their margin apart, or colliding.")
      .def_readonly("neighbours", &Step::neighbours, "Their boxes overlap, grown by the margins.")
      .def_property_readonly("contacts",
                             [](const Step& self) { return adopt(self.contacts, records().world_contact); });
  py::class_<PairOutcome>(m, "PairOutcome", "What is known of one pair of bodies.")
      .def_property_readonly("a", [](const PairOutcome& self) { return self.a.value; })
      .def_property_readonly("b", [](const PairOutcome& self) { return self.b.value; })
      .def_readonly("outcome", &PairOutcome::outcome);
  py::class_<WorldOutcome>(m, "WorldOutcome", "What is certain about a world.")
      .def_readonly("verdict", &WorldOutcome::verdict, "Colliding if some pair is, free if all are, else unknown.")
      .def_readonly("finished", &WorldOutcome::finished)
      .def_readonly("pairs", &WorldOutcome::pairs, "Those with something to tell, and those that are not finished.");

  py::class_<HullCounters>(m, "HullCounters", "What looking at hulls saved: asked = apart + red + to_trees.")
      .def_readonly("asked", &HullCounters::asked, "Pairs of bodies whose hulls were looked at.")
      .def_readonly("apart", &HullCounters::apart, "The hulls are apart: no contact.")
      .def_readonly("red", &HullCounters::red, "The hulls had just met, at triangles that are in contact.")
      .def_readonly("to_trees", &HullCounters::to_trees, "The trees had to decide.");

  Class world(m, "World",
              "Many bodies that move, and questions about all of them at once. Threads take turns.\n\n"
              ">>> cube = tumble.load(\"examples/cube.obj\")\n"
              ">>> world = tumble.World()\n"
              ">>> table = world.add(cube, name=\"table\", moves=False)\n"
              ">>> above = np.eye(4)\n>>> above[2, 3] = 3\n"
              ">>> cup = world.add(cube, above, name=\"cup\")\n"
              ">>> world.collide()\nFalse\n"
              ">>> above[2, 3] = 2\n>>> world.move(cup, above)\n"
              ">>> world.step().colliding.began.tolist() == [[table, cup]]\nTrue");
  world
      .def(py::init([](Threads threads, const std::string& neighbours, const std::string& boxes,
                       Whole<std::size_t, "memory"> memory, bool hulls) {
             WorldOptions options;
             options.threads = threads;
             options.neighbours = neighbours_named(neighbours);
             options.boxes = boxes_named(boxes);
             options.memory = memory;
             options.hulls = hulls ? HullStage::on : HullStage::off;
             return std::make_shared<SharedWorld>(World(options));
           }),
           py::kw_only(), py::arg("threads") = 0, py::arg("neighbours") = "box_tree", py::arg("boxes") = "dynamic",
           py::arg("memory") = std::size_t{64} << 20, py::arg("hulls") = false)
      .def(
          "hull_counters",
          [](SharedWorld& self) { return self.turns.take([&] { return self.world.hull_counters(); }); },
          "What looking at convex hulls before trees saved (hulls=True).")
      .def(
          "copy",
          [](SharedWorld& self) {
            return std::make_shared<SharedWorld>(self.turns.take([&] { return World(self.world); }));
          },
          "A world with the same bodies, ids and events.")
      .def("__repr__", [](SharedWorld& self) {
        return "<tumble.World of " + std::to_string(self.turns.take([&] { return self.world.bodies().size(); })) +
               " bodies>";
      });
  bind_bodies(world);
  bind_world_questions(world);
}

}  // namespace tumble::python
