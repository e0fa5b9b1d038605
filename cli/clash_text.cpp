// SPDX-License-Identifier: Apache-2.0
// The text of tumble clash: what matters most comes first.
#include "cli/clash_findings.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

namespace tumble::cli {
namespace {

constexpr std::size_t longest_name = 36;
constexpr std::size_t most_rows = 40;   // of what matters
constexpr std::size_t fewer_rows = 10;  // of the rest

/// The name with its middle left out if it is too long for a column.
std::string clipped(const std::string& whole, std::size_t most = longest_name) {
  std::string text = printable(whole);
  if (letters(text) <= most) return text;
  const auto start_of = [&](std::size_t letter) {
    std::size_t at = 0;
    for (std::size_t seen = 0; at < text.size(); ++at)
      if ((text[at] & 0xc0) != 0x80 && seen++ == letter) break;
    return at;
  };
  const std::size_t kept = most - 1, front = (kept + 1) / 2;
  return text.substr(0, start_of(front)) + "…" + text.substr(start_of(letters(text) - (kept - front)));
}

/// Rows of cells below each other; the last column is as wide as it likes.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const {
    std::vector<std::size_t> width;
    for (const auto& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) {
        width.resize(std::max(width.size(), i + 1));
        width[i] = std::max(width[i], letters(row[i]));
      }
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        line += " " + row[i];
        if (i + 1 < row.size()) line.append(width[i] - letters(row[i]) + 1, ' ');
      }
      while (line.ends_with(' ')) line.pop_back();
      fmt::print("{}\n", line);
    }
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string with_unit(const std::string& value, const Parts& parts) {
  return parts.units.empty() ? value : value + " " + parts.units;
}

/// Files have all digits.
std::string depth_or_gap(const Clash& clash, const Parts& parts) {
  if (clash.depth) {
    const std::string lower = short_number(clash.depth->lower), upper = short_number(clash.depth->upper);
    return with_unit(lower == upper ? lower : lower + " to " + upper, parts) + " deep";
  }
  if (clash.gap) return with_unit(short_number(*clash.gap), parts) + " apart";
  return clash.not_closed && clash.kind == ClashClass::piercing ? "depth unknown" : "";
}

/// The worst first: by class, then the deepest, the closest, that of most contacts.
bool is_worse(const Clash& a, const Clash& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  const auto depth = [](const Clash& c) {
    return c.depth ? std::pair(c.depth->lower, c.depth->upper) : std::pair(0., 0.);
  };
  if (depth(a) != depth(b)) return depth(a) > depth(b);
  if (a.gap.value_or(0) != b.gap.value_or(0)) return a.gap.value_or(0) < b.gap.value_or(0);
  return a.contacts > b.contacts;
}

/// Without what is left of a rounding; `size` is that of the largest part.
Vec3 rounded(Vec3 p, double size) {
  for (double* x : {&p.x, &p.y, &p.z})
    if (std::abs(*x) < 1e-9 * size) *x = 0;
  return p;
}

void print_pairs(std::string_view title, std::vector<const Finding*> pairs, const ClashFindings& findings,
                 std::size_t most) {
  if (pairs.empty()) return;
  std::ranges::stable_sort(pairs, [](const Finding* a, const Finding* b) { return is_worse(a->clash, b->clash); });
  const Parts& parts = findings.parts;
  const double size = std::ranges::max(findings.facts, {}, &PartFacts::size).size;
  fmt::print("\n{}\n", title);
  Table table;
  for (std::size_t i = 0; i < std::min(pairs.size(), most); ++i) {
    const Clash& clash = pairs[i]->clash;
    table.add({name(clash.kind), clipped(parts.parts[clash.a].name), clipped(parts.parts[clash.b].name),
               depth_or_gap(clash, parts), clash.contacts ? count(clash.contacts, "contact") : "",
               "at " + point(rounded(clash.point, size))});
  }
  table.print();
  if (pairs.size() > most)
    fmt::print("  and {}; --json and --csv list all\n", count(pairs.size() - most, "other pair"));
}

