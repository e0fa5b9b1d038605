# SPDX-License-Identifier: Apache-2.0
"""What may come in as an array: odd but right ones are read, wrong ones raise a clear exception; nothing crashes."""
import copy
import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import brute
import tumble


def shifted(x):
    pose = np.eye(4)
    pose[0, 3] = x
    return pose


def variants(array):
    """The same numbers in other guises."""
    padded = np.zeros((array.shape[0] * 2, array.shape[1] * 2), array.dtype)
    padded[::2, ::2] = array
    yield padded[::2, ::2]
    yield np.asfortranarray(array)
    yield array[::-1][::-1]
    yield array.astype(array.dtype.newbyteorder(">"))
    frozen = array.copy()
    frozen.flags.writeable = False
    yield frozen
    yield array.tolist()
    unaligned = np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape)
    yield unaligned
    yield np.ma.array(array)
    if array.dtype == float:
        yield array.astype(np.float32)
        yield array.astype(np.longdouble)


@pytest.mark.parametrize("x, hit", [(1.5, True), (2.5, False)])
def test_poses_in_every_guise(cube, x, hit):
    pair = tumble.Pair(cube, cube)
    for pose in (shifted(x), shifted(x)[:3]):
        for guise in (pose, *variants(pose)):
            assert tumble.collide(cube, None, cube, guise) is hit
            assert pair.collide(guise, None) is hit
            assert tumble.collide_many(cube, cube, [guise, guise]).tolist() == [hit, hit]


def test_meshes_in_every_guise():
    vertices, faces = brute.box()
    expected = tumble.Mesh(vertices, faces)
    assert expected == tumble.Mesh(vertices.astype(float), faces.astype(np.uint8))
    for other in variants(vertices.astype(float)):
        assert tumble.Mesh(other, faces) == expected
    for other in variants(faces):
        assert tumble.Mesh(vertices, other) == expected
    likes = [(vertices, faces), SimpleNamespace(vertices=vertices, faces=faces),
             SimpleNamespace(vertices=vertices, triangles=faces),
             SimpleNamespace(points=vertices, cells_dict={"triangle": faces}), expected]
    for like in likes:
        assert tumble.Mesh.of(like) == expected
        assert len(tumble.Model(like).triangles) == 12
        assert len(tumble.ConvexModel(like).vertices) == 8
        assert tumble.summarize(like).closed and tumble.mass_properties(like).volume == 8


BAD_POSES = [
    np.eye(3), np.eye(5), np.zeros((4, 4)), np.full((4, 4), np.nan), np.eye(4) * 2, -np.eye(4), np.eye(4)[:, :3],
    np.ones(16), np.eye(4, dtype=complex), np.eye(4).astype(str), np.eye(4, dtype=object), "pose", 7, [[1, 2], [3]],
    {}, shifted(np.inf), shifted(1e200), np.zeros((0, 4)), np.eye(4, dtype=bool), np.array(None), [], object(),
    np.diag([1, 1, 1, 2.0]), np.zeros((4, 4), "M8[s]"), np.zeros((4, 4), [("x", float)]),
]


@pytest.mark.parametrize("pose", BAD_POSES, ids=range(len(BAD_POSES)))
def test_bad_poses(cube, pose):
    pair, world = tumble.Pair(cube, cube), tumble.World()
    body = world.add(cube)
    hull = tumble.ConvexModel(cube)
    for ask in (lambda: tumble.collide(cube, pose, cube, None), lambda: pair.distance(None, pose),
                lambda: tumble.contacts(cube, None, cube, pose), lambda: tumble.locate(cube, pose, [0, 0, 0]),
                lambda: world.move(body, pose), lambda: world.add(cube, pose), lambda: tumble.Motion(pose),
                lambda: tumble.Motion.line(None, pose), lambda: tumble.collide_many(cube, cube, [pose]),
                lambda: tumble.collide_many(cube, cube, [], pose_a=pose),
                lambda: tumble.ConvexPair(hull, hull).collide(pose, None), lambda: tumble.Visitor(cube, pose)):
        with pytest.raises((TypeError, ValueError)) as raised:
            ask()
        assert "Unable to" not in str(raised.value) and len(str(raised.value)) > 10
    assert pair.collide(None, None) and len(world) == 1


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_pose_that_is_not_finite_is_told_so(cube, wrong):
    poses = [np.full((4, 4), wrong), np.full((3, 4), wrong)]
    for row in range(4):
        for column in range(4):
            poses.append(np.eye(4))
            poses[-1][row, column] = wrong
    for pose in poses:
        for ask in (lambda: tumble.collide(cube, pose, cube, None), lambda: tumble.collide_many(cube, cube, [pose])):
            with pytest.raises(tumble.Error, match="finite") as raised:
                ask()
            assert raised.value.code == "invalid_pose" and "transposed" not in str(raised.value)
    with pytest.raises(tumble.Error, match="transposed"):
        tumble.collide(cube, np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [5, 6, 7, 1.0]]), cube, None)


