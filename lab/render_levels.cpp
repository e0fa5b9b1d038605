// SPDX-License-Identifier: Apache-2.0
// render_levels: the bounding volumes of a scene's object level by level. By default 18-DOPs above oriented boxes,
// depths 0 to 3 of today's trees; with `klosowski`, as in Klosowski 1998, Fig. 4: binary trees of 6-, 14-, 18- and
// 26-DOPs, one line each, at levels 0, 1, 2 and 5.
#include "lab/picture.h"
#include "scenes/catalog.h"

#include <tumble/error.h>
#include <tumble/model.h>
#include <tumble/presets.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr const char* usage = "usage: render_levels SCENE OUT.png [env|object [klosowski]]\n";

struct Figure {
  std::vector<tumble::TreeOptions> trees;
  std::array<int, 4> depths;
  double zoom;
};
Figure today() { return {{{.bound = tumble::Bound::dop}, {.bound = tumble::Bound::obb}}, {0, 1, 2, 3}, 1.3}; }
Figure klosowski() {
  Figure figure{{}, {0, 1, 2, 5}, 1.1};
  for (const int k : {6, 14, 18, 26}) {
    figure.trees.push_back(tumble::presets::klosowski1998.environment);
    figure.trees.back().k = k;
  }
  return figure;
}

void run(const std::vector<std::string>& arguments) {
  using namespace tumble;
  const scenes::Scene scene = scenes::make(arguments[0]);
  const Mesh& mesh = arguments.size() > 2 && arguments[2] == "env" ? scene.env : scene.object;
  const Figure figure = arguments.size() > 3 ? klosowski() : today();
  std::vector<lab::Picture> rows;
  for (const TreeOptions& options : figure.trees) {
    const Model model(mesh, options);
    lab::View view;
    view.width = view.height = 240;
    view.zoom = figure.zoom;
    std::vector<lab::Picture> panels{lab::render({{&mesh}}, view)};
    for (const int depth : figure.depths) {
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
  if (arguments.size() < 2 || arguments.size() > 4 ||
      (arguments.size() > 2 && arguments[2] != "env" && arguments[2] != "object") ||
      (arguments.size() > 3 && arguments[3] != "klosowski")) {
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
