# SPDX-License-Identifier: Apache-2.0
"""Brute force in NumPy, written to be obvious: every triangle against every other.

Whether triangles meet is decided in integers, so it is exact; distances are in floating point.
"""
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from numpy.lib import recfunctions


def dot(a, b):
    return (a * b).sum(-1)


def orient(a, b, c, d):
    """The sign of the volume of a tetrahedron; integers."""
    return np.sign(dot(np.cross(b - a, c - a), d - a))


def segment_meets_triangle(p, q, a, b, c):
    """Closed segments and closed triangles with area, all with integer corners."""
    above_p, above_q = orient(a, b, c, p), orient(a, b, c, q)
    through = np.stack([orient(p, q, a, b), orient(p, q, b, c), orient(p, q, c, a)], -1)
    pierces = (above_p * above_q <= 0) & ((through >= 0).all(-1) | (through <= 0).all(-1))
    flat = (above_p == 0) & (above_q == 0)
    return np.where(flat, flat_segment_meets_triangle(p, q, a, b, c), pierces)


def flat_segment_meets_triangle(p, q, a, b, c):
    """All five points in one plane: seen along the axis to which it is most perpendicular."""
    axis = np.abs(np.cross(b - a, c - a)).argmax(-1)[..., None]
    p, q, a, b, c = (np.concatenate([np.take_along_axis(x, (axis + 1) % 3, -1),
                                     np.take_along_axis(x, (axis + 2) % 3, -1)], -1)
                     for x in np.broadcast_arrays(p, q, a, b, c))

    def turn(u, v, w):
        return np.sign((v[..., 0] - u[..., 0]) * (w[..., 1] - u[..., 1]) -
                       (v[..., 1] - u[..., 1]) * (w[..., 0] - u[..., 0]))

    def inside(point):
        turns = np.stack([turn(a, b, point), turn(b, c, point), turn(c, a, point)], -1)
        return (turns >= 0).all(-1) | (turns <= 0).all(-1)

    def boxes_meet(u, v):
        return ((np.minimum(p, q) <= np.maximum(u, v)) & (np.minimum(u, v) <= np.maximum(p, q))).all(-1)

    def crosses(u, v):
        return (boxes_meet(u, v) & (turn(p, q, u) * turn(p, q, v) <= 0) & (turn(u, v, p) * turn(u, v, q) <= 0))

    return inside(p) | inside(q) | crosses(a, b) | crosses(b, c) | crosses(c, a)


def corners(mesh, pose=None):
    """(M, 3, 3) corners in the world; integers stay integers."""
    vertices, faces = mesh
    if pose is not None:
        vertices = vertices @ pose[:3, :3].T.astype(vertices.dtype) + pose[:3, 3].astype(vertices.dtype)
    return vertices[faces]


def meets(s, t):
    """(N, M): do the triangles meet?"""
    found = np.zeros((len(s), len(t)), bool)
    u, v = s[:, None], t[None]
    for i in range(3):
        found |= segment_meets_triangle(u[..., i, :], u[..., i - 1, :], *(v[..., j, :] for j in range(3)))
        found |= segment_meets_triangle(v[..., i, :], v[..., i - 1, :], *(u[..., j, :] for j in range(3)))
    return found


def normal(triangle):
    return np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])


def span(triangle, other, line):
    """Where a triangle cuts the plane of the other, along the line that both planes have in common; exact."""
    along, above = triangle @ line, (triangle - other[0]) @ normal(other)
    ends = [Fraction(int(along[i])) for i in range(3) if above[i] == 0]
    for i in range(3):
        if above[i] * above[i - 1] < 0:
            share = Fraction(int(above[i]), int(above[i] - above[i - 1]))
            ends.append(int(along[i]) + share * int(along[i - 1] - along[i]))
    return min(ends), max(ends)


def share_length(u, v):
    line = np.cross(normal(u), normal(v))
    (low_u, high_u), (low_v, high_v) = span(u, v, line), span(v, u, line)
    return max(low_u, low_v) < min(high_u, high_v)


def crosses(s, t):
    """(N, M): has each vertices strictly on both sides of the other's plane, and do they share more than a point?"""
    def both_sides(u, v):
        sides = np.stack([orient(*(v[..., j, :] for j in range(3)), u[..., i, :]) for i in range(3)], -1)
        return (sides > 0).any(-1) & (sides < 0).any(-1)

    u, v = np.broadcast_arrays(s[:, None], t[None])
    found = meets(s, t) & both_sides(u, v) & both_sides(v, u)
    for i, j in zip(*np.nonzero(found)):
        found[i, j] = share_length(s[i], t[j])
    return found


def point_on_segment(point, a, b):
    length = dot(b - a, b - a)
    at = np.clip(dot(point - a, b - a) / np.where(length == 0, 1, length), 0, 1)
    return a + at[..., None] * (b - a)