BAD_BATCHES = [np.eye(4), np.zeros((3, 4, 4)), np.zeros((2, 5, 4)), np.full((1, 4, 4), np.nan), "x", 3, None,
               np.ones((1, 4, 4), complex), [np.eye(4), np.eye(3)]]


@pytest.mark.parametrize("poses", BAD_BATCHES, ids=range(len(BAD_BATCHES)))
def test_bad_batches(cube, poses):
    for many in (tumble.collide_many, tumble.contacts_many, tumble.distance_many):
        with pytest.raises((TypeError, ValueError)):
            many(cube, cube, poses)
    with pytest.raises((TypeError, ValueError)):
        tumble.Motion.path(poses)


def test_a_batch_names_the_pose_it_refuses(cube):
    poses = np.tile(np.eye(4), (9, 1, 1))
    poses[7, 0, 0] = 3
    with pytest.raises(tumble.Error, match=r"poses\[7\]") as raised:
        tumble.collide_many(cube, cube, poses)
    assert raised.value.code == "invalid_pose"


def test_empty_batches(cube):
    none = np.zeros((0, 4, 4))
    assert tumble.collide_many(cube, cube, none).shape == (0,)
    assert tumble.distance_many(cube, cube, none).shape == (0,)
    assert tumble.contacts_many(cube, cube, none) == []
    points = np.zeros((0, 3))
    assert tumble.locate_many(cube, None, points).shape == (0,)
    assert tumble.closest_point_many(cube, None, points).shape == (0,)
    assert tumble.signed_distance_many(cube, None, points).shape == (0,)
    assert tumble.first_hit_many(cube, None, points, directions=points).shape == (0,)
    assert tumble.all_hits_many(cube, None, points, to=points) == []
    assert tumble.contacts(cube, None, cube, shifted(9)).shape == (0,)


