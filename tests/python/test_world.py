# SPDX-License-Identifier: Apache-2.0
"""Worlds against brute force over all pairs, convex bodies against solids, first contacts against samples."""
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import tumble


@given(st.lists(st.tuples(brute.soups(4), brute.poses(5)), min_size=2, max_size=5), brute.soups(4))
def test_worlds(bodies, guest):
    world = tumble.World()
    ids = [world.add(tumble.Model(mesh), pose, name=str(i)) for i, (mesh, pose) in enumerate(bodies)]
    placed = dict(zip(ids, (brute.corners(mesh, pose) for mesh, pose in bodies)))
    placed[0] = brute.corners(guest)
    visitor = tumble.Visitor(tumble.Model(guest))
    meets = {pair: brute.meets(placed[pair[0]], placed[pair[1]]) for pair in itertools.combinations(sorted(placed), 2)}
    far = {pair: brute.distances(placed[pair[0]], placed[pair[1]]).min() for pair in meets}

    def compare(pairs, **subject):
        hitting = [pair for pair in pairs if meets[pair].any()]
        assert world.collide(**subject) == bool(hitting)
        assert [tuple(pair) for pair in world.colliding(**subject).tolist()] == hitting
        found = world.contacts(**subject)
        assert found.dtype == tumble.world_contact_dtype
        assert set(zip(*(found[name].tolist() for name in ("a", "b", "triangle_a", "triangle_b")))) == {
            (a, b, i, j) for a, b in hitting for i, j in zip(*np.nonzero(meets[a, b]))}
        distances = world.distances(**subject)
        assert list(zip(distances["a"].tolist(), distances["b"].tolist())) == pairs
        assert distances["distance"] == pytest.approx([far[pair] for pair in pairs], abs=1e-11)
        a, b, closest = world.closest(**subject)
        assert far[a, b] == pytest.approx(min(far[pair] for pair in pairs), abs=1e-11)
        assert closest.distance == pytest.approx(far[a, b], abs=1e-11)
        near = world.within(1.3, **subject)
        assert set(zip(near["a"].tolist(), near["b"].tolist())) == {p for p in pairs if far[p] <= 1.3}
        neighbours = {tuple(pair) for pair in world.neighbours(**subject).tolist()}
        assert set(hitting) <= neighbours
        outcome = world.run(tumble.ContactRequest(), node_pairs=10**6, **subject)
        assert outcome.finished
        assert [(p.a, p.b) for p in outcome.pairs if p.outcome.certainty.verdict == tumble.Verdict.colliding] == hitting

    own = list(itertools.combinations(ids, 2))
    compare(own)
    compare([pair for pair in own if ids[0] in pair], body=ids[0])
    compare([(0, i) for i in ids], visitor=visitor)


def test_bodies_and_groups(cube):
    world = tumble.World(threads=1, neighbours="sweep_and_prune", boxes="fixed", memory=1 << 20)
    shift = np.eye(4)
    shift[0, 3] = 1.5
    group = world.add_group(name="group")
    members = [world.add_member(group, cube, name="left"), world.add_member(group, cube, shift)]
    assert not world.collide()  # members are not tested against each other
    single = world.add(cube, shift, name="single", margin=0.25)
    assert world.colliding().tolist() == [[group, single]]
    assert world.members(group).tolist() == members and world.group_of(members[0]) == group
    assert world.find("single").tolist() == [single] and world.name(members[0]) == "left"
    assert (world.pose(members[1]) == shift).all() and len(world.model(single).triangles) == 12
    assert single in world and 99 not in world and len(world) == 3 and len(world.bodies()) == 3
    world.ignore(group, single)
    assert not world.collide()
    world.unignore(group, single)
    world.set_categories(single, 2, 4)
    assert not world.collide()
    world.set_categories(single, 1, 1)
    assert world.collide()
    world.set_moves(group, False)
    world.set_moves(single, False)
    assert not world.collide()
    world.set_moves(single, True)
    far = np.eye(4)
    far[0, 3] = 6
    world.set_margin(single, 1)
    world.set_pair_margin(group, single, 2)
    world.move([group, single], [np.eye(4), far])
    other = world.copy()
    assert world.step().colliding.began.tolist() == []
    far[0, 3] = 3
    world.move(single, far)
    step = world.step(contacts=True)
    assert step.colliding.began.tolist() == [[group, single]] and len(step.contacts) == len(world.contacts())
    assert world.step().colliding.persisting.tolist() == [[group, single]]
    world.remove(single)
    assert world.step().colliding.ended.tolist() == [[group, single]]
    assert not other.collide() and len(other) == 3
    with pytest.raises(tumble.Error):
        world.move(single, far)
    with pytest.raises(tumble.Error):
        world.move([group, single], [far, far])
    seen = []
    other.run(tumble.DistanceRequest(), each=lambda pair: seen.append((pair.a, pair.b)) or False)
    assert len(seen) == 1
    with pytest.raises(tumble.Error, match="callback"):
        other.run(tumble.DistanceRequest(), each=lambda pair: other.collide())
    with pytest.raises(KeyError):
        other.run(tumble.DistanceRequest(), each=lambda pair: {}[1])
    assert not other.collide()


