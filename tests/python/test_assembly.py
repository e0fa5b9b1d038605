# SPDX-License-Identifier: Apache-2.0
"""Assemblies, clashes, robots, and what worlds take beside models; against the single questions they are made of."""
import itertools
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import tumble


def at(*translation):
    pose = np.eye(4)
    pose[:3, 3] = translation
    return pose


@st.composite
def assemblies(draw):
    """Boxes with integer corners, some of one group, at integer places."""
    size = st.tuples(*[st.integers(1, 4)] * 3)
    place = st.tuples(*[st.integers(-4, 4)] * 3)
    entries = draw(st.lists(st.tuples(size, place, st.sampled_from(["", "", "g"])), min_size=2, max_size=6))
    return [(np.array(s), np.array(p), group) for s, p, group in entries]


def expected_class(a, b, clearance):
    """Of two boxes (size, place): the first class that fits, and the gap or the overlap depth."""
    low, high = np.maximum(a[1], b[1]), np.minimum(a[1] + a[0], b[1] + b[0])
    sides = high - low
    if (a[0] == b[0]).all() and (a[1] == b[1]).all():
        return "duplicate", sides.min()
    if (sides > 0).all():
        inside = any((low == x[1]).all() and (high == x[1] + x[0]).all() for x in (a, b))
        return "contained" if inside else "piercing", sides.min()
    if (sides >= 0).all():
        return "touching", None
    gap = np.linalg.norm(np.maximum(-sides, 0))
    return "too_close" if gap <= clearance else "clear", gap


@given(assemblies())
def test_clashes_of_boxes(entries):
    parts = [tumble.PlacedPart(f"part {i}", tumble.Model(brute.box(size)), at(*place), group=group)
             for i, (size, place, group) in enumerate(entries)]
    found = tumble.clash(tumble.Assembly(parts), clearance=1.5, depth_precision=1e-3)
    rows = {(row["a"], row["b"]): row for row in found.pairs}
    assert found.finished and list(rows) == sorted(rows) and len(found) == len(found.names) == len(rows)
    clear = 0
    for i, j in itertools.combinations(range(len(entries)), 2):
        if entries[i][2] and entries[i][2] == entries[j][2]:
            assert (i, j) not in rows
            continue
        kind, size = expected_class(entries[i], entries[j], 1.5)
        clear += kind == "clear"
        assert (kind == "clear") == ((i, j) not in rows)
        if kind == "clear":
            continue
        row = rows[i, j]
        assert tumble.ClashClass(row["kind"]).name == kind and not row["not_closed"]
        if kind == "too_close":
            assert row["gap"] == pytest.approx(size) and np.isnan(row["depth_lower"]) and row["contacts"] == 0
        elif kind == "touching":
            assert np.isnan(row["gap"]) and row["contacts"] > 0
        else:
            assert row["depth_lower"] <= size + 1e-9 and row["depth_upper"] >= size - 1e-9 and np.isnan(row["gap"])
    assert found.clear == clear


def test_assemblies(cube, tmp_path):
    lid, box = tumble.PlacedPart("lid", cube, at(0, 0, 1.5)), tumble.PlacedPart("box", cube, group="case", moves=False)
    assembly = tumble.Assembly([lid, box], units="mm", ignore=[("lid", "b*")])
    assert (len(assembly), assembly.units, assembly.ignore) == (2, "mm", [["lid", "b*"]])
    assert (assembly.parts[0].pose == at(0, 0, 1.5)).all() and assembly.parts[1].group == "case"
    assert not assembly.parts[1].moves and "2 parts" in repr(assembly) and "'lid'" in repr(lid)
    assert len(tumble.clash(assembly)) == 0
    again = pickle.loads(pickle.dumps(assembly))
    assert [part.name for part in again.parts] == ["lid", "box"] and again.ignore == assembly.ignore
    assert (again.parts[0].pose == lid.pose).all() and again.parts[1].group == "case" and not again.parts[1].moves
    assert len(pickle.dumps(assembly)) < 1.5 * len(pickle.dumps(cube))  # one model, once
    tumble.save(assembly, tmp_path / "two.glb")
    loaded = tumble.load_assembly(tmp_path / "two.glb", bound="dop")
    assert [part.name for part in loaded.parts] == ["lid", "box"] and loaded.units == ""
    assert "dop" in repr(loaded.parts[0].model) and len(assembly.flatten().triangles) == 24
    (tmp_path / "PARTS.json").write_text(json.dumps({"units": "mm", "parts": [
        {"name": "<script>", "mesh": "../outside.stl"}]}))
    with pytest.raises(tumble.Error, match="outside"):
        tumble.load_assembly(tmp_path / "PARTS.json")
    tumble.save(cube, tmp_path / "cube.tmbl")
    assert tumble.load_assembly(tmp_path / "cube.tmbl").parts[0].name == "cube"
    with pytest.raises(tumble.Error, match="load_robot"):
        tumble.load_assembly("examples/arm.urdf")
    with pytest.raises(tumble.Error, match="nothing"):
        tumble.Assembly([lid], ignore=[("nothing", "lid")])
    with pytest.raises(TypeError):
        tumble.Assembly([cube])
    with pytest.raises(TypeError):
        tumble.Assembly([None])


