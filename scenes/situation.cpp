// SPDX-License-Identifier: Apache-2.0
// Numbers to bodies, to text and back.
#include "scenes/situation.h"

#include "scenes/shapes.h"

#include <tumble/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace tumble::scenes {
namespace {

/// 1 to 10^17 and their inverses; std::pow may be a bit off, and differently on other machines.
double power_of_ten(int exponent) {
  double power = 1;
  for (int i = std::abs(exponent); i > 0; --i) power *= 10;
  return exponent < 0 ? 1 / power : power;
}

/// From one power of ten to another, in steps of a third decade as 1, 2, 5.
double on_scale(int parameter, int from, int to) {
  const int thirds = parameter * std::abs(to - from) * 3 / 99, sign = to > from ? 1 : -1;
  const int all = from * 3 + sign * thirds, decade = all >= 0 ? all / 3 : -((2 - all) / 3);
  return power_of_ten(decade) * std::array{1.0, 2.0, 5.0}[static_cast<std::size_t>(all - 3 * decade)];
}

struct Shape {
  std::string_view name;
  Placing (*make)(int detail, int parameter);
};

std::size_t size(int n) { return static_cast<std::size_t>(n); }

/// The same body twice, a very small way apart, or none.
Placing nearly_coincident(int detail, int parameter) {
  Placing out = coincident(size(200 + 800 * detail));
  if (parameter < 99) out.pose = Pose::from_translation(Vec3{0.48, 0.59, 0.65} * on_scale(parameter, -1, -16));
  return out;
}

constexpr Shape shapes[] = {
    {"plates", [](int d, int p) { return facing_plates(on_scale(p, -1, -12), size(6 + 6 * d)); }},
    {"shaft", [](int d, int p) { return shaft_in_bore(on_scale(p, -2, -10), size(12 + 8 * d)); }},
    {"lid", [](int d, int p) { return lid_in_groove(on_scale(p, -2, -10), size(12 + 6 * d)); }},
    {"gears", [](int d, int p) { return meshed_gears(on_scale(p, -2, -10), size(1 + d / 3)); }},
    {"nut", [](int d, int p) { return nut_on_thread(on_scale(p, -2, -10), size(12 + 4 * d)); }},
    {"far", [](int d, int p) { return far_apart(3 * on_scale(p, 0, 6), size(200 + 800 * d)); }},
    {"coincident", nearly_coincident},
    {"mated", [](int d, int p) { return mated_faces(on_scale(p, -12, 0), size(6 + 6 * d)); }},
    {"bars", [](int d, int p) { return parallel_bars(on_scale(p, -1, -8), size(800 + 800 * d)); }},
    {"fans", [](int d, int) { return facing_fans(size(16 << d)); }},
    {"needles", [](int d, int p) { return crossing_needles(on_scale(p, 0, 5), size(16 + 24 * d)); }},
    {"huge", [](int d, int p) { return small_on_huge(on_scale(p, 0, 6), size(200 + 600 * d)); }},
    {"tori", [](int d, int) { return crossing_tori(size(200 + 1000 * d)); }}};

struct Member {
  int Situation::*number;
  int least, most;
};
constexpr Member members[] = {{&Situation::detail, 0, 9},        {&Situation::parameter, 0, 99},
                              {&Situation::orientation, 0, 999}, {&Situation::tilt, 0, 15},
                              {&Situation::scale, -9, 9},        {&Situation::shift, 0, 7}};

const Shape* find(std::string_view name) {
  for (const Shape& shape : shapes)
    if (shape.name == name) return &shape;
  return nullptr;
}

int drawn(Random& random, const Member& member) {
  return member.least + static_cast<int>(random.index(size(member.most - member.least + 1)));
}

}  // namespace

std::string to_text(const Situation& situation) {
  std::string text = situation.shape;
  for (const Member& member : members) {
    const int number = situation.*member.number;
    text += (number < 0 ? "-m" : "-") + std::to_string(std::abs(number));
  }
  return text;
}

Situation situation_from(std::string_view text) {
  const auto refuse = [&]() -> Error {
    return Error(ErrorCode::invalid_argument,
                 std::string("'").append(text) + "' names no situation; one is plates-5-80-12-0-m3-0");
  };
  std::vector<std::string_view> words;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find('-');
    words.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (words.size() != 1 + std::size(members) || !find(words[0])) throw refuse();
  Situation situation;
  situation.shape = words[0];
  for (std::size_t i = 0; i < std::size(members); ++i) {
    std::string_view word = words[i + 1];
    const bool negative = word.starts_with('m');
    if (negative) word.remove_prefix(1);
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || word.starts_with('-')) throw refuse();
    if (negative) number = -number;
    if (number < members[i].least || number > members[i].most) throw refuse();
    situation.*members[i].number = number;
  }
  return situation;
}

Situation random_situation(Random& random) {
  Situation situation;
  situation.shape = shapes[random.index(std::size(shapes))].name;
  for (const Member& member : members) situation.*member.number = drawn(random, member);
  if (random.index(2) == 0) situation.tilt = 0;  // half of them fit as they are made
  if (random.index(2) == 0) situation.shift = 0;
  return situation;
}

Situation mutated(Situation situation, Random& random) {
  for (std::size_t changes = 1 + random.index(2); changes > 0; --changes) {
    const Member& member = members[random.index(std::size(members))];
    int& number = situation.*member.number;
    if (random.index(4) == 0 || member.number == &Situation::orientation) {
      number = drawn(random, member);
    } else {
      const int step = member.most > 50 ? 1 + static_cast<int>(random.index(8)) : 1;
      number = std::clamp(number + (random.index(2) == 0 ? step : -step), member.least, member.most);
    }
  }
  return situation;
}

Placing place(const Situation& situation) {
  const Shape* const shape = find(situation.shape);
  if (!shape) throw Error(ErrorCode::invalid_argument, "no situation has the shape '" + situation.shape + "'");
  Placing out = shape->make(situation.detail, situation.parameter);
  const double scale = power_of_ten(situation.scale);
  out.env = scaled(std::move(out.env), scale);
  out.object = scaled(std::move(out.object), scale);
  Random random(static_cast<std::uint64_t>(situation.orientation));
  const Vec3 axis = random.direction(), away = random.direction();
  const double w = random.between(0.2, 2);
  const Pose turn =
      situation.orientation == 0 ? Pose{} : Pose::from_quaternion(w, axis.x, axis.y, axis.z, Vec3{0, 0, 0});
  const Vec3 shift = situation.shift == 0 ? Vec3{0, 0, 0} : away * (power_of_ten(situation.shift) * scale);
  const Pose common = Pose::from_translation(shift) * turn;
  const double half = situation.tilt == 0 ? 0 : 3.14159 * power_of_ten(-situation.tilt);
  const Pose tilt = Pose::from_quaternion(1, half * away.x, half * away.y, half * away.z, Vec3{0, 0, 0});
  for (Vec3& v : out.env.vertices) v = common * v;
  for (Pose* pose : {&out.pose, &out.before}) {
    std::array<double, 12> rows = pose->rows();
    for (const std::size_t i : {3u, 7u, 11u}) rows[i] *= scale;
    *pose = common * Pose::from_rows(rows) * tilt;
  }
  return out;
}

}  // namespace tumble::scenes
