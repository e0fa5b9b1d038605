# SPDX-License-Identifier: Apache-2.0
"""Points and rays against brute force."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
import tumble

points = st.lists(st.tuples(*[st.integers(-7, 7)] * 3), min_size=1, max_size=6).map(np.array)


@given(brute.soups(), brute.poses(), points)
def test_closest_points(mesh, pose, asked):
    model, expected = tumble.Model(mesh), brute.point_distances(asked, brute.corners(mesh, pose))
    many = tumble.closest_point_many(model, pose, asked)
    assert many.dtype == tumble.closest_point_dtype and many["found"].all()
    near = tumble.closest_point_many(model, pose, asked, upper_bound=2.2)
    for i, point in enumerate(asked):
        found = tumble.closest_point(model, pose, point)
        assert found.distance == pytest.approx(expected[i].min(), abs=1e-12)
        assert expected[i, found.triangle] == pytest.approx(expected[i].min(), abs=1e-12)
        assert np.linalg.norm(found.point - point) == pytest.approx(found.distance, abs=1e-12)
        assert (many["distance"][i], many["triangle"][i]) == (found.distance, found.triangle)
        assert (many["point"][i] == found.point).all()
        if abs(expected[i].min() - 2.2) > 1e-9:
            assert near["found"][i] == (expected[i].min() < 2.2)
            assert (tumble.closest_point(model, pose, point, upper_bound=2.2) is None) == (expected[i].min() > 2.2)


def closed_mesh():
    """A box with a box-shaped cavity, and another box beside it."""
    parts = [brute.box((6, 6, 6), (-3, -3, -3)), brute.box((2, 2, 2), (-1, -1, -1)), brute.box((2, 3, 2), (5, 0, 0))]
    vertices, faces, first = [], [], 0
    for i, (v, f) in enumerate(parts):
        vertices.append(v)
        faces.append((f[:, ::-1] if i == 1 else f) + first)
        first += len(v)
    return np.concatenate(vertices), np.concatenate(faces)


@given(brute.poses(), points)
def test_sides_and_signed_distances(pose, asked):
    mesh = closed_mesh()
    model, triangles = tumble.Model(mesh), brute.corners(mesh, pose)
    far = brute.point_distances(asked, triangles).min(1)
    outside, on_surface, inside = tumble.Side.outside, tumble.Side.on_surface, tumble.Side.inside
    with np.errstate(all="ignore"):
        turns = brute.winding(asked, triangles)
    expected = [on_surface if d == 0 else inside if w else outside for d, w in zip(far, turns)]
    assert tumble.locate_many(model, pose, asked).tolist() == expected
    assert [tumble.locate(model, pose, point) for point in asked] == expected
    signed = tumble.signed_distance_many(model, pose, asked)
    assert signed["side"].tolist() == expected
    sign = np.array([{outside: 1, on_surface: 0, inside: -1}[side] for side in expected])
    assert signed["distance"] == pytest.approx(sign * far, abs=1e-12)
    one = tumble.signed_distance(model, pose, asked[0])
    assert (float(one), one.side, one.triangle) == (signed["distance"][0], expected[0], signed["triangle"][0])


@given(brute.soups(), brute.poses(), points, st.tuples(*[st.integers(-4, 4)] * 3).filter(any))
def test_rays_and_segments(mesh, pose, origins, direction):
    model, triangles = tumble.Model(mesh), brute.corners(mesh, pose)
    direction = np.array(direction)
    directions = np.tile(direction, (len(origins), 1))
    for far, asked in ((100, {"direction": direction}), (3, {"to": None})):
        ends = origins + far * direction
        hits = np.stack([brute.segment_meets_triangle(p[None], q[None], *(triangles[:, j] for j in range(3)))
                         for p, q in zip(origins, ends)])
        if "to" in asked:
            many = tumble.first_hit_many(model, pose, origins, to=ends)
            lists = tumble.all_hits_many(model, pose, origins, to=ends)
        else:
            many = tumble.first_hit_many(model, pose, origins, directions=directions)
            lists = tumble.all_hits_many(model, pose, origins, directions=directions)
        assert many["found"].tolist() == hits.any(1).tolist()
        for i, origin in enumerate(origins):
            if "to" in asked:
                asked = {"to": ends[i]}
            found = tumble.all_hits(model, pose, origin, **asked)
            assert sorted(found["triangle"].tolist()) == np.nonzero(hits[i])[0].tolist()
            assert brute.packed(found) == brute.packed(lists[i])
            assert (np.diff(found["t"]) >= 0).all()
            way = (ends[i] - origin) if "to" in asked else direction
            for hit in found:
                assert hit["point"] == pytest.approx(origin + hit["t"] * way, abs=1e-9)
                assert brute.point_distances([hit["point"]], triangles[hit["triangle"]][None])[0, 0] < 1e-9
            first = tumble.first_hit(model, pose, origin, **asked)
            assert (first is None) == (len(found) == 0)
            if first is not None:
                assert (first.t, first.triangle) == (found["t"][0], found["triangle"][0]) == (many["t"][i],
                                                                                               many["triangle"][i])


def test_mass_properties_against_sums():
    vertices, faces = mesh = closed_mesh()
    a, b, c = (vertices[faces][:, j].astype(float) for j in range(3))
    six = brute.dot(a, np.cross(b, c))
    found = tumble.mass_properties(mesh)
    assert found.volume == pytest.approx(six.sum() / 6) == pytest.approx(216 - 8 + 12)
    assert found.centre == pytest.approx((six[:, None] * (a + b + c)).sum(0) / 24 / found.volume)
    assert found.inertia.shape == (3, 3) and (found.inertia == found.inertia.T).all()
    box = tumble.mass_properties(brute.box((2, 4, 6)))
    assert np.diag(box.inertia) == pytest.approx(48 / 12 * np.array([16 + 36, 4 + 36, 4 + 16]))


def test_what_is_missing_is_no_triangle(cube):
    hits = tumble.first_hit_many(cube, None, [[3, 9, 9]], directions=[[-1, 0, 0]])
    assert hits["triangle"].tolist() == [-1] and np.isinf(hits["t"]).all()
    points = tumble.closest_point_many(cube, None, [[9, 9, 9]], upper_bound=1)
    assert points["triangle"].tolist() == [-1] and np.isinf(points["distance"]).all()