def point_on_triangle(point, a, b, c):
    """The nearest point of each triangle."""
    point, a, b, c = np.broadcast_arrays(point, a, b, c)
    normal = np.cross(b - a, c - a)
    in_plane = point - (dot(point - a, normal) / dot(normal, normal))[..., None] * normal
    over = ((dot(np.cross(b - a, in_plane - a), normal) >= 0) & (dot(np.cross(c - b, in_plane - b), normal) >= 0) &
            (dot(np.cross(a - c, in_plane - c), normal) >= 0))
    candidates = [point_on_segment(point, a, b), point_on_segment(point, b, c), point_on_segment(point, c, a)]
    distances = np.stack([np.linalg.norm(point - x, axis=-1) for x in candidates], -1)
    nearest = np.take_along_axis(np.stack(candidates, -2), distances.argmin(-1)[..., None, None], -2)[..., 0, :]
    return np.where(over[..., None], in_plane, nearest)


def point_distances(points, triangles):
    """(N, M) distances of points and triangles."""
    points, triangles = np.asarray(points, float), np.asarray(triangles, float)
    near = point_on_triangle(points[:, None], *(triangles[None, :, j] for j in range(3)))
    return np.linalg.norm(points[:, None] - near, axis=-1)


def segment_distance(p, q, a, b):
    """Of segments that do not cross: ends against segments, and the two lines' feet where both lie inside."""
    ends = [(p, a, b), (q, a, b), (a, p, q), (b, p, q)]
    least = np.minimum.reduce([np.linalg.norm(x - point_on_segment(x, u, v), axis=-1) for x, u, v in ends])
    d, e, r = q - p, b - a, p - a
    dd, ee, de, dr, er = dot(d, d), dot(e, e), dot(d, e), dot(d, r), dot(e, r)
    det = dd * ee - de * de
    safe = np.where(det == 0, 1, det)
    s, t = (de * er - ee * dr) / safe, (dd * er - de * dr) / safe
    inner = (det > 0) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    feet = np.linalg.norm(p + s[..., None] * d - a - t[..., None] * e, axis=-1)
    return np.where(inner, np.minimum(feet, least), least)


def distances(s, t):
    """(N, M) distances of triangles with integer corners."""
    touching = meets(s, t)
    s, t = s.astype(float), t.astype(float)
    least = np.full((len(s), len(t)), np.inf)
    for i in range(3):
        least = np.minimum(least, point_distances(s[:, i], t))
        least = np.minimum(least, point_distances(t[:, i], s).T)
        for j in range(3):
            least = np.minimum(least, segment_distance(s[:, None, i], s[:, None, i - 1], t[None, :, j],
                                                       t[None, :, j - 1]))
    return np.where(touching, 0, least)


def winding(points, triangles):
    """How often a closed mesh goes around each point, by solid angles (van Oosterom and Strackee 1983)."""
    r = np.asarray(triangles, float)[None] - np.asarray(points, float)[:, None, None]
    n = np.linalg.norm(r, axis=-1)
    a, b, c = (r[:, :, i] for i in range(3))
    above = dot(a, np.cross(b, c))
    below = (n.prod(-1) + dot(a, b) * n[..., 2] + dot(b, c) * n[..., 0] + dot(c, a) * n[..., 1])
    return np.rint(np.arctan2(above, below).sum(-1) / (2 * np.pi)).astype(int)


def packed(array):
    """The bytes of a structured array without those between fields, which mean nothing."""
    return recfunctions.repack_fields(array).tobytes()


# ---- meshes and poses with integer coordinates

def box(size=(2, 2, 2), at=(0, 0, 0)):
    """A closed box, as (vertices, faces), outward."""
    corners_ = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return corners_ * np.array(size) + np.array(at), np.array(faces)


@st.composite
def soups(draw, most=8):
    """Some triangles with area and small integer corners."""
    number = st.integers(-5, 5)
    triangle = st.tuples(*[st.tuples(number, number, number)] * 3).filter(
        lambda t: np.cross(np.subtract(t[1], t[0]), np.subtract(t[2], t[0])).any())
    triangles = np.array(draw(st.lists(triangle, min_size=1, max_size=most)))
    return triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3)


def quarter_turns():
    """The 24 rotations that keep integers."""
    found = []
    for permutation in np.array(np.meshgrid(*[[0, 1, 2]] * 3)).T.reshape(-1, 3):
        for signs in np.array(np.meshgrid(*[[-1, 1]] * 3)).T.reshape(-1, 3):
            matrix = np.eye(3)[permutation] * signs[:, None]
            if np.linalg.det(matrix) > 0.5:
                found.append(matrix)
    return found


@st.composite
def poses(draw, reach=8):
    pose = np.eye(4)
    pose[:3, :3] = draw(st.sampled_from(quarter_turns()))
    pose[:3, 3] = draw(st.tuples(*[st.integers(-reach, reach)] * 3))
    return pose
