// SPDX-License-Identifier: Apache-2.0
// Reads the JSON of placed parts, strictly: a member that is not known would be a typing error that changes the
// meaning.
#include "assembly/parts_file.h"

#include "io/json.h"
#include "io/pose_words.h"
#include "io/suggest.h"
#include "io/text.h"

#include <tumble/error.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace tumble {
namespace {

using io::Json;

class PartsReader {
 public:
  explicit PartsReader(const io::Source& source) : source_(source) {}

  PartsFile read() {
    const Json root = io::parse_strict_json(source_, source_.bytes);
    require_members(root, "the file", {"units", "parts", "ignore"});
    PartsFile file;
    if (!root.contains("units")) fail("units", "it is missing: one of m, cm, mm, um, in and ft");
    file.units = text(root, "units", "");
    constexpr std::string_view known[] = {"m", "cm", "mm", "um", "in", "ft"};
    if (std::ranges::find(known, file.units) == std::end(known))
      fail("units", io::in_quotes(file.units) + " is none of m, cm, mm, um, in and ft");
    const Json& parts = list(root, "parts");
    if (parts.empty()) fail("parts", "there are none");
    for (std::size_t i = 0; i < parts.size(); ++i) file.parts.push_back(read_part(parts[i], i));
    if (!root.contains("ignore")) return file;
    const Json& ignore = list(root, "ignore");
    for (std::size_t i = 0; i < ignore.size(); ++i) {
      if (!ignore[i].is_array() || ignore[i].size() != 2 || !ignore[i][0].is_string() || !ignore[i][1].is_string())
        fail(entry("ignore", i), "it must be a list of two patterns for names");
      file.ignore.push_back({ignore[i][0].get<std::string>(), ignore[i][1].get<std::string>()});
      for (const std::string& pattern : file.ignore.back()) require_short(pattern, entry("ignore", i));
    }
    return file;
  }

 private:
  static std::string entry(const char* list, std::size_t i) {
    return std::string(list) + "[" + std::to_string(i) + "]";
  }

  [[noreturn]] void fail(const std::string& where, const std::string& what,
                         ErrorCode code = ErrorCode::file_format) const {
    source_.fail(where + ": " + what, code);
  }

  void require_members(const Json& object, const std::string& where,
                       std::initializer_list<std::string_view> known) const {
    if (!object.is_object()) fail(where, "it must be an object");
    for (const auto& member : object.items())
      if (std::ranges::find(known, member.key()) == known.end())
        fail(where, "the member " + io::in_quotes(member.key()) + " is not known" +
                        io::did_you_mean(member.key(), std::vector<std::string>(known.begin(), known.end())));
  }

  const Json& list(const Json& root, const char* key) const {
    if (!root.contains(key) || !root[key].is_array()) fail(key, "there must be a list of this name");
    return root[key];
  }

  /// Refuses control characters: names are for lines of text.
  std::string text(const Json& object, const char* key, const std::string& where) const {
    const std::string place = where.empty() ? key : where + ": " + key;
    if (!object.contains(key) || !object[key].is_string()) fail(place, "there must be a text of this name");
    std::string value = object[key].get<std::string>();
    if (value.empty()) fail(place, "it is empty");
    for (const char c : value)
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') fail(place, "it has a control character");
    return value;
  }

  void require_short(const std::string& name, const std::string& place) const {
    if (name.size() > longest_name)
      fail(place, io::in_quotes(name) + " is longer than " + std::to_string(longest_name) + " bytes");
  }

  void read_numbers(const Json& value, const std::string& place, std::span<double> numbers) const {
    bool good = value.is_array() && value.size() == numbers.size();
    for (std::size_t i = 0; good && i < numbers.size(); ++i) {
      good = value[i].is_number();
      numbers[i] = good ? value[i].get<double>() : 0;
      good = good && std::isfinite(numbers[i]);
    }
    if (!good) fail(place, "it must be a list of " + std::to_string(numbers.size()) + " finite numbers");
  }

  PartsFile::Entry read_part(const Json& part, std::size_t index) const {
    require_members(part, entry("parts", index), {"name", "mesh", "pose", "scale", "group", "moves"});
    PartsFile::Entry read;
    read.name = text(part, "name", entry("parts", index));
    require_short(read.name, entry("parts", index) + ": name");
    const std::string where = part_in_words(index, read.name);
    read.mesh = text(part, "mesh", where);
    if (part.contains("group")) read.group = text(part, "group", where);
    require_short(read.group, where + ": group");
    if (part.contains("pose")) read.pose = read_pose(part["pose"], where + ": pose");
    if (part.contains("scale")) read.scale = read_scale(part["scale"], where + ": scale");
    if (part.contains("moves")) {
      if (!part["moves"].is_boolean()) fail(where + ": moves", "it must be true or false");
      read.moves = part["moves"].get<bool>();
    }
    return read;
  }

  Pose read_pose(const Json& value, const std::string& place) const {
    try {
      return pose_words(value).make({}, "");
    } catch (const Error& error) {
      fail(place, error.message(), error.code());
    }
  }

  /// Numbers, a text as on a command line, or an object of its names and their numbers.
  static io::PoseWords pose_words(const Json& value) {
    io::PoseWords words;
    if (value.is_string()) {
      words.add(value.get_ref<const std::string&>(), {});
    } else if (value.is_array()) {
      for (const Json& number : value) {
        if (!number.is_number())
          refuse_pose("a list must hold numbers and nothing else, those of a matrix row after row");
        words.add(number.get<double>(), {});
      }
    } else if (value.is_object()) {
      for (const auto& [name, numbers] : value.items()) {
        words.begin(name, {});
        for (const Json& number : numbers.is_array() ? numbers : Json::array({numbers}))
          if (!add_value(number, words))
            refuse_pose(name + (name == "euler" ? ": it must be a list of axes and numbers, such as [\"XYZ\", 0, 0, 90]"
                                                : ": it must be a number or a list of numbers"));
      }
    } else {
      refuse_pose(
          "it must be a list of 12 numbers, row-major [R|t], or of 3, a translation; a text such as "
          "\"translation 0.5 0 0 yaw 90\"; or an object such as {\"translation\": [0.5, 0, 0], \"yaw\": 90}");
    }
    return words;
  }

  static bool add_value(const Json& value, io::PoseWords& words) {
    if (value.is_string()) return words.add_value(value.get_ref<const std::string&>(), {});
    if (value.is_number()) words.add(value.get<double>(), {});
    return value.is_number();
  }

  [[noreturn]] static void refuse_pose(const std::string& why) { throw Error(ErrorCode::invalid_pose, why); }

  /// One number, or one for each axis.
  Vec3 read_scale(const Json& value, const std::string& place) const {
    std::array<double, 3> scale;
    if (value.is_number())
      scale.fill(value.get<double>());
    else
      read_numbers(value, place, scale);
    for (const double s : scale)
      if (!std::isfinite(s) || s == 0) fail(place, "it must be finite and not zero");
    return {scale[0], scale[1], scale[2]};
  }

  const io::Source& source_;
};

}  // namespace

PartsFile read_parts_file(const io::Source& source) { return PartsReader(source).read(); }

std::string part_in_words(std::size_t index, const std::string& name) {
  return "parts[" + std::to_string(index) + "] " + io::in_quotes(name);
}

}  // namespace tumble
