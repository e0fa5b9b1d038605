// SPDX-License-Identifier: Apache-2.0
// Scales, ticks and strokes.
#include "lab/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace tumble::lab {
namespace {

// The first eight are Okabe and Ito's (2008), told apart by the colour-blind and in print, yellow darkened.
constexpr std::array colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                            "#56b4e9", "#000000", "#8a6d3b", "#999999", "#7b3294"};
constexpr double left = 86, top = 46, plot_width = 564, plot_height = 360, right_edge = left + plot_width;
constexpr double letter = 7.2;  // the mean width of one at font size 12

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string number(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 && size < 1e12) {
    const double scale = size >= 1e9 ? 1e9 : 1e6;
    return fmt::format("{:g} {}", value / scale, scale == 1e9 ? "G" : "M");
  }
  std::string out = fmt::format("{:.6g}", value);
  if (size >= 1e3 && out.find_first_of(".e") == std::string::npos) out.insert(out.size() - 3, 1, ',');
  return out;
}

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

class Scale {
 public:
  Scale(bool log, double low, double high, double from, double to)
      : log_(log), low_(mapped(low)), high_(mapped(high)), from_(from), to_(to) {}
  bool shows(double v) const { return std::isfinite(v) && (!log_ || v > 0); }
  double operator()(double v) const { return from_ + (mapped(v) - low_) / (high_ - low_) * (to_ - from_); }

 private:
  double mapped(double v) const { return log_ ? std::log10(v) : v; }
  bool log_;
  double low_, high_, from_, to_;
};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double v, bool log) {
    if (!std::isfinite(v) || (log && v <= 0)) return;
    low = std::min(low, v), high = std::max(high, v);
  }
};

struct Ticks {
  double low = 0, high = 1;
  std::vector<double> major, minor;
};

Ticks log_ticks(Range range) {
  Ticks ticks;
  if (!(range.low <= range.high)) range = {1, 10};
  const double decades = std::log10(range.high / range.low);
  const auto down = [](double v, bool up) {  // to 1, 2 or 5 times a power of ten
    const double power = std::pow(10, std::floor(std::log10(v)));
    double best = up ? power * 10 : power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      const double at = factor * power;
      if (up && at >= v * (1 - 1e-9)) best = std::min(best, at);
      if (!up && at <= v * (1 + 1e-9)) best = std::max(best, at);
    }
    return best;
  };
  ticks.low = down(range.low, false), ticks.high = down(range.high, true);
  if (ticks.high <= ticks.low) ticks.high = ticks.low * 10;
  const double first = std::floor(std::log10(ticks.low));
  for (double power = std::pow(10, first); power <= ticks.high * 1.001; power *= 10)
    for (int factor = 1; factor < 10; ++factor) {
      const double at = power * factor;
      if (at < ticks.low * 0.999 || at > ticks.high * 1.001) continue;
      const bool labelled = factor == 1 || (decades < 3 && (factor == 2 || factor == 5));
      (labelled ? ticks.major : ticks.minor).push_back(at);
    }
  return ticks;
}

Ticks linear_ticks(Range range, bool from_zero) {
  Ticks ticks;
  if (!(range.low <= range.high)) range = {0, 1};
  if (from_zero || (range.low > 0 && range.low < 0.4 * range.high)) range.low = std::min(range.low, 0.0);
  if (range.low == range.high) range.high = range.low + 1;
  const double raw = (range.high - range.low) / 6, power = std::pow(10, std::floor(std::log10(raw)));
  const double step = (raw <= power ? 1 : raw <= 2 * power ? 2 : raw <= 5 * power ? 5 : 10) * power;
  ticks.low = std::floor(range.low / step + 1e-9) * step;
  ticks.high = std::ceil(range.high / step - 1e-9) * step;
  for (int i = 0; ticks.low + i * step <= ticks.high + step / 2; ++i) {
    const double at = ticks.low + i * step;
    ticks.major.push_back(std::abs(at) < step / 1e6 ? 0 : at);
  }
  return ticks;
}

