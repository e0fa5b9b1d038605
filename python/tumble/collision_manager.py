# SPDX-License-Identifier: Apache-2.0
"""CollisionManager: the names and answers of trimesh.collision.CollisionManager, on a World.

docs/python.md lists where answers differ on purpose: touching counts, distances of bodies in contact are 0, and
solid=True also counts a body inside another.
"""
import numpy as np

from . import _tumble

_EXTERNAL = "__external"  # what trimesh calls the object that is not in the manager


class ContactData:
    """Two faces in contact: names, point, normal and depth.

    The normal is a unit vector. It points to the manager's own object from the other one; of two objects of one
    manager, to the one whose name comes first.
    """

    def __init__(self, names, triangles, point, normal, depth):
        self.names = set(names)
        self._index = dict(zip(names, (int(triangle) for triangle in triangles)))
        self._point = np.array(point)
        self._normal = np.array(normal)
        self._depth = float(depth)

    @property
    def point(self):
        """(3,) the middle of what the two faces have in common."""
        return self._point

    @property
    def normal(self):
        """(3,) the direction in which the least translation separates the two faces."""
        return self._normal

    @property
    def depth(self):
        """The length of that translation."""
        return self._depth

    def index(self, name):
        """The face of the object with this name."""
        return self._index[name]

    def __repr__(self):
        return f"ContactData(names={sorted(self.names)}, point={self.point.tolist()}, depth={self.depth})"


class DistanceData:
    """The closest points of two objects."""

    def __init__(self, names, found):
        self.names = set(names)
        self._distance = found.distance
        self._index = dict(zip(names, (found.triangle_a, found.triangle_b)))
        self._point = dict(zip(names, (found.point_a, found.point_b)))

    @property
    def distance(self):
        """The distance; 0 if the objects are in contact."""
        return self._distance

    def index(self, name):
        """The face of the object with this name on which its closest point lies."""
        return self._index[name]

    def point(self, name):
        """(3,) the closest point of the object with this name."""
        return self._point[name]

    def __repr__(self):
        return f"DistanceData(names={sorted(self.names)}, distance={self.distance})"


def _model(mesh):
    return mesh if isinstance(mesh, _tumble.Model) else _tumble.Model(mesh)


def _pose(transform):
    if transform is None:
        return np.eye(4)
    transform = np.asanyarray(transform, dtype=np.float64)
    if transform.shape != (4, 4):
        raise ValueError("transform must have the shape (4, 4)")
    return transform


def _answer(first, *rest):
    """One value alone, several as a tuple."""
    rest = [value for wanted, value in rest if wanted]
    return (first, *rest) if rest else first


