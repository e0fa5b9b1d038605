# SPDX-License-Identifier: Apache-2.0
"""CollisionManager: trimesh's documented behaviour, and where we differ on purpose."""
from types import SimpleNamespace

import numpy as np
import pytest

import brute
import tumble


def at(x, y=0, z=0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


@pytest.fixture
def box():
    """As trimesh hands one over: an object with vertices and faces."""
    vertices, faces = brute.box((1, 1, 1), (0, 0, 0))
    return SimpleNamespace(vertices=vertices - 0.5, faces=faces)


@pytest.fixture
def manager(box):
    """Two boxes that overlap, and one far away."""
    manager = tumble.CollisionManager()
    manager.add_object("b", box)
    manager.add_object("a", box, at(0.75, 0.1, 0.1))
    manager.add_object("far", box, transform=at(10))
    return manager


def test_single(manager, box):
    assert manager.in_collision_single(box, transform=at(5)) is False
    assert manager.in_collision_single(box) is True
    assert manager.in_collision_single(box, at(10.3, 0.1, 0.1), return_names=True) == (True, {"far"})
    assert manager.in_collision_single(box, at(0.4, 0.05, 0.05), return_names=True) == (True, {"a", "b"})
    assert manager.in_collision_single(box, at(5), return_names=True, return_data=True) == (False, set(), [])
    hit, data = manager.in_collision_single(box, at(10.3, 0.1, 0.1), return_data=True)
    assert hit and data
    for contact in data:
        assert contact.names == {"__external", "far"}
        assert contact.point.shape == contact.normal.shape == (3,) and contact.depth >= 0
        assert np.linalg.norm(contact.normal) == pytest.approx(1)
        own = brute.corners((box.vertices + [10, 0, 0], box.faces))[contact.index("far")]
        guest = brute.corners((box.vertices + [10.3, 0.1, 0.1], box.faces))[contact.index("__external")]
        for triangle in (own, guest):
            assert brute.point_distances([contact.point], triangle[None])[0, 0] < 1e-12


def test_internal(manager):
    assert manager.in_collision_internal() is True
    hit, names, data = manager.in_collision_internal(return_names=True, return_data=True)
    assert hit is True and names == {("a", "b")}  # each pair in order
    assert {frozenset(contact.names) for contact in data} == {frozenset({"a", "b"})}
    assert all(0 <= contact.index("a") < 12 and 0 <= contact.index("b") < 12 for contact in data)
    with pytest.raises(KeyError):
        data[0].index("far")
    manager.remove_object("a")
    assert manager.in_collision_internal(return_names=True) == (False, set())


def test_other(manager, box):
    other = tumble.CollisionManager()
    other.add_object("x", box, at(10.5, 0.2, 0.2))
    other.add_object("y", box, at(50))
    assert manager.in_collision_other(other) is True
    assert manager.in_collision_other(other, return_names=True) == (True, {("far", "x")})
    assert other.in_collision_other(manager, return_names=True) == (True, {("x", "far")})
    hit, names, data = manager.in_collision_other(other, return_names=True, return_data=True)
    assert hit and names == {("far", "x")} and data[0].names == {"far", "x"} and data[0].index("x") < 12
    other.set_transform("x", at(20))
    assert manager.in_collision_other(other, return_names=True, return_data=True) == (False, set(), [])


def test_distances(manager, box):
    assert manager.min_distance_single(box, at(12)) == pytest.approx(1)
    distance, name, data = manager.min_distance_single(box, at(12), return_name=True, return_data=True)
    assert (distance, name) == (pytest.approx(1), "far") and data.distance == distance
    assert data.names == {"__external", "far"}
    assert data.point("far")[0] == pytest.approx(10.5) and data.point("__external")[0] == pytest.approx(11.5)
    assert data.index("far") < 12
    manager.remove_object("a")
    assert manager.min_distance_internal(return_names=True) == (pytest.approx(9), ("b", "far"))
    other = tumble.CollisionManager()
    other.add_object("x", box, at(-4))
    other.add_object("y", box, at(12.5))
    distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
    assert (distance, names) == (pytest.approx(1.5), ("far", "y")) and data.point("y")[0] == pytest.approx(12)
    assert manager.min_distance_other(other) == pytest.approx(1.5)


def test_objects_are_replaced_moved_and_removed(manager, box):
    manager.add_object("far", box, at(30))
    assert manager.in_collision_single(box, at(10)) is False and manager.in_collision_single(box, at(30)) is True
    manager.set_transform("far", at(40))
    assert manager.in_collision_single(box, at(30)) is False
    manager.remove_object("far")
    assert manager.in_collision_single(box, at(40)) is False
    for change in (lambda: manager.remove_object("far"), lambda: manager.set_transform("far", at(1)),
                   lambda: manager.set_transform("a", np.eye(3)), lambda: manager.add_object("x", box, np.eye(3)),
                   lambda: manager.set_transform("a", np.eye(4) * 2)):
        with pytest.raises(ValueError):
            change()


def test_an_empty_manager(box):
    manager = tumble.CollisionManager()
    assert manager.in_collision_single(box) is False and manager.in_collision_internal() is False
    assert manager.min_distance_single(box, return_name=True, return_data=True) == (np.inf, None, None)
    assert manager.min_distance_internal() == np.inf and manager.min_distance_other(manager) == np.inf


def test_we_differ_touching_counts_and_contact_is_at_distance_zero(box):
    manager = tumble.CollisionManager()
    manager.add_object("a", box)
    assert manager.in_collision_single(box, at(1)) is True  # flush: exact, not a matter of rounding
    assert manager.in_collision_single(box, at(1 + 2**-52)) is False
    assert manager.min_distance_single(box, at(0.5)) == 0  # never negative


def test_we_differ_containment_is_a_choice(box):
    large = SimpleNamespace(vertices=box.vertices * 4, faces=box.faces)
    for solid in (False, True):
        manager = tumble.CollisionManager(solid=solid)
        manager.add_object("large", large)
        assert manager.in_collision_single(box) is solid
        assert manager.in_collision_single(box, return_names=True, return_data=True)[0] is solid
        assert (manager.min_distance_single(box) == 0) is solid


def test_normals_point_to_the_own_object_or_the_first_name(cube):
    small = tumble.Model((cube.vertices / 2, cube.triangles))
    beside = np.array([[1, 0, 0, 1.4], [0, 1, 0, 0.1], [0, 0, 1, 0.2], [0, 0, 0, 1]])

    def normals(found):
        return [contact.normal[0] for contact in found[-1] if abs(contact.normal[0]) > 0.5]

    own, other = tumble.CollisionManager(), tumble.CollisionManager()
    own.add_object("a", cube)
    other.add_object("b", small, beside)
    for found in (own.in_collision_other(other, return_data=True), own.in_collision_single(small, beside, return_data=True)):
        assert normals(found) and max(normals(found)) < 0
    own.add_object("b", small, beside)
    for _ in range(2):
        assert max(normals(own.in_collision_internal(return_data=True))) < 0
        own.add_object("a", cube)  # again, under a later id


def test_a_name_that_cannot_be_one_adds_nothing(cube):
    manager = tumble.CollisionManager()
    with pytest.raises(TypeError):
        manager.add_object(["b"], cube)
    manager.add_object("a", cube)
    assert not manager.in_collision_internal()