Ticks ticks_of(const Range& range, bool log, bool bars) { return log ? log_ticks(range) : linear_ticks(range, bars); }

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {}

  std::string draw() {
    const bool bars = !plot_.categories.empty();
    Range xs, ys;
    for (const Series& s : plot_.series) {
      for (const double v : s.x) xs.add(v, plot_.x.log);
      for (const double v : s.y) ys.add(v, plot_.y.log);
    }
    const bool from_one = bars && plot_.y.log && plot_.ratios;
    if (ys.low <= ys.high) {  // nothing ends on the frame, and the lowest bar is seen
      if (from_one) ys.add(1, true);
      if (bars || plot_.y.log) ys.high *= 1.03;
      if (bars && plot_.y.log && !from_one) ys.low /= 1.5;
      if (!bars && plot_.y.log) ys.low /= 1.03;
    }
    const Ticks y = ticks_of(ys, plot_.y.log, bars);
    const Scale to_y(plot_.y.log, y.low, y.high, top + plot_height, top);
    grid(y, to_y);
    if (bars) {
      draw_bars(to_y, from_one ? 1 : y.low);
      if (from_one) line(left, to_y(1), right_edge, to_y(1), axis_style);
    } else {
      const Ticks x = ticks_of(xs, plot_.x.log, false);
      const bool markers = std::ranges::any_of(plot_.series, &Series::markers);
      const double inset = markers ? 12 : 0;  // no marker sits on the frame
      const Scale to_x(plot_.x.log, x.low, x.high, left + inset, right_edge - inset);
      for (const double at : x.minor) line(to_x(at), top + plot_height, to_x(at), top + plot_height + 4, axis_style);
      double free_from = -1e9;
      for (const double at : x.major) {
        line(to_x(at), top + plot_height, to_x(at), top + plot_height + 7, axis_style);
        const std::string label = number(at);
        const double half = static_cast<double>(label.size()) * letter / 2;
        if (to_x(at) - half < free_from) continue;
        text(to_x(at), top + plot_height + 22, label, "middle");
        free_from = to_x(at) + half + 6;
      }
      for (const Series& s : plot_.series) curve(s, to_x, to_y);
    }
    body_ += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='#333'/>\n", left, top,
                         plot_width, plot_height);
    text(left + plot_width / 2, top + plot_height + 46 + category_depth_, plot_.x.title, "middle");
    body_ += fmt::format("<text transform='translate(20 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                         top + plot_height / 2, escape(plot_.y.title));
    body_ +=
        fmt::format("<text x='{}' y='26' font-size='15' font-weight='bold'>{}</text>\n", left, escape(plot_.title));
    const double legend_end = legend();
    const double height = std::max(top + plot_height + 62 + category_depth_, legend_end + 20);
    std::size_t longest = 0;
    for (const Series& s : plot_.series) longest = std::max(longest, letters(s.name));
    const double width = std::max(right_edge + 70 + letter * static_cast<double>(longest),
                                  left + 20 + letter * 1.35 * static_cast<double>(letters(plot_.title)));
    return fmt::format(
               "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1:.0f}' viewBox='0 0 {0} {1:.0f}' "
               "font-family='DejaVu Sans, Verdana, Arial, sans-serif' font-size='12' fill='#222'>\n"
               "<title>{2}</title>\n<rect width='100%' height='100%' fill='white'/>\n",
               std::round(width), height, escape(plot_.title)) +
           body_ + "</svg>\n";
  }

 private:
  static constexpr const char* axis_style = "stroke='#333'";

  void line(double x1, double y1, double x2, double y2, const std::string& style) {
    body_ += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' {}/>\n", x1, y1, x2, y2, style);
  }

  void text(double x, double y, const std::string& words, const char* anchor) {
    body_ += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>\n", x, y, anchor, escape(words));
  }

  void grid(const Ticks& y, const Scale& to_y) {
    for (const double at : y.minor) line(left - 4, to_y(at), left, to_y(at), axis_style);
    for (const double at : y.major) {
      line(left, to_y(at), right_edge, to_y(at), "stroke='#ddd'");
      line(left - 7, to_y(at), left, to_y(at), axis_style);
      text(left - 11, to_y(at) + 4, number(at), "end");
    }
  }

  static const char* color(const Series& s) { return colors[static_cast<std::size_t>(s.color) % colors.size()]; }

  void marker(const Series& s, double x, double y) {
    const std::string fill = s.published ? "white" : color(s);
    const std::string style = fmt::format("fill='{}' stroke='{}' stroke-width='1.5'", fill, color(s));
    switch (s.color % 4) {
      case 0: body_ += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.6' {}/>\n", x, y, style); break;
      case 1:
        body_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='6.8' height='6.8' {}/>\n", x - 3.4, y - 3.4, style);
        break;
      case 2: body_ += fmt::format("<path d='M{:.1f} {:.1f}l4.4 7.6h-8.8z' {}/>\n", x, y - 4.6, style); break;
      default: body_ += fmt::format("<path d='M{:.1f} {:.1f}l4.6 4.6l-4.6 4.6l-4.6 -4.6z' {}/>\n", x, y - 4.6, style);
    }
  }

  void curve(const Series& s, const Scale& to_x, const Scale& to_y) {
    std::string path;
    bool pen_down = false;
    const std::size_t count = std::min(s.x.size(), s.y.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (!to_x.shows(s.x[i]) || !to_y.shows(s.y[i])) {
        pen_down = false;
        continue;
      }
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", to_x(s.x[i]), to_y(s.y[i]));
      pen_down = true;
    }
    body_ += fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='{}'{}/>\n", path, color(s),
                         s.markers ? "2" : "1", s.published ? " stroke-dasharray='6 4'" : "");
    for (std::size_t i = 0; s.markers && i < count; ++i)
      if (to_x.shows(s.x[i]) && to_y.shows(s.y[i])) marker(s, to_x(s.x[i]), to_y(s.y[i]));
  }

  static std::string bar_style(const Series& s) {
    return s.published
               ? fmt::format("fill='{}' fill-opacity='0.18' stroke='{}' stroke-dasharray='3 2'", color(s), color(s))
               : fmt::format("fill='{}'", color(s));
  }

  /// From `foot`, up or down.
  void draw_bars(const Scale& to_y, double foot) {
    const double group = plot_width / static_cast<double>(plot_.categories.size());
    const double bar = group * 0.84 / static_cast<double>(plot_.series.size());
    std::size_t longest = 0;
    for (const std::string& c : plot_.categories) longest = std::max(longest, c.size());
    const bool slanted = static_cast<double>(longest) * letter > group * 0.98;
    for (std::size_t c = 0; c < plot_.categories.size(); ++c) {
      const double start = left + group * (static_cast<double>(c) + 0.08);
      for (std::size_t i = 0; i < plot_.series.size(); ++i) {
        const Series& s = plot_.series[i];
        if (c >= s.y.size() || !to_y.shows(s.y[c])) continue;
        const double x = start + bar * static_cast<double>(i), end = to_y(s.y[c]), begin = to_y(foot);
        body_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' {}/>\n", x,
                             std::min(begin, end), bar * 0.94, std::abs(begin - end), bar_style(s));
      }
      const double middle = left + group * (static_cast<double>(c) + 0.5), below = top + plot_height + 20;
      if (slanted)
        body_ += fmt::format("<text transform='translate({:.1f} {:.1f}) rotate(-30)' text-anchor='end'>{}</text>\n",
                             middle + 6, below - 4, escape(plot_.categories[c]));
      else
        text(middle, below, plot_.categories[c], "middle");
    }
    if (slanted) category_depth_ = static_cast<double>(longest) * letter * 0.5;
  }

  double legend() {
    const double x = right_edge + 18;
    double y = top + 10;
    for (const Series& s : plot_.series) {
      if (plot_.categories.empty()) {
        line(x, y, x + 30, y,
             fmt::format("stroke='{}' stroke-width='2'{}", color(s), s.published ? " stroke-dasharray='6 4'" : ""));
        if (s.markers) marker(s, x + 15, y);
      } else {
        body_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='26' height='11' {}/>\n", x + 2, y - 6, bar_style(s));
      }
      text(x + 38, y + 4, s.name, "start");
      y += 20;
    }
    return y;
  }

  const Plot& plot_;
  std::string body_;
  double category_depth_ = 0;
};

}  // namespace

std::string to_svg(const Plot& plot) { return Drawing(plot).draw(); }

}  // namespace tumble::lab
