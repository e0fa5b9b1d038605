// SPDX-License-Identifier: Apache-2.0
// The sentences, scene by scene; pages print them.
#include "scenes/stand_ins.h"

#include <algorithm>
#include <array>

namespace tumble::scenes {
namespace {

struct StandIn {
  const char* scene;
  bool billiard;
  const char* text;
};

constexpr std::array all{
    StandIn{
        "pipes", true,
        "generated pipelines on a lattice in the place of the University of North Carolina's, which are not public, "
        "with as many triangles. The paper does not say how much smaller the flying copy is; ours is 15 times "
        "smaller, as in Lin 1996."},
    StandIn{"torus", true,
            "a generated wrinkled torus over a generated landscape of stalagmites in the place of the University of "
            "North Carolina's, which are not public, with as many triangles; shapes and proportions are ours."},
    StandIn{"airplane", true,
            "a generated four-engined airliner in the place of a Boeing 747's model, which is not public, with as many "
            "triangles. The 25,000 tetrahedra are random and disjoint as in the paper; it gives neither their sizes "
            "nor how densely they stand. Ours stand in a cube 20 times as long as the airplane, each in a ball with a "
            "radius of 0.055 to 0.123 of that length, so that the balls fill about 1 % of the cube: chosen before "
            "anything was timed, and not fitted to the published times. table2 tries 10 and 40 times."},
    StandIn{"swept", false,
            "three thin crossed boxes of 36 triangles in the place of the paper's 'axis-shaped polyhedron', whose "
            "proportions are not published. Path, sizes of the 10,000 tetrahedra and their distance from the swept "
            "volume are not published, either. The object is 1 long. Our tetrahedra are at most 0.06 wide, are centred "
            "within 0.12 of it at some pose, keep clear of it by 0.0001 at every pose, and may overlap each other: "
            "chosen to come 'very close', as the paper says, and not fitted to its times. table2 tries other "
            "distances."},
    StandIn{"interior", false,
            "a generated stretch of cabin and a generated hand in the place of Boeing's, which are not public, with as "
            "many triangles. The paper's path was recorded with a data glove; ours is drawn at random, so that a hand "
            "reaches, presses in, drags along and withdraws about as often as the published contacts need."},
    StandIn{"nested", false,
            "the inner sphere is a smaller copy of the outer one around the same centre, as in the paper, and not "
            "turned. How the paper's spheres are divided into triangles it does not say; every tessellation we have is "
            "in the tables, and the hull of random points comes nearest."},
    StandIn{"zachmann_torus", false,
            "a regular grid on a torus with as many polygons, around the z axis; radii, how it lies, and that a "
            "polygon is a triangle, are ours, since the paper's files are no longer there."},
    StandIn{"zachmann_sphere", false,
            "a regular grid on a sphere with as many polygons; that a polygon is a triangle is ours, since the paper's "
            "files are no longer there."},
    StandIn{
        "zachmann_cylinder", false,
        "a regular grid on a cylinder around the z axis with a lid at either end, as high as wide; lids, proportions, "
        "how it lies, and that a polygon is a triangle, are ours, since the paper's files are no longer there."},
    StandIn{"animals", false,
            "two generated four-legged animals of 20,000 triangles in the place of the paper's horse and dinosaur of "
            "'around 20000', whose files it does not name."},
    StandIn{
        "parallel_close", false,
        "a sphere of as many triangles as the paper's around a copy that is smaller by alpha, cut along rings of "
        "latitude into near-equal triangles; how the paper's are cut is not published. The paper perturbs the inner "
        "one without saying how much: ours moves each coordinate by up to a quarter of alpha. Ours turns once about z; "
        "whether the paper's moves it does not say. Which gaps it measured is not published."},
    StandIn{"point_close", false,
            "two spheres of as many triangles as the paper's, cut like those of parallel_close, one turning; at which "
            "distances it measured is not published."},
    StandIn{"fine_pipes", false, "a scene of our own: no paper has it."}};

constexpr char bounce[] =
    "The paper's flying object reverses its trajectory when it hits something. Ours goes back to the pose before, and "
    "then on in a random direction of the half-space that it came from, turning about a new axis: the same line back "
    "and forth would visit nothing new. Ours is also reflected at the sides of a box, so that it does not leave the "
    "environment; the paper mentions none. Where a flight starts is not published, nor are length and rotation of a "
    "step. Ours starts at a random pose without contact; length and rotation were chosen once, by trying, so that the "
    "contacts over the published number of steps come near the published number.";

}  // namespace

std::string stand_in(std::string_view scene) {
  const auto* const found = std::ranges::find(all, scene, &StandIn::scene);
  return found == all.end() ? "" : found->text;
}

std::vector<std::string> stand_ins(std::span<const std::string> scenes, Used used) {
  std::vector<std::string> out;
  std::string billiards;
  for (const std::string& scene : scenes) {
    const auto* const found = std::ranges::find(all, scene, &StandIn::scene);
    if (found == all.end()) continue;
    out.push_back(scene + ": " + found->text);
    if (found->billiard) billiards += (billiards.empty() ? "" : ", ") + scene;
  }
  if (used == Used::flown && !billiards.empty()) out.push_back("The flights of " + billiards + ": " + bounce);
  return out;
}

}  // namespace tumble::scenes
