// SPDX-License-Identifier: Apache-2.0
// How far a body reaches in the units of its tree (tree/frame.h), and the widest margin with which bounds are useful.
#pragma once

namespace tumble {

/// No vertex is farther than this from its tree's origin: its coordinates are at most 1 before the frame turns it, so
/// its distance is at most √3. That also bounds every coordinate, turned or not.
inline constexpr double vertex_reach = 1.75;
static_assert(vertex_reach * vertex_reach > 3);
/// The same for |x| + |y| + |z| before the frame turns it.
inline constexpr double vertex_reach_sum = 3;

/// The same for vertices moved by a pose, which may stretch by 1e-4.
inline constexpr double moved_reach = 1.8;
static_assert(moved_reach > vertex_reach * (1 + 1e-4));

/// The same for bounds, which are rounded outward and widened: |n·x| <= tree_reach·|n| for every slab, |c| <=
/// tree_reach·√3 and half extents <= tree_reach for every box. A power of two, so that products with it are exact.
inline constexpr double tree_reach = 2;
static_assert(tree_reach > moved_reach);

/// The largest |x| + |y| + |z| where no coordinate is larger than tree_reach.
inline constexpr double tree_reach_sum = 3 * tree_reach;

/// With a margin beyond this, from roundings far from the world's origin or from the distance asked for, bounds
/// separate nothing.
inline constexpr double largest_margin = 0x1p40;

}  // namespace tumble