clouds = st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=5, max_size=9, unique=True).map(np.array).filter(
    lambda p: np.linalg.matrix_rank(p - p[0]) == 3)


@given(clouds, clouds, brute.poses())
def test_convex_bodies(a, b, pose):
    hulls = [tumble.ConvexModel.hull_of((p, list(itertools.combinations(range(len(p)), 3)))) for p in (a, b)]
    assert {tuple(v) for v in hulls[0].vertices} <= {tuple(v) for v in a.astype(float)}
    pair = tumble.ConvexPair(*hulls)
    solids = hulls[0].model(), None, hulls[1].model(), pose
    expected = tumble.distance(*solids, solid=True)
    found = pair.distance(None, pose)
    assert found.distance == pytest.approx(expected.distance, abs=1e-12) and found.lower <= found.distance
    assert pair.collide(None, pose) == (expected.distance == 0) == tumble.collide(*solids, solid=True)
    # Brute force: the hulls' triangles, or a corner of one inside the other.
    corners = [brute.corners((h.vertices.astype(int), h.triangles), p) for h, p in zip(hulls, (None, pose))]
    inside = any((brute.winding(s.reshape(-1, 3)[:1], t) != 0).any() for s, t in (corners, corners[::-1])
                 if not brute.meets(*corners).any())
    assert found.distance == pytest.approx(0 if inside else brute.distances(*corners).min(), abs=1e-11)
    if found.distance > 0:
        assert np.linalg.norm(found.point_a - found.point_b) == pytest.approx(found.distance, abs=1e-12)
        assert found.feature_a[0] in ("vertex", "edge", "face") and len(found.feature_b[1]) in (1, 2, 3)
    apart = pair.separating_translation(None, pose)
    assert apart.in_contact == (found.distance == 0)
    if apart.in_contact:
        moved = pose.copy()
        moved[:3, 3] += apart.translation * (1 + 1e-6) + np.sign(apart.translation) * 1e-9
        assert not tumble.collide(*solids[:3], moved, solid=True, ignore_touch=True)
        assert np.linalg.norm(apart.translation) == pytest.approx(apart.upper) and apart.lower <= apart.upper
    assert pair.stats().questions == 3
    pair.forget()


def test_what_is_not_convex():
    two = np.concatenate([brute.box()[0], brute.box(at=(5, 0, 0))[0]])
    faces = np.concatenate([brute.box()[1], brute.box()[1] + 8])
    with pytest.raises(tumble.Error):
        tumble.ConvexModel((two, faces))
    assert len(tumble.ConvexModel.hull_of((two, faces)).vertices) == 8


@settings(max_examples=15)
@given(brute.soups(4), brute.soups(4), brute.poses(), brute.poses())
def test_first_contact(a, b, start, end):
    a, b = tumble.Model(a), tumble.Model(b)
    motion = tumble.Motion.line(start, end)
    found = tumble.first_contact(a, None, b, motion, tolerance=1e-4)
    assert found.finished
    for t in np.linspace(0, 1, 41):
        pose = motion.at(t)
        if t < found.free_until - 1e-9:
            assert not tumble.collide(a, None, b, pose)
    if found.found:
        assert tumble.distance(a, None, b, motion.at(found.time)).distance <= 1.01e-4
        assert found.initial == (found.time == 0 and tumble.collide(a, None, b, start))
        assert np.linalg.norm(found.point_a - found.point_b) == pytest.approx(found.gap, abs=1e-9)
    else:
        assert found.time == np.inf
    world = tumble.World()
    ids = world.add(a), world.add(b, start)
    first, second, in_world = tumble.first_contact_in(world, {ids[1]: motion}, tolerance=1e-4)
    assert in_world.found == found.found and in_world.time == pytest.approx(found.time, abs=1e-3)
    assert (first, second) == (ids if found.found else (0, 0))
    assert not tumble.first_contact(a, None, b, motion, node_pairs=0).finished or found.found


def test_motions(cube):
    turn = tumble.Motion.steady(None, [1, 0, 0], [0, 0, np.pi])
    assert turn.at(1)[:3, :3] == pytest.approx(np.diag([-1, -1, 1])) and turn.end == 1
    assert turn.at(1)[:3, 3] == pytest.approx([1, 0, 0])
    screw = tumble.Motion.screw(None, [0, 0, 0], [0, 0, 2], np.pi / 2, 3)
    assert screw.at(1)[:3, 3] == pytest.approx([0, 0, 3])
    path = tumble.Motion.path([turn.at(0), turn.at(0.3), turn.at(0.6)])
    assert path.end == 2 and (path.at(1) == turn.at(0.3)).all()
    assert path.top_speed(cube) > 0 and tumble.Motion().top_speed(cube) == 0
