// SPDX-License-Identifier: Apache-2.0
// Reads poses in words.
#include "io/pose_words.h"

#include "io/parse_number.h"
#include "io/suggest.h"
#include "io/text.h"

#include <tumble/rotation.h>

#include <algorithm>
#include <numbers>
#include <span>

namespace tumble::io {
namespace {

constexpr std::size_t most_numbers = 16;

struct Form {
  std::string_view name;
  std::size_t numbers;
};
constexpr std::array<Form, 10> forms{{{"translation", 3},
                                      {"quaternion", 4},
                                      {"xyzw", 4},
                                      {"axis", 3},
                                      {"angle", 1},
                                      {"rpy", 3},
                                      {"roll", 1},
                                      {"pitch", 1},
                                      {"yaw", 1},
                                      {"euler", 3}}};

/// Other names people give them.
std::string_view usual(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> others{{{"t", "translation"},
                                                                                 {"xyz", "translation"},
                                                                                 {"translate", "translation"},
                                                                                 {"position", "translation"},
                                                                                 {"q", "quaternion"},
                                                                                 {"quat", "quaternion"},
                                                                                 {"wxyz", "quaternion"},
                                                                                 {"rotation", "quaternion"}}};
  for (const auto& [other, name] : others)
    if (word == other) return name;
  return word;
}

[[noreturn]] void refuse(const std::string& why, const Place& place) {
  throw Error(ErrorCode::invalid_pose, why, place);
}

/// A number, and for an angle its unit: 90, 90deg, 1.57rad; in degrees.
std::optional<double> parse_value(std::string_view word) {
  double unit = 1;
  if (word.size() > 3 && word.ends_with("deg")) {
    word.remove_suffix(3);
  } else if (word.size() > 3 && word.ends_with("rad")) {
    word.remove_suffix(3);
    unit = 180 / std::numbers::pi;
  }
  const std::optional<double> value = parse_number(word);
  return value ? std::optional(*value * unit) : std::nullopt;
}

bool is_angle(std::string_view name) {
  return name != "translation" && name != "quaternion" && name != "xyzw" && name != "axis";
}

std::string numbers_wanted(std::size_t n) { return n == 1 ? "1 number" : std::to_string(n) + " numbers"; }

/// All names, and the one that `word` may have been meant to be.
std::string all_names(std::string_view word) {
  std::vector<std::string> names;
  names.reserve(forms.size());
  std::string list;
  for (const Form& known : forms) {
    names.emplace_back(known.name);
    list.append(list.empty() ? "" : ", ").append(known.name);
  }
  return list + did_you_mean(word, names);
}

Vec3 vec(std::span<const double> numbers) { return {numbers[0], numbers[1], numbers[2]}; }

}  // namespace

void PoseWords::add(std::string_view text, const Place& place) {
  constexpr std::string_view separators = " \t\r\n,;=:()[]";
  for (std::size_t at = text.find_first_not_of(separators); at != text.npos;
       at = text.find_first_not_of(separators, at)) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (add_value(word, place)) continue;
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    const std::string_view name = usual(lower);
    if (std::ranges::find(forms, name, &Form::name) == forms.end())
      refuse(in_quotes(word) + " is not a number, nor one of " + all_names(word), place);
    begin(name, place);
  }
}

bool PoseWords::add_value(std::string_view word, const Place& place) {
  Named* const last = named_.empty() ? nullptr : &named_.back();
  if (last && last->name == "euler" && last->axes.empty()) {
    if (parse_number(word)) refuse("the axes of Euler angles come first, as three letters: euler XYZ 10 20 30", place);
    ++words_;
    last->axes = word;
    return true;
  }
  const std::optional<double> value = last && is_angle(last->name) ? parse_value(word) : parse_number(word);
  if (value) add(*value, place);
  return value.has_value();
}

void PoseWords::add(double number, const Place& place) {
  ++words_;
  std::vector<double>& numbers = named_.empty() ? bare_ : named_.back().numbers;
  if (!named_.empty() && numbers.size() == named_.back().wanted)
    refuse(named_.back().name + " takes " + numbers_wanted(named_.back().wanted) + ", and here are more", place);
  if (numbers.size() == most_numbers)
    refuse("a pose is 12 numbers, row-major [R|t], and here are more than " + std::to_string(most_numbers), place);
  numbers.push_back(number);
}

