// SPDX-License-Identifier: Apache-2.0
// render_scene: a picture of a scene from the catalog, to see that it looks like what it is called; or of its contacts
// in red, as in Klosowski 1998, Fig. 5.
#include "lab/picture.h"
#include "scenes/catalog.h"

#include <tumble/error.h>
#include <tumble/query.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: render_scene SCENE OUT.png [env|object|both|inside|contacts [YAW PITCH [ZOOM [STEP]]]]\n"
    "  YAW, PITCH  where the eye stands, in degrees: around z from +x, and above the ground\n"
    "  ZOOM        1 shows everything\n"
    "  STEP        of the flight, for the object's pose (0); in `contacts` by default the one with most of them\n"
    "  inside      is `both`, leaving out triangles seen from behind: a look into a closed room\n"
    "  contacts    is `inside`, looking at the triangles in contact, in red\n";

double number(const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0')
    throw tumble::Error(tumble::ErrorCode::invalid_argument, "'" + std::string(text) + "' is not a number");
  return value;
}

/// The triangles of a mesh named, as a mesh, a little in front of themselves on either side.
tumble::Mesh picked(const tumble::Mesh& mesh, const std::set<std::uint32_t>& triangles, double lift) {
  tumble::Mesh out;
  for (const std::uint32_t t : triangles) {
    std::array<tumble::Vec3, 3> corners;
    for (std::size_t c = 0; c < 3; ++c) corners[c] = mesh.vertices[mesh.triangles[t][c]];
    tumble::Vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double size = length(normal);
    normal = size > 0 ? normal / size : tumble::Vec3{};
    for (const double side : {lift, -lift}) {
      const auto first = static_cast<std::uint32_t>(out.vertices.size());
      for (const tumble::Vec3& corner : corners) out.vertices.push_back(corner + normal * side);
      if (side > 0)
        out.triangles.push_back({first, first + 1, first + 2});
      else
        out.triangles.push_back({first, first + 2, first + 1});
    }
  }
  return out;
}

void run(const std::vector<const char*>& arguments) {
  using namespace tumble;
  const auto given = [&](std::size_t i) { return i < arguments.size(); };
  const scenes::Scene scene = scenes::make(arguments[0]);
  const std::string what = given(2) ? arguments[2] : "env";
  lab::View view;
  if (given(3)) view.yaw_degrees = number(arguments[3]);
  if (given(4)) view.pitch_degrees = number(arguments[4]);
  if (given(5)) view.zoom = number(arguments[5]);
  view.cut_front = what == "inside" || what == "contacts";

  std::vector<lab::Shown> things;
  if (what != "object") things.push_back({&scene.env});
  if (what == "object") things.push_back({&scene.object});
  Mesh red_env, red_object;
  if (what == "both" || what == "inside" || what == "contacts") {
    std::optional<Pair> pair;
    if (what == "contacts") pair.emplace(Model(scene.env), Model(scene.object));
    // A billiard is flown as if nothing were in the way, unless contacts are asked for.
    const scenes::Flight flight = scenes::fly(scene, [&](const Pose& pose) { return pair && pair->collide({}, pose); });
    double step = given(6) ? number(arguments[6]) : 0;
    if (!(step >= 0 && step < static_cast<double>(flight.size())))
      throw Error(ErrorCode::invalid_argument, "the flight has steps 0 to " + std::to_string(flight.size() - 1));
    if (pair && !given(6)) {
      std::size_t most = 0;
      for (std::size_t i = 0; i < flight.size(); ++i)
        if (const std::size_t found = pair->contacts({}, flight[i], {.geometry = false}).size(); found > most)
          most = found, step = static_cast<double>(i);
    }
    const Pose& pose = flight[static_cast<std::size_t>(step)];
    things.push_back({&scene.object, pose, pair ? lab::Color{235, 190, 150} : lab::Color{235, 120, 60}});
    if (pair) {
      const Contacts contacts = pair->contacts({}, pose);
      if (contacts.empty()) throw Error(ErrorCode::invalid_argument, "there is no contact at this step");
      std::set<std::uint32_t> of_env, of_object;
      Vec3 middle{};
      for (const Contact& contact : contacts) {
        of_env.insert(contact.triangle_a);
        of_object.insert(contact.triangle_b);
        middle += contact.point / static_cast<double>(contacts.size());
      }
      const Box box = bounding_box(scene.object);
      const double lift = 1e-3 * length(box.upper - box.lower);
      red_env = picked(scene.env, of_env, lift);
      red_object = picked(scene.object, of_object, lift);
      constexpr lab::Color red{225, 25, 25};
      things.push_back({&red_env, {}, red});
      things.push_back({&red_object, pose, red});
      view.look_at_point = true;
      view.point = middle;
      std::printf("step %.0f: %zu contacts\n", step, contacts.size());
    }
  }
  lab::save_png(lab::render(things, view), arguments[1]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<const char*> arguments(argv + (argc > 0), argv + argc);
  if (arguments.size() < 2 || arguments.size() > 7) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    run(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "render_scene: %s\n", error.what());
    return 2;
  }
}