def test_options_of_clash(cube):
    parts = [tumble.PlacedPart(name, cube, at(x, 0, 0)) for name, x in (("a", 0), ("b", 1.9), ("c", 3.95))]
    assembly = tumble.Assembly(parts)
    kinds = [tumble.ClashClass(kind).name for kind in tumble.clash(assembly).pairs["kind"]]
    assert kinds == ["piercing"] and tumble.clash(assembly).clear == 2
    assert tumble.clash(assembly, tolerance=0.2).pairs["kind"] == [tumble.ClashClass.touching]
    assert tumble.clash(assembly, clearance=0.1).names == [("a", "b"), ("b", "c")]
    assert tumble.clash(assembly, clearance=0.1, between=("b", "c")).names == [("b", "c")]
    assert tumble.clash(assembly, clearance=0.1, ignore=[([1], [2, 1])]).names == [("a", "b")]
    assert tumble.clash(assembly, ignore=[([1], [0]), ([0], [2])]).clear == 1
    assert repr(tumble.clash(assembly)) == "<tumble.Clashes: 1 piercing, 2 clear>"
    told = []
    assert tumble.clash(assembly, progress=lambda done, of: told.append((done, of))).finished
    assert told[0][0] == 0 and told[-1] == (told[-1][1],) * 2
    stopped = tumble.clash(assembly, progress=lambda done, of: False)
    assert not stopped.finished and "not finished" in repr(stopped)
    with pytest.raises(ZeroDivisionError):
        tumble.clash(assembly, progress=lambda done, of: 1 / 0)
    for wrong in ({"clearance": -1}, {"tolerance": np.nan}, {"between": ("x", "a")}, {"threads": -1},
                  {"ignore": [([0], [3])]}):
        with pytest.raises(tumble.Error):
            tumble.clash(assembly, **wrong)
    with pytest.raises(TypeError):
        tumble.clash("examples/cell.json")
    opened = tumble.PlacedPart("open", tumble.Model((cube.vertices, cube.faces[:-1])), at(0.5, 0.5, 0.5))
    assert tumble.clash(tumble.Assembly([parts[0], opened])).pairs["not_closed"].all()
    alike = [tumble.clash(assembly, clearance=0.1, threads=n).pairs.tobytes() for n in (1, 2)]
    assert alike[0] == alike[1]


def test_robots(root):
    robot = tumble.load_robot("examples/arm.urdf")
    joints = [joint.name for joint in robot.free_joints]
    assert joints == ["shoulder", "elbow"] and set(robot.links) > {joint.child for joint in robot.free_joints}
    assert robot.free_joints[0].type == tumble.JointType.revolute and robot.free_joints[0].mimics is None
    assert robot.ignored and "2 free joints" in repr(robot) and "shoulder" in repr(robot.free_joints[0])
    poses = robot.poses([0.1, 0.2])
    assert poses.shape == (len(robot.links), 4, 4) and (poses[:, 3] == [0, 0, 0, 1]).all()
    world = tumble.World()
    arm = world.add_robot(robot, name="arm/")
    post, _ = world.add_assembly(tumble.load_assembly("examples/cell.json"))
    turns = np.stack([np.full(21, 0.1), np.linspace(-2, 2, 21)], 1)
    hits = tumble.collide_configurations(world, arm, turns)
    assert hits.dtype == bool and hits.any() and not hits.all()
    for values, hit in zip(turns, hits):  # the same, one by one; and each link as a body of its own
        arm.set_joints(world, values)
        assert world.collide() == hit
        for name, id in arm.links.items():
            shapes, link = robot.shapes(name), robot.poses(values)[robot.links.index(name)]
            assert world.pose(id) == pytest.approx(link @ shapes[0][1] if len(shapes) == 1 else link)
    assert (tumble.collide_configurations(world, arm, turns, threads=1) == hits).all()
    assert post in world and arm.robot.links == robot.links
    for wrong in (turns[:, :1], turns[0], np.full((1, 2), np.nan), np.full((1, 2), 100.0)):
        with pytest.raises(tumble.Error):
            tumble.collide_configurations(world, arm, wrong)
    tumble.collide_configurations(world, arm, np.full((1, 2), 100.0), beyond_limits=True)
    with pytest.raises(TypeError):
        tumble.collide_configurations(world, arm, turns.astype(complex))
    with pytest.raises(tumble.Error, match="shape"):
        robot.poses([[0, 0]])
    with pytest.raises(tumble.Error):
        tumble.load_robot("examples/cube.obj")


