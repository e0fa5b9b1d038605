# SPDX-License-Identifier: Apache-2.0
"""Every question about two models against brute force, one at a time, of a Pair and in batches."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
import tumble

scenes = st.tuples(brute.soups(), brute.soups(), brute.poses(), brute.poses())


def ids(found):
    return set(zip(found["triangle_a"].tolist(), found["triangle_b"].tolist()))


def where(mask):
    return set(zip(*(index.tolist() for index in np.nonzero(mask))))


@given(scenes)
def test_contacts_and_collide(scene):
    a, b, pose_a, pose_b = scene
    s, t = brute.corners(a, pose_a), brute.corners(b, pose_b)
    expected = brute.meets(s, t)
    models = tumble.Model(a), tumble.Model(b)
    asked = models[0], pose_a, models[1], pose_b
    assert tumble.collide(*asked) == expected.any()
    found = tumble.contacts(*asked)
    assert found.dtype == tumble.contact_dtype
    assert ids(found) == where(expected)
    assert sorted(ids(found)) == list(zip(found["triangle_a"].tolist(), found["triangle_b"].tolist()))
    crossing = found[found["kind"] == tumble.ContactKind.cross]
    assert ids(crossing) == where(brute.crosses(s, t))
    assert len(tumble.contacts(*asked, at_most=1)) == min(1, len(found))
    bare = tumble.contacts(*asked, geometry=False)
    assert ids(bare) == ids(found)
    for contact in found:
        outline = contact["vertices"][:contact["vertex_count"]]
        for triangle in (s[contact["triangle_a"]], t[contact["triangle_b"]]):
            assert brute.point_distances([contact["point"]], triangle[None]).max() < 1e-12
            assert brute.point_distances(outline, triangle[None]).max() < 1e-12
        assert abs(np.linalg.norm(contact["normal"]) - 1) < 1e-12
    not_touching = tumble.contacts(*asked, ignore_touch=True)
    assert set(not_touching["kind"].tolist()) <= {tumble.ContactKind.cross, tumble.ContactKind.coplanar}
    assert tumble.collide(*asked, ignore_touch=True) == (len(not_touching) > 0)


@given(scenes)
def test_distance(scene):
    a, b, pose_a, pose_b = scene
    expected = brute.distances(brute.corners(a, pose_a), brute.corners(b, pose_b))
    asked = tumble.Model(a), pose_a, tumble.Model(b), pose_b
    for found in (tumble.distance(*asked), tumble.distance(*asked, last_bit=True)):
        assert found.distance == pytest.approx(expected.min(), rel=1e-11, abs=1e-13)
        assert float(found) == found.distance
        assert expected[found.triangle_a, found.triangle_b] == pytest.approx(expected.min(), rel=1e-9, abs=1e-12)
        assert np.linalg.norm(found.point_a - found.point_b) == pytest.approx(found.distance, abs=1e-12)
        assert found.lower <= found.distance and not found.inside
    rough = tumble.distance(*asked, rel_error=0.5, abs_error=0.25).distance
    assert expected.min() - 1e-12 <= rough <= expected.min() * 1.5 + 0.25 + 1e-12
    if expected.min() > 0.1:
        assert tumble.distance(*asked, upper_bound=expected.min() * 0.99).farther
        assert not tumble.distance(*asked, upper_bound=expected.min() * 1.01).farther


@given(scenes, st.floats(0, 6))
def test_within_and_closest_pairs(scene, reach):
    a, b, pose_a, pose_b = scene
    expected = brute.distances(brute.corners(a, pose_a), brute.corners(b, pose_b))
    asked = tumble.Model(a), pose_a, tumble.Model(b), pose_b
    if (np.abs(expected[expected > 0] - reach) > 1e-9).all():
        found = tumble.within(*asked, reach)
        assert found.dtype == tumble.near_pair_dtype
        assert ids(found) == where(expected <= reach)
        for pair in found:
            assert pair["distance"] == pytest.approx(expected[pair["triangle_a"], pair["triangle_b"]], abs=1e-11)
        assert tumble.is_within(*asked, reach) == (expected <= reach).any()
        assert len(tumble.within(*asked, reach, at_most=1)) == min(1, len(found))
    limit = expected.min() * 1.25 + 0.125
    if (np.abs(expected - limit) > 1e-9).all():
        assert ids(tumble.closest_pairs(*asked, rel_error=0.25, abs_error=0.125)) == where(expected <= limit)


@given(brute.soups(), brute.soups(), st.lists(brute.poses(), min_size=0, max_size=6), brute.poses())
def test_batches_and_pairs_answer_as_single_questions(a, b, path, pose_a):
    a, b = tumble.Model(a), tumble.Model(b, bound="dop", k=18)
    poses = np.array(path).reshape(-1, 4, 4)
    single = [tumble.collide(a, pose_a, b, pose) for pose in path]
    pair = tumble.Pair(a, b, coherent="on")
    assert [pair.collide(pose_a, pose) for pose in path] == single
    for batch in (poses, poses[:, :3]):
        hits = tumble.collide_many(a, b, batch, pose_a=pose_a)
        assert hits.dtype == bool and hits.tolist() == single
    lists = tumble.contacts_many(a, b, poses, pose_a=pose_a, threads=2)
    assert len(lists) == len(path)
    for found, pose in zip(lists, path):
        assert brute.packed(found) == brute.packed(tumble.contacts(a, pose_a, b, pose)) == brute.packed(pair.contacts(pose_a, pose))
    far = tumble.distance_many(a, b, poses, pose_a=pose_a, last_bit=True)
    assert far.dtype == tumble.distance_dtype
    assert far["distance"].tolist() == [tumble.distance(a, pose_a, b, p, last_bit=True).distance for p in path]
    assert [pair.distance(pose_a, p, last_bit=True).distance for p in path] == far["distance"].tolist()
    outcomes = tumble.run_many(a, b, poses, tumble.ContactRequest(), pose_a=pose_a)
    assert [brute.packed(outcome.contacts) for outcome in outcomes] == [brute.packed(found) for found in lists]
    assert [outcome.certainty.verdict == tumble.Verdict.colliding for outcome in outcomes] == single


@given(brute.soups(), brute.soups(), brute.poses(), st.integers(1, 20))
def test_questions_in_steps(a, b, pose, step):
    expected = brute.meets(brute.corners(a), brute.corners(b, pose))
    pair = tumble.Pair(tumble.Model(a), tumble.Model(b))
    query = pair.start(None, pose, tumble.ContactRequest())
    seen = []
    while True:
        certain = query.run(node_pairs=step, each=lambda contact: seen.append(contact))
        assert ids(query.contacts()) <= where(expected)
        if certain.finished:
            break
    assert ids(query.contacts()) == where(expected) == {(c["triangle_a"], c["triangle_b"]) for c in seen}
    assert certain.verdict == (tumble.Verdict.colliding if expected.any() else tumble.Verdict.free)

    near = pair.start(None, pose, tumble.WithinRequest(2.3))
    while not near.run(node_pairs=step).finished:
        pass
    assert brute.packed(near.pairs()) == brute.packed(pair.within(None, pose, 2.3))
    with pytest.raises(tumble.Error):
        query.contacts()  # another question made it stale


def test_a_callback_ends_a_question(torus):
    pair = tumble.Pair(torus, torus)
    seen = []

    def first(contact):
        seen.append(contact)
        return False

    assert pair.start(None, None, tumble.ContactRequest()).run(node_pairs=10**9, each=first).finished
    assert len(seen) == 1
    near = []
    query = pair.start(None, None, tumble.WithinRequest(0.1))
    query.run(each=lambda found: near.append(found["distance"]) or len(near) < 3)
    assert len(near) == 3


def test_a_callback_may_raise_and_may_not_ask(cube):
    pair = tumble.Pair(cube, cube)
    with pytest.raises(ZeroDivisionError):
        pair.start(None, None, tumble.ContactRequest()).run(node_pairs=10**6, each=lambda contact: 1 / 0)
    assert pair.collide(None, None)  # and the pair goes on
    with pytest.raises(tumble.Error, match="callback"):
        pair.start(None, None, tumble.ContactRequest()).run(each=lambda contact: pair.collide(None, None))
    assert pair.collide(None, None)


def test_time_budgets(torus):
    pose = np.eye(4)
    pose[0, 3] = 0.01
    pair = tumble.Pair(torus, torus)
    query = pair.start(None, pose, tumble.ContactRequest())
    first = query.run(time=1e-6)
    assert not first.finished and first.lower <= 0 or first.verdict != tumble.Verdict.free
    while not query.run(time=1e-4).finished:
        pass
    assert brute.packed(query.contacts()) == brute.packed(pair.contacts(None, pose))
    for bad in (-1, np.nan):
        with pytest.raises(tumble.Error):
            pair.start(None, pose, tumble.ContactRequest()).run(time=bad)


box_shifts = st.tuples(*[st.integers(-3, 3)] * 3)


@given(box_shifts)
def test_solids(shift):
    """A cube of 8 and one of 2 inside, across and outside of it; a cube of 2 is at most 1 deep."""
    large, small = brute.box((8, 8, 8), (-4, -4, -4)), brute.box((2, 2, 2), (-1, -1, -1))
    pose = np.eye(4)
    pose[:3, 3] = np.array(shift) * 2
    inside = np.abs(pose[:3, 3]).max() < 3
    asked = tumble.Model(large), None, tumble.Model(small), pose
    touching = brute.meets(brute.corners(large), brute.corners(small, pose)).any()
    overlap = np.minimum(5 - np.abs(pose[:3, 3]), 2).clip(0).min()
    assert tumble.collide(*asked) == touching
    assert tumble.collide(*asked, solid=True) == (touching or inside)
    assert tumble.collide(*asked, solid=True, ignore_touch=True) == (overlap > 0)
    assert (tumble.distance(*asked, solid=True).distance == 0) == (touching or inside)
    kinds = tumble.contacts(*asked, solid=True)["kind"]
    assert (kinds == tumble.ContactKind.inside).any() == (inside and not touching)
    depth = tumble.overlap_depth(*asked, precision=1e-3)
    assert depth.lower - 1e-9 <= overlap <= depth.upper + 1e-9 and depth.upper - depth.lower <= 1e-3
    assert depth.in_contact == (touching or inside)
    deep = tumble.penetration(*asked, precision=1e-3)
    assert deep.in_contact == (touching or inside)
    points = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]) + pose[:3, 3]
    depths = (4 - np.abs(points).max(-1)).clip(0)  # of points of the small cube in the large one
    depths[13] = 0  # its middle is not on its surface
    assert deep.b_in_a.upper >= depths.max() - 1e-9
    assert deep.b_in_a.lower <= deep.b_in_a.upper <= deep.b_in_a.lower + 1e-3
    if deep.b_in_a.lower > 0:
        assert 4 - np.abs(deep.b_in_a.point).max() == pytest.approx(deep.b_in_a.lower, abs=1e-9)


def test_open_meshes_are_no_solids():
    sheet = tumble.Model(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    with pytest.raises(tumble.Error, match="closed") as raised:
        tumble.collide(sheet, None, sheet, None, solid=True)
    assert raised.value.code == "not_closed"
    with pytest.raises(tumble.Error):
        tumble.check_closed(sheet)


def test_every_option_gives_the_same_contacts(torus):
    mesh = tumble.Mesh.of(torus)
    pose = np.eye(4)
    pose[:3, 3] = 0.1
    expected = brute.packed(tumble.contacts(torus, None, torus, pose))
    for options in ({"bound": "obb"}, {"bound": "dop", "k": 6}, {"k": 26, "bound": "dop", "arity": 2, "leaf_size": 3},
                    {"split": "far_pair"}, {"split": "splatter", "pivot": "median", "axes": "coordinate"},
                    {"build": "bottom_up", "bound": "dop"}, {"threads": 1}):
        model = tumble.Model(mesh, **options)
        assert tumble.validate(model) == ""
        for pair in ({}, {"descend": "both"}, {"coherent": "off"}, {"realign": "sat_lite"}):
            assert brute.packed(tumble.Pair(model, model, **pair).contacts(None, pose)) == expected


def test_counters(torus):
    pair = tumble.Pair(torus, torus)
    pair.count(True)
    pair.collide(None, None)
    assert pair.stats().nv > 0 and "nv=" in repr(pair.stats())
    pair.reset_stats()
    assert pair.stats().nv == 0
    pair.forget()
    assert pair.a.triangles is not None and len(pair.b.faces) == len(torus.faces)