GOOD = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
BAD_MESHES = [
    (GOOD, [[0, 1, 3]]), (GOOD, [[0, 1, -1]]), (GOOD, [[0, 1, 2**40]]), (GOOD, [[0.0, 1.0, 2.0]]), (GOOD, [[0, 1]]),
    (GOOD, [[0, 1, 2, 0]]), (GOOD, [0, 1, 2]), ([[0, 0], [1, 0], [0, 1]], [[0, 1, 2]]), ([0, 1, 2], [[0, 1, 2]]),
    ([[np.nan, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), ([[np.inf, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
    ([[1e200, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), (np.array(GOOD, complex), [[0, 1, 2]]), ("abc", [[0, 1, 2]]),
    (GOOD, "abc"), (None, None), (GOOD, None), (np.array(GOOD, object), [[0, 1, 2]]), (GOOD, [[True, False, True]]),
    (GOOD, np.array([[0, 1, 2**63]], np.uint64)), ([], [[0, 1, 2]]),
]


@pytest.mark.parametrize("mesh", BAD_MESHES, ids=range(len(BAD_MESHES)))
def test_bad_meshes(mesh):
    for make in (tumble.Model, tumble.Mesh.of, tumble.ConvexModel, tumble.summarize, lambda m: tumble.Mesh(*m)):
        with pytest.raises((TypeError, ValueError)):
            make(mesh)


def test_meshes_without_triangles_make_no_model():
    for mesh in ((GOOD, np.zeros((0, 3), int)), (np.zeros((0, 3)), np.zeros((0, 3), int))):
        assert len(tumble.Mesh.of(mesh).faces) == 0
        with pytest.raises(tumble.Error):
            tumble.Model(mesh)


@pytest.mark.parametrize("mesh", [None, 3, "cube.obj", object(), (1, 2, 3), SimpleNamespace(vertices=GOOD),
                                  SimpleNamespace(points=GOOD, cells_dict={"quad": []})], ids=range(7))
def test_what_is_no_mesh(mesh):
    with pytest.raises((TypeError, ValueError)):
        tumble.Model(mesh)
    with pytest.raises((TypeError, ValueError)):
        tumble.CollisionManager().add_object("x", mesh)


def test_errors_carry_code_and_place():
    with pytest.raises(tumble.Error) as raised:
        tumble.Model(([[0, 0, 0], [1, 0, 0], [np.nan, 1, 0]], [[0, 1, 2]]))
    error = raised.value
    assert isinstance(error, ValueError) and error.code == "invalid_mesh" and error.vertex == 2
    assert error.file is None and "2" in str(error)
    with pytest.raises(tumble.Error) as raised:
        tumble.load("no/such/file.stl")
    assert raised.value.code == "file_access" and raised.value.file == "no/such/file.stl"
    with pytest.raises(tumble.Error, match="obb"):
        tumble.Model(brute.box(), bound="sphere")
    for options in ({"k": 7}, {"k": "x"}, {"bound": 3}, {"nonsense": 1}, {"threads": -1}, {"k": 2**70}):
        with pytest.raises((TypeError, ValueError)):
            tumble.Model(brute.box(), **options)


def test_k_asks_for_a_dop_tree(tmp_path):
    for options in ({"k": 14}, {"k": 14, "bound": "automatic"}, {"k": 14, "bound": "dop"}):
        assert tumble.statistics(tumble.Model(brute.box(), **options)).k == 14
        assert tumble.statistics(tumble.load("examples/cube.obj", **options)).k == 14
        assert tumble.statistics(tumble.load_assembly("examples/cube.obj", **options).parts[0].model).k == 14
    assert tumble.statistics(tumble.Model(brute.box())).k == 0
    with pytest.raises(tumble.Error, match="k is for dop trees, and obb was asked for"):
        tumble.Model(brute.box(), bound="obb", k=14)


numbers = hnp.arrays(st.sampled_from([np.float64, np.float32, np.int64, np.complex128, np.bool_, ">f8", ">i4", "U3"]),
                     hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5))


@given(numbers)
def test_any_array_anywhere_is_read_or_refused(array):
    cube = tumble.Model(brute.box())
    for ask in (lambda: tumble.collide(cube, array, cube, None), lambda: tumble.collide_many(cube, cube, array),
                lambda: tumble.Mesh(array, [[0, 1, 2]]), lambda: tumble.Mesh(GOOD, array),
                lambda: tumble.locate(cube, None, array), lambda: tumble.locate_many(cube, None, array),
                lambda: tumble.first_hit(cube, None, array, direction=array),
                lambda: tumble.first_hit_many(cube, None, array, to=array), lambda: tumble.Motion(array),
                lambda: tumble.Motion.path(array), lambda: tumble.World().move(array, array),
                lambda: tumble.Motion.steady(None, array, array)):
        try:
            ask()
        except (TypeError, ValueError, RuntimeError) as error:
            assert type(error) is not RuntimeError, error


def test_bad_arguments(cube):
    pair = tumble.Pair(cube, cube)
    for ask in (lambda: tumble.collide(None, None, cube, None), lambda: tumble.collide((1, 2), None, cube, None),
                lambda: tumble.distance(cube, None, cube, None, rel_error=-1),
                lambda: tumble.distance(cube, None, cube, None, rel_error=np.nan),
                lambda: tumble.distance(cube, None, cube, None, upper_bound=-1),
                lambda: tumble.within(cube, None, cube, None, -1), lambda: tumble.within(cube, None, cube, None, np.nan),
                lambda: tumble.penetration(cube, None, cube, None, precision=-1),
                lambda: tumble.contacts(cube, None, cube, None, at_most=-1),
                lambda: tumble.contacts(cube, None, cube, None, True), lambda: pair.start(None, None, None),
                lambda: pair.start(None, None, tumble.WithinRequest(-2)).run(),
                lambda: tumble.collide_many(cube, cube, [np.eye(4)], threads=-3),
                lambda: tumble.locate(cube, None, [0, 0]), lambda: tumble.locate(cube, None, [np.nan, 0, 0]),
                lambda: tumble.first_hit(cube, None, [0, 0, 0]),
                lambda: tumble.first_hit(cube, None, [0, 0, 0], direction=[1, 0, 0], to=[1, 0, 0]),
                lambda: tumble.first_hit(cube, None, [0, 0, 0], direction=[0, 0, 0]),
                lambda: tumble.first_hit(cube, None, [0, 0, 0], to=[0, 0, 0]),
                lambda: tumble.first_hit_many(cube, None, [[0, 0, 0]], directions=[[1, 0, 0]] * 2),
                lambda: tumble.closest_point(cube, None, [0, 0, 0], upper_bound=-1),
                lambda: tumble.Pair(cube, cube, coherent="maybe"), lambda: tumble.Pair(cube, None),
                lambda: tumble.World(neighbours="no"), lambda: tumble.World(boxes="no"), lambda: tumble.Motion.path([]),
                lambda: tumble.Motion().at(-1), lambda: tumble.first_contact(cube, None, cube, None, tolerance=-1),
                lambda: tumble.bounds_at_depth(cube, -1), lambda: tumble.save(cube, "x.unknown"),
                lambda: tumble.save(3, "x.obj"), lambda: tumble.load(3), lambda: tumble.World().remove(5),
                lambda: tumble.World().collide(body=1, visitor=tumble.Visitor(cube))):
        with pytest.raises((TypeError, ValueError)):
            ask()


UNMADE = """
import tumble
for kind in vars(tumble._tumble).values():
    if isinstance(kind, type) and not issubclass(kind, (int, Exception)):
        for member in dir(kind):
            for arguments in ((), (None,), (None, None)):
                try:
                    value = getattr(kind.__new__(kind), member)
                    if callable(value):
                        value(*arguments)
                except Exception:
                    pass
"""


def test_objects_that_were_never_made_are_refused(cube):
    run = subprocess.run([sys.executable, "-c", UNMADE], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    for ask in (lambda: tumble.Pair.__new__(tumble.Pair).collide(None, None),
                lambda: tumble.Model.__new__(tumble.Model).vertices,
                lambda: tumble.collide(tumble.Model.__new__(tumble.Model), None, cube, None)):
        with pytest.raises(TypeError, match="was never made"):
            ask()


def test_views_live_as_long_as_they_are_used_and_cannot_be_written():
    mesh = tumble.Mesh(*brute.box())
    model = tumble.Model(mesh)
    views = [mesh.vertices, mesh.triangles, mesh.faces, model.vertices, model.triangles,
             tumble.ConvexModel(mesh).vertices]
    copies = [view.copy() for view in views]
    del mesh, model
    for view, expected in zip(views, copies):
        assert (view == expected).all()
        with pytest.raises(ValueError):
            view[0, 0] = 7
        with pytest.raises(ValueError):
            view.resize((1, 3))


def test_a_mesh_does_not_see_later_changes():
    vertices, faces = brute.box()
    vertices = vertices.astype(float)
    mesh, before = tumble.Mesh(vertices, faces), vertices.copy()
    vertices[:] = np.nan
    assert (mesh.vertices == before).all()


def test_answers_own_their_memory(cube):
    found = tumble.contacts(cube, None, cube, shifted(0.5))
    before = found.copy()
    for _ in range(100):
        tumble.contacts(cube, None, cube, shifted(0.5))
    assert brute.packed(found) == brute.packed(before)
    assert found.flags.writeable and not found.flags.owndata  # the list itself, not a copy
    points = tumble.distance(cube, None, cube, shifted(5)).point_a
    assert points.flags.owndata


def test_reprs_help(cube, torus):
    manager = tumble.CollisionManager()
    manager.add_object("a", cube)
    for thing, words in [(cube, "12 triangles"), (tumble.Mesh.of(cube), "8 vertices"), (tumble.Pair(cube, cube), "12"),
                         (tumble.World(), "0 bodies"), (tumble.ConvexModel(cube), "8 vertices"),
                         (tumble.distance(cube, None, cube, shifted(3)), "distance=1.0"),
                         (tumble.distance(cube, None, cube, shifted(3), upper_bound=0.5), "farther"),
                         (tumble.Motion(), "rest"), (tumble.Motion.line(None, shifted(1)), "1 leg"),
                         (tumble.penetration(cube, None, cube, None), "in_contact=True"),
                         (tumble.overlap_depth(cube, None, cube, None), "lower="), (manager, "1 objects"),
                         (tumble.locate(cube, None, [0, 0, 0]), "inside"), (tumble.statistics(torus), "nodes="),
                         (tumble.closest_point(cube, None, [3, 0, 0]), "distance=2.0"),
                         (tumble.first_hit(cube, None, [3, 0, 0], to=[0, 0, 0]), "point=(1.0, 0.0, 0.0)")]:
        assert words in repr(thing) and "0x" not in repr(thing), repr(thing)


def test_pickles_and_copies(cube, torus, tmp_path):
    part = tumble.Part("lid", 0, 3)
    mesh = tumble.Mesh(*brute.box(), [part])
    hull = tumble.ConvexModel.hull_of(torus)
    model = tumble.Model(torus, bound="dop", k=14)
    for again in (pickle.loads(pickle.dumps(mesh)), copy.deepcopy(mesh)):
        assert again == mesh and again.parts == [part]
    for again in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
        assert tumble.statistics(again).k == 14 and (again.triangles == model.triangles).all()
        assert brute.packed(tumble.contacts(again, None, cube, None)) == brute.packed(tumble.contacts(model, None, cube, None))
    # A hull is made again, and may number its corners differently.
    assert sorted(pickle.loads(pickle.dumps(hull)).vertices.tolist()) == sorted(hull.vertices.tolist())

    file = tmp_path / "torus.tmbl"
    tumble.save(model, file)
    opened = tumble.load(file)
    assert opened.file == str(file) and model.file is None
    pickled = pickle.dumps(opened)
    assert len(pickled) < 500 < len(pickle.dumps(model))
    assert pickle.loads(pickled).file == str(file)
    tumble.save(cube, file)
    with pytest.raises(tumble.Error, match="checksum"):
        pickle.loads(pickled)
    file.unlink()
    with pytest.raises(tumble.Error):
        pickle.loads(pickled)
    for thing in (tumble.Pair(cube, cube), tumble.World(), tumble.Motion()):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="pickle"):
                pickle.dumps(thing, protocol)
    with pytest.raises(TypeError, match="pickle"):
        tumble.distance(cube, None, cube, None).__reduce__()


def test_files(cube, tmp_path):
    mesh = tumble.Mesh.of(cube)
    for name in ("a.obj", "a.ply", "a.stl", "a.glb"):
        for what in (mesh, cube, (mesh.vertices, mesh.faces)):
            tumble.save(what, tmp_path / name)
            again = tumble.load(str(tmp_path / name))
            assert len(again.triangles) == 12
    tumble.save(mesh, tmp_path / "a.tmbl")
    assert tumble.load(tmp_path / "a.tmbl").bytes == tumble.Model(mesh).bytes
    with pytest.raises(tumble.Error, match="options"):
        tumble.load(tmp_path / "a.tmbl", k=6)
    assembly = tumble.load_assembly(tmp_path / "a.glb")
    assert [part.pose.tolist() for part in assembly.parts] == [np.eye(4).tolist()]
    assert len(assembly) == 1 and assembly.parts[0].name and len(assembly.parts[0].model.triangles) == 12
    tumble.save(assembly, tmp_path / "b.glb")
    assert len(assembly.flatten().triangles) == len(tumble.load_mesh(tmp_path / "b.glb").triangles) == 12
    (tmp_path / "broken.stl").write_bytes(b"solid nonsense")
    with pytest.raises(tumble.Error):
        tumble.load(tmp_path / "broken.stl")


def test_names_of_any_bytes(tmp_path):
    with pytest.raises(tumble.Error) as raised:
        tumble.load("no/such/\udcff.stl")
    assert raised.value.code == "file_access" and raised.value.file == "no/such/\udcff.stl"
    assert "no/such/\udcff.stl" in str(raised.value)
    file = tmp_path / "caf\udce9.obj"
    file.write_bytes(b"o \xff\xfe\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh, name = tumble.load_mesh(file), "\udcff\udcfe"
    assert mesh.parts == [tumble.Part(name, 0, 1)] and mesh.parts[0].name == name
    assert repr(mesh.parts[0]) == "Part('\\udcff\\udcfe', 0, 1)"
    assert pickle.loads(pickle.dumps(mesh)) == mesh
    stored = tmp_path / "caf\udce9.tmbl"
    tumble.save(mesh, stored)
    model = tumble.load(stored)
    assert model.file == str(stored) and model.parts[0].name == name and "caf\\udce9" in repr(model)
    assert pickle.loads(pickle.dumps(model)).file == str(stored)
    part, = tumble.load_assembly(stored).parts
    assert part.name == "caf\udce9" and "caf\\udce9" in repr(part)
    assembly = tumble.Assembly([part, tumble.PlacedPart(name, model, group="\udc80")])
    again = pickle.loads(pickle.dumps(assembly))
    assert [(p.name, p.group) for p in again.parts] == [("caf\udce9", ""), (name, "\udc80")]
    assert tumble.clash(again).names == [("caf\udce9", name)]
    assert r"caf\ufffd" in again.show().html  # a page is UTF-8
    world = tumble.World()
    body = world.add(model, name=name)
    assert world.name(body) == name and world.find(name).tolist() == [body]


def test_what_does_not_fit_is_refused_in_one_line(cube, tmp_path):
    world = tumble.World()
    body = world.add(cube)
    poses, origin = [np.eye(4)], [[0, 0, 0]]
    for ask, words in (
            (lambda n: tumble.contacts(cube, None, cube, None, at_most=n), "at_most"),
            (lambda n: tumble.within(cube, None, cube, None, 1, at_most=n), "at_most"),
            (lambda n: tumble.ContactRequest(at_most=n), "at_most"),
            (lambda n: tumble.separating_translation(cube, None, cube, None, at_most=n), "at_most"),
            (lambda n: tumble.run_many(cube, cube, poses, tumble.CollideRequest(), node_pairs=n), "node_pairs"),
            (lambda n: tumble.clash(tumble.load_assembly("examples/cell.json"), depth_node_pairs=n), "depth_node_pairs"),
            (lambda n: tumble.collide_many(cube, cube, poses, threads=n), "threads"),
            (lambda n: tumble.locate_many(cube, None, origin, threads=n), "threads"),
            (lambda n: tumble.clash(tumble.load_assembly("examples/cell.json"), threads=n), "threads"),
            (lambda n: tumble.World(threads=n), "threads"), (lambda n: tumble.World(memory=n), "memory"),
            (lambda n: tumble.Model(brute.box(), threads=n), "threads"), (lambda n: tumble.Model(brute.box(), k=n), "k"),
            (lambda n: tumble.bounds_at_depth(cube, n), "depth"), (lambda n: world.add(cube, categories=n), "categories"),
            (lambda n: world.set_categories(body, 1, n), "cares_about"), (lambda n: world.pose(n), "there is no body"),
            (lambda n: world.collide(body=n), "there is no body"), (lambda n: tumble.Part("x", n, 5), "first_triangle"),
            (lambda n: tumble.Part("x", 1, n), "triangle_count")):
        for number in (-1, -2**70, 2**70):
            with pytest.raises(tumble.Error, match=words) as raised:
                ask(number)
            assert "\n" not in str(raised.value) and raised.value.code == "invalid_argument"
        with pytest.raises(TypeError) as raised:
            ask("many")
        assert "\n" not in str(raised.value) and "integer" in str(raised.value)
    for folder in ("/tmp", b"/tmp", tmp_path, 3):
        with pytest.raises(TypeError, match="list of folders|not iterable"):
            tumble.load_robot("examples/arm.urdf", packages=folder)
    assert tumble.load_robot("examples/arm.urdf", packages=[tmp_path, "/tmp"]).name
    for ragged in (lambda: tumble.collide(cube, [[1], [2, 3]], cube, None), lambda: tumble.locate(cube, None, [[1], [2, 3]]),
                   lambda: tumble.Model(([[1, 2], [3]], [[0, 1, 2]])), lambda: tumble.Model((GOOD, [[0, 1, 2], [0]])),
                   lambda: tumble.load_robot("examples/arm.urdf").poses([0, [1]])):
        with pytest.raises((tumble.Error, TypeError)) as raised:  # an old NumPy makes an array of objects
            ragged()
        assert "must be an array of" in str(raised.value)


def test_what_a_property_raises_is_let_through():
    class Broken:
        vertices = GOOD

        @property
        def faces(self):
            raise ZeroDivisionError("faces are computed late")

    with pytest.raises(ZeroDivisionError, match="late"):
        tumble.Model(Broken())


def test_names_that_are_none():
    for file in ("a\0b.stl", "\ud800.stl", 3, None):
        with pytest.raises((TypeError, ValueError)) as raised:
            tumble.load(file)
        assert "\n" not in str(raised.value)
    with pytest.raises(TypeError, match="a name is a string, not int"):
        tumble.Part(3, 0, 1)


def test_a_missing_numpy_is_named():
    code = "import sys; sys.modules['numpy'] = None; import tumble"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 1 and "numpy" in run.stderr.splitlines()[-1], run.stderr