void print_open(const ClashFindings& findings) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < findings.facts.size(); ++i)
    if (!findings.facts[i].closed) open.push_back(i);
  if (open.empty()) return;
  fmt::print("\nnot closed, so that nothing is known to be inside them, and no depth\n");
  Table table;
  for (std::size_t i = 0; i < std::min(open.size(), most_rows); ++i) {
    const std::size_t edges = findings.facts[open[i]].open_edges;
    table.add({clipped(findings.parts.parts[open[i]].name), edges ? count(edges, "open edge") : "no area"});
  }
  table.print();
  if (open.size() > most_rows) fmt::print("  and {}; --json lists all\n", count(open.size() - most_rows, "other part"));
}

/// Designs that fit overlap by what exporters round.
void print_hint_about_tolerance(const ClashFindings& findings) {
  std::size_t hairs = 0;
  double thickest = 0;
  for (const Finding& f : findings.pairs) {
    if (!f.fails || f.clash.kind != ClashClass::piercing || !f.clash.depth) continue;
    const double size = std::min(findings.facts[f.clash.a].size, findings.facts[f.clash.b].size);
    if (f.clash.depth->upper > 1e-5 * size) continue;
    ++hairs;
    thickest = std::max(thickest, f.clash.depth->upper);
  }
  if (hairs == 0) return;
  fmt::print(
      "\n  hint: {} by less than a hundred-thousandth of a part's size; with --tolerance {:.2g}, they only touch\n",
      hairs == 1 ? "1 pair overlaps" : fmt::format("{} pairs overlap", hairs), 1.1 * thickest);
}

/// Meshes in millimetres beside others in metres are the most common mistake with files that name no units.
void print_hint_about_sizes(const ClashFindings& findings) {
  const auto [small, large] = std::ranges::minmax_element(findings.facts, {}, &PartFacts::size);
  if (!(large->size >= 1000 * small->size)) return;
  const auto described = [&](const PartFacts& facts) {
    const std::string& part = findings.parts.parts[static_cast<std::size_t>(&facts - findings.facts.data())].name;
    return fmt::format("{} is {} across", clipped(part), with_unit(short_number(facts.size), findings.parts));
  };
  fmt::print("\n  hint: {}, {}; are both in the same units?\n", described(*large), described(*small));
}

std::string classes_in_words(const ClashFindings& findings) {
  std::string words;
  const auto counts = findings.per_class();
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i]) words += fmt::format("{} {}, ", counts[i], name(static_cast<ClashClass>(i)));
  return words + fmt::format("{} clear", findings.clear);
}

}  // namespace

void print(const ClashFindings& findings) {
  const Parts& parts = findings.parts;
  for (const std::string& input : findings.inputs) fmt::print("{}\n", printable(input));
  const std::size_t triangles =
      std::accumulate(parts.parts.begin(), parts.parts.end(), std::size_t{0},
                      [](std::size_t sum, const PlacedPart& part) { return sum + part.model.triangles().size(); });
  print_row("parts", fmt::format("{}, {}", parts.parts.size(), count(triangles, "triangle")));
  if (findings.unknown_files) print_row("left out", count(findings.unknown_files, "file") + " of other kinds");
  print_row("units", parts.units.empty() ? "not named by the files; numbers are as they are there" : parts.units);
  if (findings.deflection)
    print_row("tessellated", fmt::format("to {} mm; fits overlap by up to twice that, see --tolerance",
                                         short_number(*findings.deflection)));
  if (findings.clearance > 0) print_row("clearance", with_unit(number(findings.clearance), parts));
  if (findings.tolerance > 0) print_row("tolerance", with_unit(number(findings.tolerance), parts));

  std::vector<const Finding*> failing, harmless, known, allowed;
  for (const Finding& finding : findings.pairs)
    (finding.allowed ? allowed : finding.known ? known : finding.fails ? failing : harmless).push_back(&finding);
  print_pairs("clashes", failing, findings, most_rows);
  print_pairs("also found", harmless, findings, fewer_rows);
  print_pairs("known, in the baseline", known, findings, fewer_rows);
  print_pairs("allowed", allowed, findings, fewer_rows);
  print_open(findings);
  print_hint_about_sizes(findings);
  print_hint_about_tolerance(findings);

  fmt::print("\n");
  print_row("pairs", classes_in_words(findings));
  std::string verdict = failing.empty() ? "none" : fmt::to_string(failing.size());
  if (!known.empty()) verdict += fmt::format(", {} known", known.size());
  if (!allowed.empty()) verdict += fmt::format(", {} allowed", allowed.size());
  print_row("clashes", verdict);
}

}  // namespace tumble::cli
