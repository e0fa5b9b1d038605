// SPDX-License-Identifier: Apache-2.0
// Plot: curves or grouped bars as an SVG file, drawn to be read as a published figure.
#pragma once

#include <string>
#include <vector>

namespace tumble::lab {

struct Axis {
  std::string title{};  // with the unit
  bool log = false;
};

struct Series {
  std::string name;
  std::vector<double> x{};  // of curves; not used by bars
  std::vector<double> y{};  // NaN, and what a log axis cannot show, leaves a gap
  int color = 0;            // the same for ours and the published one of the same thing
  bool published = false;   // dashed with hollow markers, or a pale bar
  bool markers = true;
};

struct Plot {
  std::string name, title;
  Axis x, y;
  std::vector<Series> series{};
  std::vector<std::string> categories{};  // if any: bars, one group each, with one bar per series
  bool ratios = false;                    // bars on a log axis then grow up and down from 1
};

/// Curves, or bars if there are categories. The bars' axis begins at 0, or somewhat below all if it is log.
std::string to_svg(const Plot& plot);

}  // namespace tumble::lab