void PoseWords::begin(std::string_view name, const Place& place) {
  ++words_;
  const auto form = std::ranges::find(forms, name, &Form::name);
  if (form == forms.end()) refuse(in_quotes(name) + " is not one of " + all_names(name), place);
  if (find(name)) refuse(std::string(name) + " is there twice", place);
  named_.push_back({std::string(name), {}, {}, form->numbers});
}

const PoseWords::Named* PoseWords::find(std::string_view name) const {
  const auto found = std::ranges::find(named_, name, &Named::name);
  return found == named_.end() ? nullptr : &*found;
}

Pose PoseWords::from_names(const Place& place) const {
  for (const Named& one : named_)
    if (one.numbers.size() != one.wanted)
      refuse(one.name + " takes " + numbers_wanted(one.wanted) + ", not " + std::to_string(one.numbers.size()), place);
  const Named *translation = find("translation"), *axis = find("axis"), *angle = find("angle");
  if (translation && !bare_.empty()) refuse("its translation is there twice", place);
  if (!axis != !angle) refuse("an axis and an angle go together: axis 0 0 1 angle 90", place);
  Vec3 moved = translation ? vec(translation->numbers) : bare_.empty() ? Vec3{} : vec(bare_);
  const Named* const single[] = {find("roll"), find("pitch"), find("yaw")};
  const bool has_single = std::ranges::any_of(single, [](const Named* n) { return n != nullptr; });
  const Named *quaternion = find("quaternion"), *xyzw = find("xyzw"), *rpy = find("rpy"), *euler = find("euler");
  if ((quaternion != nullptr) + (xyzw != nullptr) + (axis != nullptr) + (rpy != nullptr) + (euler != nullptr) +
          has_single >
      1)
    refuse(
        "it turns in more than one way; give one of quaternion, xyzw, axis and angle, rpy, roll with pitch and yaw, "
        "euler",
        place);
  if (quaternion) {
    const auto& q = quaternion->numbers;
    return Pose::from_quaternion(q[0], q[1], q[2], q[3], moved);
  }
  if (xyzw) {
    const auto& q = xyzw->numbers;
    return Pose::from_quaternion(q[3], q[0], q[1], q[2], moved);
  }
  if (axis) return pose_from_axis_angle(vec(axis->numbers), angle->numbers[0], moved);
  if (euler) return pose_from_euler(euler->axes, {euler->numbers[0], euler->numbers[1], euler->numbers[2]}, moved);
  std::array<double, 3> angles{};
  for (std::size_t i = 0; i < 3; ++i) angles[i] = rpy ? rpy->numbers[i] : single[i] ? single[i]->numbers[0] : 0;
  return pose_from_euler("xyz", angles, moved);
}

Pose PoseWords::make(const Place& place, const char* hint) const {
  try {
    const std::size_t n = bare_.size();
    if (!named_.empty() && (n == 0 || n == 3)) return from_names(place);
    if (!named_.empty())
      refuse(std::to_string(n) + " numbers come before '" + named_.front().name +
                 "'; before names there can be 3, a translation",
             place);
    if (n == 3) return Pose::from_translation(vec(bare_));
    if (n == 12) return Pose::from_rows(std::span<const double, 12>(bare_));
    if (n == 16) return Pose::from_matrix(std::span<const double, 16>(bare_));
    const char* const what = n == 4   ? "; a quaternion needs its name: quaternion W X Y Z, or xyzw X Y Z W"
                             : n == 6 ? "; name angles: translation X Y Z rpy ROLL PITCH YAW, in degrees"
                             : n == 7 ? "; name the quaternion: translation X Y Z quaternion W X Y Z, or xyzw X Y Z W"
                             : n == 9 ? "; the translation is missing: each row of R ends with its number of t"
                                      : hint;
    refuse("a pose is 12 numbers, row-major [R|t], or 3, a translation, not " + std::to_string(n) + what, place);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), place);
  }
}

PoseWords::Made PoseWords::make_of_rounded(const Place& place, const char* hint) const {
  try {
    return {make(place, hint)};
  } catch (const Error&) {
    const bool is_affine =
        is_matrix() && (bare_.size() == 12 || (bare_[12] == 0 && bare_[13] == 0 && bare_[14] == 0 && bare_[15] == 1));
    if (!is_affine) throw;
  }
  try {
    return {nearest_pose(std::span(bare_).first<12>()), true};
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), place);
  }
}

}  // namespace tumble::io