def test_assemblies_in_worlds(cube):
    world = tumble.World()
    parts = [tumble.PlacedPart("a", cube), tumble.PlacedPart("b", cube, at(1, 0, 0)), tumble.PlacedPart("c", cube, at(1.5, 0, 0))]
    ids = world.add_assembly(tumble.Assembly(parts, ignore=[("a", "b")])).tolist()
    assert [world.name(id) for id in ids] == ["a", "b", "c"]
    assert world.colliding().tolist() == [[ids[0], ids[2]], [ids[1], ids[2]]]


def test_convex_bodies_and_hulls_in_worlds(cube, torus):
    hull = tumble.ConvexModel.hull_of(cube)
    world = tumble.World()
    inner, outer = world.add(hull), world.add(tumble.ConvexModel.hull_of((cube.vertices * 3, cube.faces)))
    assert world.convex(inner).vertices.tolist() == hull.vertices.tolist() and len(world.model(inner).triangles) == 12
    assert world.colliding().tolist() == [[inner, outer]]  # convex bodies are solids
    surface = world.add(tumble.Model((cube.vertices * 2, cube.faces)))
    assert world.convex(surface) is None and world.colliding().tolist() == [[inner, outer]]
    assert world.collide(visitor=tumble.Visitor(hull)) and not tumble.World().collide(visitor=tumble.Visitor(hull))
    group = world.add_group()
    assert world.convex(world.add_member(group, hull)) is not None
    for wrong in (cube.vertices, None, "cube"):
        with pytest.raises(TypeError, match="ConvexModel"):
            world.add(wrong)
    rng = np.random.default_rng(3)
    plain, hulled = tumble.World(), tumble.World(hulls=True)
    for _ in range(30):
        pose = at(*rng.uniform(-6, 6, 3))
        assert plain.add(torus, pose) == hulled.add(torus, pose)
    assert plain.colliding().tolist() == hulled.colliding().tolist() != []
    counters = hulled.hull_counters()
    assert counters.asked == counters.apart + counters.red + counters.to_trees > 0 == plain.hull_counters().asked


@settings(max_examples=10)
@given(brute.poses(3))
def test_separating_translations(torus_pose):
    torus, cube = tumble.load("examples/torus.stl"), tumble.load("examples/cube.obj")
    found = tumble.separating_translation(torus, None, cube, torus_pose, at_most=100)
    overlap = tumble.collide(torus, None, cube, torus_pose, solid=True, ignore_touch=True)
    assert found.in_contact == tumble.collide(torus, None, cube, torus_pose, solid=True)
    moved = torus_pose.copy()
    moved[:3, 3] += found.translation
    assert not tumble.collide(torus, None, cube, moved, solid=True, ignore_touch=True)
    assert (found.upper > 0) == overlap and found.lower <= found.upper
    assert np.linalg.norm(found.translation) == pytest.approx(found.upper)


def test_separating_translations_refuse(cube):
    opened = tumble.Model((cube.vertices, cube.faces[:-1]))
    with pytest.raises(tumble.Error) as refused:
        tumble.separating_translation(cube, None, opened, None)
    assert refused.value.code == "not_closed"
    with pytest.raises(tumble.Error):
        tumble.separating_translation(cube, None, cube, None, precision=-1)
