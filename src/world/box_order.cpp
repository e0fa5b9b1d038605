// SPDX-License-Identifier: Apache-2.0
// Sorting boxes along a Hilbert curve, part by part where many of them share a cell.
#include "world/box_order.h"

#include "core/sort_by_key.h"
#include "world/box_math.h"
#include "world/hilbert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// Boxes that share a cell are sorted again by a finer grid, if there are more than this.
constexpr std::size_t few_in_a_cell = 32;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Box nothing{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
constexpr int most_bits = 10;  // of a coordinate; the three take the lower 30 bits of a key

Vec3 middle(const Box& box) { return (box.lower + box.upper) * 0.5; }

/// The exponent of a number that is not negative, counted from the least; of 0 it is 0.
int exponent(double value) { return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52); }

std::uint32_t spread(std::uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

/// Cells around points, of the shape of the boxes they are the middles of: about eight to a point if they are spread
/// evenly.
class Grid {
 public:
  Grid(const Box& around, Vec3 shape, std::size_t points) : lower_(around.lower) {
    bits_ = std::min(most_bits, 1 + (static_cast<int>(std::bit_width(points)) + 2) / 3);
    const Vec3 sides = around.upper - around.lower;
    for (int axis = 0; axis < 3; ++axis) {
      shape[axis] = std::max(shape[axis], sides[axis] * 0x1p-40);  // flat boxes have no shape
      if (shape[axis] == 0) shape[axis] = 1;
    }
    last_ = std::ldexp(1, bits_) - 1;
    const double cells = std::ldexp(1, bits_) / std::max({sides.x / shape.x, sides.y / shape.y, sides.z / shape.z});
    scale_ = {cells / shape.x, cells / shape.y, cells / shape.z};
    if (!useful()) scale_ = {};
  }
  /// False if all points are in one place.
  bool useful() const {
    const double least = std::min({scale_.x, scale_.y, scale_.z}), most = std::max({scale_.x, scale_.y, scale_.z});
    return least > 0 && most <= std::numeric_limits<double>::max();
  }
  std::uint32_t key(const Vec3& point) const {
    return hilbert_from_morton(spread(cell((point.x - lower_.x) * scale_.x)) << 2 |
                                   spread(cell((point.y - lower_.y) * scale_.y)) << 1 |
                                   spread(cell((point.z - lower_.z) * scale_.z)),
                               bits_);
  }

 private:
  std::uint32_t cell(double at) const { return static_cast<std::uint32_t>(static_cast<int>(std::min(at, last_))); }

  Vec3 lower_, scale_;
  double last_;
  int bits_;
};

}  // namespace

std::span<const Slot> BoxOrder::order(std::span<const Box> boxes, std::span<const Presence> presence) {
  items_.clear();
  Box around = nothing;
  std::array<std::int64_t, 3> exponents{}, sides{};
  for (Slot slot = 0; slot < boxes.size(); ++slot) {
    if (presence[slot] == Presence::absent) continue;
    items_.push_back({0, slot});
    const Vec3 side = boxes[slot].upper - boxes[slot].lower, at = middle(boxes[slot]);
    stretch(around, {at, at});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      exponents[axis] += exponent(side[static_cast<int>(axis)]);
      sides[axis] += side[static_cast<int>(axis)] > 0 ? 1 : 0;
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    shape_[static_cast<int>(axis)] =
        sides[axis] > 0 ? std::ldexp(1, static_cast<int>(exponents[axis] / sides[axis]) - 1023) : 0;
  const Grid grid(around, shape_, items_.size());
  for (Item& item : items_)
    item.key = (presence[item.slot] == Presence::moving ? 1U : 0U) << 31 | grid.key(middle(boxes[item.slot]));
  sort_by_key(items_, scratch_, [](const Item& item) { return std::uint64_t{item.key}; });
  if (grid.useful()) sort_shared_cells(boxes, 0, items_.size());
  order_.resize(items_.size());
  std::ranges::transform(items_, order_.begin(), &Item::slot);
  return order_;
}

/// Sorts again what shares a cell. Each time the grid is at least four times finer, so this ends where doubles do.
void BoxOrder::sort_shared_cells(std::span<const Box> boxes, std::size_t begin, std::size_t end) {
  for (std::size_t next; begin < end; begin = next) {
    for (next = begin + 1; next < end && items_[next].key == items_[begin].key;) ++next;
    if (next - begin > few_in_a_cell) sort_cell(boxes, begin, next);
  }
}

void BoxOrder::sort_cell(std::span<const Box> boxes, std::size_t begin, std::size_t end) {
  const auto from = items_.begin() + static_cast<std::ptrdiff_t>(begin);
  part_.assign(from, items_.begin() + static_cast<std::ptrdiff_t>(end));
  Box around = nothing;
  for (const Item& item : part_) {
    const Vec3 at = middle(boxes[item.slot]);
    stretch(around, {at, at});
  }
  const Grid grid(around, shape_, part_.size());
  if (!grid.useful()) return;
  for (Item& item : part_) item.key = grid.key(middle(boxes[item.slot]));
  sort_by_key(part_, scratch_, [](const Item& item) { return std::uint64_t{item.key}; });
  std::ranges::copy(part_, from);
  sort_shared_cells(boxes, begin, end);
}

}  // namespace tumble