class CollisionManager:
    """A set of named meshes that are tested against each other, a mesh, or another manager.

    A mesh is anything that tumble.Model takes, or a tumble.Model, which saves building its tree again. solid: closed
    meshes are solids, and one inside another collides with it.

    >>> manager = tumble.CollisionManager()
    >>> cube = tumble.load_mesh("examples/cube.obj")
    >>> manager.add_object("left", cube)
    >>> manager.add_object("right", cube, np.array([[1, 0, 0, 1.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))
    >>> manager.in_collision_internal(return_names=True)
    (True, {('left', 'right')})
    """

    def __init__(self, *, solid=False):
        self._world = _tumble.World()
        self._solid = solid
        self._ids = {}
        self._names = {0: _EXTERNAL}

    # ---- objects

    def add_object(self, name, mesh, transform=None):
        """Adds a mesh under a name; one of the same name is replaced."""
        model, pose, known = _model(mesh), _pose(transform), name in self._ids
        added = self._world.add(model, pose)
        if known:
            self.remove_object(name)
        self._ids[name] = added
        self._names[added] = name

    def remove_object(self, name):
        """Removes an object; ValueError if there is none of that name."""
        removed = self._id(name)
        self._world.remove(removed)
        del self._ids[name], self._names[removed]

    def set_transform(self, name, transform):
        """Moves an object; ValueError if there is none of that name."""
        self._world.move(self._id(name), _pose(transform))

    def _id(self, name):
        try:
            return self._ids[name]
        except KeyError:
            raise ValueError(f"{name} not in collision manager!") from None

    # ---- collisions

    def in_collision_single(self, mesh, transform=None, return_names=False, return_data=False):
        """Does a mesh collide with any object? Then the set of their names, and a list of ContactData."""
        return self._single(_tumble.Visitor(_model(mesh), _pose(transform)), return_names, return_data)

    def _single(self, visitor, return_names, return_data):
        if not return_names and not return_data:
            return self._world.collide(solid=self._solid, visitor=visitor)
        pairs, data = self._pairs(return_data, visitor)
        names = {self._names[a or b] for a, b in pairs}
        return _answer(bool(pairs), (return_names, names), (return_data, data))

    def in_collision_internal(self, return_names=False, return_data=False):
        """Do any two objects collide? Then the set of pairs of names, each in order, and a list of ContactData."""
        if not return_names and not return_data:
            return self._world.collide(solid=self._solid)
        pairs, data = self._pairs(return_data)
        names = {tuple(sorted((self._names[a], self._names[b]))) for a, b in pairs}
        return _answer(bool(pairs), (return_names, names), (return_data, data))

    def in_collision_other(self, other_manager, return_names=False, return_data=False):
        """Do objects of two managers collide? Then the set of (own name, other's name), and a list of ContactData."""
        names, data = set(), []
        for name, visitor in other_manager._visitors():
            found = self._single(visitor, True, return_data)
            names |= {(mine, name) for mine in found[1]}
            if return_data:
                data += [_renamed(contact, name) for contact in found[2]]
            elif names and not return_names:
                break
        return _answer(bool(names), (return_names, names), (return_data, data))

    def _pairs(self, with_contacts, visitor=None):
        """The pairs of ids that collide, and their contacts if wanted."""
        if not with_contacts:
            return set(map(tuple, self._world.colliding(solid=self._solid, visitor=visitor).tolist())), []
        found = self._world.contacts(solid=self._solid, visitor=visitor)
        data = [self._contact(c) for c in found]
        return set(zip(found["a"].tolist(), found["b"].tolist())), data

    def _contact(self, found):
        """With the external object last, or in the order of names; the normal points to the first."""
        sides = [(self._names[found["a"]], found["triangle_a"]), (self._names[found["b"]], found["triangle_b"])]
        swapped = found["a"] == 0 or (found["b"] != 0 and sides[1][0] < sides[0][0])
        names, triangles = zip(*(reversed(sides) if swapped else sides))
        return ContactData(names, triangles, found["point"], -found["normal"] if swapped else found["normal"],
                           found["depth"])

    def _visitors(self):
        for name, body in self._ids.items():
            yield name, _tumble.Visitor(self._world.model(body), self._world.pose(body))

    # ---- distances

    def min_distance_single(self, mesh, transform=None, return_name=False, return_data=False):
        """How far is a mesh from the closest object? Then the name of that object, and DistanceData."""
        return self._closest(_tumble.Visitor(_model(mesh), _pose(transform)), return_name, return_data)

    def _closest(self, visitor, return_name, return_data):
        found = self._world.closest(solid=self._solid, visitor=visitor)
        if found is None:
            return _answer(np.inf, (return_name, None), (return_data, None))
        a, b, distance = found
        name = self._names[a or b]
        return _answer(distance.distance, (return_name, name),
                       (return_data, DistanceData((self._names[a], self._names[b]), distance)))

    def min_distance_internal(self, return_names=False, return_data=False):
        """How far apart are the closest two objects? Then their names, in order, and DistanceData."""
        found = self._world.closest(solid=self._solid)
        if found is None:
            return _answer(np.inf, (return_names, None), (return_data, None))
        a, b, distance = found
        names = self._names[a], self._names[b]
        return _answer(distance.distance, (return_names, tuple(sorted(names))),
                       (return_data, DistanceData(names, distance)))

    def min_distance_other(self, other_manager, return_names=False, return_data=False):
        """How far apart are two managers? Then (own name, other's name) of the closest, and DistanceData."""
        least, names, data = np.inf, None, None
        for name, visitor in other_manager._visitors():
            distance, mine, found = self._closest(visitor, True, True)
            if distance < least or names is None and mine is not None:
                least, names, data = distance, (mine, name), _renamed(found, name)
        return _answer(least, (return_names, names), (return_data, data))

    def __repr__(self):
        return f"<tumble.CollisionManager of {len(self._ids)} objects>"


def _renamed(data, name):
    """What was found for the external object, under the name it has in its own manager."""
    for by_name in (data._index, getattr(data, "_point", None)):
        if isinstance(by_name, dict) and _EXTERNAL in by_name:
            by_name[name] = by_name.pop(_EXTERNAL)
    data.names = (data.names - {_EXTERNAL}) | {name}
    return data

