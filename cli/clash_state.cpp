// SPDX-License-Identifier: Apache-2.0
// Writes and reads the state as JSON, with a sum over its pairs against damage.
#include "cli/clash_state.h"

#include "cli/json.h"
#include "cli/output.h"
#include "cli/text.h"
#include "core/checksum.h"
#include "io/json.h"
#include "io/source.h"

#include <tumble/error.h>
#include <tumble/version.h>

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tumble::cli {
namespace {

constexpr std::string_view layout = "clash-state/1";

template <class T>
std::uint64_t sum_of_bytes(std::span<const T> values) {
  Checksum sum;
  sum.add(std::as_bytes(values));
  return sum.value();
}
std::uint64_t sum_of_text(std::string_view text) { return sum_of_bytes(std::span(text.data(), text.size())); }

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json to_json(const Clash& c) {
  return Json::array({c.a, c.b, static_cast<int>(c.kind), c.not_closed, c.contacts, or_null(c.gap),
                      c.depth ? Json{c.depth->lower, c.depth->upper} : Json(), c.point.x, c.point.y, c.point.z});
}

Clash clash_of(const io::Json& j) {  // throws where it is not what was written
  Clash c{.a = j.at(0), .b = j.at(1)};
  const int kind = j.at(2);
  if (kind < 0 || kind > static_cast<int>(ClashClass::clear)) throw std::out_of_range("class");
  c.kind = static_cast<ClashClass>(kind);
  c.not_closed = j.at(3);
  c.contacts = j.at(4);
  if (!j.at(5).is_null()) c.gap = j.at(5).get<double>();
  if (!j.at(6).is_null()) c.depth = {j.at(6).at(0), j.at(6).at(1)};
  c.point = {j.at(7), j.at(8), j.at(9)};
  return c;
}

std::string hex(std::uint64_t sum) { return fmt::format("{:016x}", sum); }

/// Of a file that is some other file, too: the user's, perhaps.
constexpr const char* not_ours = "it is not unfinished work of tumble clash; give --state another file";
/// Only of a file that we wrote.
constexpr const char* begin_anew = "; remove the file to begin anew";

io::Json parsed(const io::Source& source) {
  try {
    io::Json root = io::parse_strict_json(source, source.bytes);
    if (root.is_object() && root.contains("schema") && root["schema"] == layout) return root;
  } catch (const Error&) {  // not even JSON
  }
  source.fail(not_ours);
}

}  // namespace

std::uint64_t sum_of(const Parts& parts, const ClashOptions& options) {
  std::vector<std::uint64_t> sums;
  std::map<const Triangle*, std::uint64_t> models;
  for (const PlacedPart& part : parts.parts) {
    const auto [at, is_new] = models.try_emplace(part.model.triangles().data(), 0);
    if (is_new)
      at->second = sum_of_bytes(std::span<const Vec3>(part.model.vertices())) * 31 +
                   sum_of_bytes(std::span<const Triangle>(part.model.triangles()));
    const std::array<double, 12> rows = part.pose.rows();
    sums.insert(sums.end(), {at->second, sum_of_bytes(std::span<const double>(rows)),
                             sum_of_text(one_line(Json::array({part.name, part.group})))});
  }
  const Json chosen{version(),
                    options.clearance,
                    options.tolerance,
                    options.depth_precision,
                    options.depth_budget.node_pairs,
                    options.depth_budget.time.count(),
                    or_null(options.between),
                    parts.ignore,
                    options.ignore};
  sums.push_back(sum_of_text(one_line(chosen)));
  return sum_of_bytes(std::span<const std::uint64_t>(sums));
}

ClashState::ClashState(std::string file, std::uint64_t sum, std::size_t parts, std::chrono::milliseconds between_saves)
    : file_(std::move(file)), sum_(sum), between_saves_(between_saves) {
  if (!std::filesystem::exists(file_)) {
    require_writable(file_);
    return;
  }
  const io::FileBytes contents(file_);
  const io::Source source{file_, contents.bytes(), {}};
  const io::Json root = parsed(source);
  try {
    if (root.at("work") != hex(sum_))
      source.fail(std::string("it holds unfinished work on other parts, or with other options or another tumble") +
                  begin_anew);
    if (root.at("sum") != hex(sum_of_text(root.at("pairs").dump()))) throw std::invalid_argument("sum");
    for (const io::Json& entry : root.at("pairs")) {
      const Clash clash = clash_of(entry);
      if (clash.a >= clash.b || clash.b >= parts) throw std::out_of_range("parts");
      pairs_.emplace(std::pair(clash.a, clash.b), clash);
    }
  } catch (const Error&) {
    throw;
  } catch (const std::exception&) {
    source.fail(std::string("it is not as tumble clash kept it there") + begin_anew);
  }
}

void ClashState::add(const Clash& clash) {
  pairs_.insert_or_assign({clash.a, clash.b}, clash);
  if (std::chrono::steady_clock::now() - saved_ < between_saves_) return;
  try {
    save();
  } catch (const Error& error) {
    if (!std::exchange(has_complained_, true))
      complain(
          fmt::format("{}; the work goes on, and is lost if it is interrupted before there is room", error.what()));
    saved_ = std::chrono::steady_clock::now();
  }
}

void ClashState::save() {
  Json pairs = Json::array();
  for (const auto& [key, clash] : pairs_) pairs.push_back(to_json(clash));
  Output out(file_);
  out.write(
      Json{{"schema", layout}, {"work", hex(sum_)}, {"sum", hex(sum_of_text(pairs.dump()))}, {"pairs", pairs}}.dump() +
      "\n");
  out.finish();
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace tumble::cli
