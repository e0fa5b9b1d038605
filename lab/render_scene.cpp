// SPDX-License-Identifier: Apache-2.0
// render_scene: a picture of a scene from the catalog, to see that it looks like what it is called.
#include "lab/picture.h"
#include "scenes/catalog.h"

#include <tumble/error.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: render_scene SCENE OUT.png [env|object|both|inside [YAW PITCH [ZOOM [STEP]]]]\n"
    "  YAW, PITCH  where the eye stands, in degrees: around z from +x, and above the ground\n"
    "  ZOOM        1 shows everything\n"
    "  STEP        of the flight, for the object's pose in `both` and `inside` (0)\n"
    "  inside      is `both`, leaving out triangles seen from behind: a look into a closed room\n";

double number(const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0')
    throw tumble::Error(tumble::ErrorCode::invalid_argument, "'" + std::string(text) + "' is not a number");
  return value;
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
  view.cut_front = what == "inside";

  std::vector<lab::Shown> things;
  if (what != "object") things.push_back({&scene.env});
  if (what == "object") things.push_back({&scene.object});
  if (what == "both" || what == "inside") {
    // A billiard is flown as if nothing were in the way.
    const scenes::Flight flight = scenes::fly(scene, [](const Pose&) { return false; });
    const double step = given(6) ? number(arguments[6]) : 0;
    if (!(step >= 0 && step < static_cast<double>(flight.size())))
      throw Error(ErrorCode::invalid_argument, "the flight has steps 0 to " + std::to_string(flight.size() - 1));
    things.push_back({&scene.object, flight[static_cast<std::size_t>(step)], {235, 120, 60}});
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
