// SPDX-License-Identifier: Apache-2.0
// render_levels: the bounding volumes of a scene's object level by level (Klosowski 1998, Fig. 4), 18-DOPs above
// oriented boxes.
#include "lab/picture.h"
#include "scenes/catalog.h"

#include <tumble/error.h>
#include <tumble/model.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr const char* usage = "usage: render_levels SCENE OUT.png [env|object]\n";
constexpr std::array depths{0, 1, 2, 3};

void run(const std::vector<std::string>& arguments) {
  using namespace tumble;
  const scenes::Scene scene = scenes::make(arguments[0]);
  const Mesh& mesh = arguments.size() > 2 && arguments[2] == "env" ? scene.env : scene.object;
  std::vector<lab::Picture> rows;
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    TreeOptions options;
    options.bound = bound;
    const Model model(mesh, options);
    lab::View view;
    view.width = view.height = 240;
    view.zoom = 1.3;
    std::vector<lab::Picture> panels{lab::render({{&mesh}}, view)};
    for (const int depth : depths) {
      const Mesh volumes = bounds_at_depth(model, depth);
      panels.push_back(lab::render({{.mesh = &volumes, .color_parts = true}}, view));
    }
    rows.push_back(lab::side_by_side(panels));
  }
  lab::save_png(lab::stacked(rows), arguments[1]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0), argv + argc);
  if (arguments.size() < 2 || arguments.size() > 3 ||
      (arguments.size() == 3 && arguments[2] != "env" && arguments[2] != "object")) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    run(arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "render_levels: %s\n", error.what());
    return 2;
  }
}
