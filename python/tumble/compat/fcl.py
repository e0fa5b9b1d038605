# SPDX-License-Identifier: Apache-2.0
"""The names of python-fcl that people use for meshes: `import tumble.compat.fcl as fcl`.

docs/python.md lists where answers differ on purpose. Shapes other than BVHModel, and the managers, are not here.
"""
import numpy as np

from .. import _tumble


class GJKSolverType:
    GST_LIBCCD, GST_INDEP = range(2)


class CCDMotionType:
    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class CollisionGeometry:
    """What a CollisionObject places."""


class BVHModel(CollisionGeometry):
    """A triangle mesh: beginModel, addSubModel (or addTriangle, addVertex), endModel.

    >>> from tumble.compat import fcl
    >>> model = fcl.BVHModel()
    >>> model.beginModel(3, 1)
    0
    >>> model.addSubModel(np.eye(3), np.array([[0, 1, 2]]))
    0
    >>> model.endModel()
    0
    >>> model.num_tries_()
    1
    """

    def __init__(self):
        self._vertices, self._triangles, self._model = [], [], None

    def beginModel(self, num_tris_=0, num_vertices_=0):
        """Starts over; the numbers are hints that are not needed."""
        self.__init__()
        return 0

    def addVertex(self, x, y, z):
        self._vertices.append(np.array([[x, y, z]], dtype=float))
        return 0

    def addTriangle(self, v1, v2, v3):
        return self.addSubModel([v1, v2, v3], [[0, 1, 2]])

    def addSubModel(self, verts, triangles):
        first = sum(map(len, self._vertices))
        mesh = _tumble.Mesh(verts, triangles)  # checks both
        self._vertices.append(mesh.vertices)
        self._triangles.append(mesh.triangles.astype(np.int64) + first)
        return 0

    def endModel(self):
        """Builds the tree."""
        if not self._triangles:
            raise _tumble.Error("the model has no triangles; add some before endModel()")
        self._model = _tumble.Model((np.concatenate(self._vertices), np.concatenate(self._triangles)))
        self._vertices, self._triangles = [], []
        return 0

    def num_tries_(self):
        return len(self.model.triangles)

    @property
    def model(self):
        """The tumble.Model; Error before endModel()."""
        if self._model is None:
            raise _tumble.Error("the model is not finished; call endModel() first")
        return self._model


class Transform:
    """Transform(), (Transform), (translation), (quaternion), (R), (quaternion or R, translation).

    A quaternion is w, x, y, z.
    """

    def __init__(self, *args):
        self._matrix = np.eye(4)
        if len(args) > 2:
            raise ValueError("a Transform takes at most a rotation and a translation")
        if len(args) == 1 and isinstance(args[0], Transform):
            self._matrix = args[0]._matrix.copy()
            return
        if len(args) == 1 and np.shape(args[0]) == (3,):
            self.setTranslation(args[0])
            return
        if args:
            self._set_turn(args[0])
        if len(args) == 2:
            self.setTranslation(args[1])

    def _set_turn(self, turn):
        if np.shape(turn) == (4,):
            self.setQuatRotation(turn)
        elif np.shape(turn) == (3, 3):
            self.setRotation(turn)
        else:
            raise ValueError("a rotation has the shape (3, 3), a quaternion (4,), not " + str(np.shape(turn)))

    def getRotation(self):
        return self._matrix[:3, :3].copy()

    def getTranslation(self):
        return self._matrix[:3, 3].copy()

    def getQuatRotation(self):
        """w, x, y, z, with w at least 0."""
        r = self._matrix[:3, :3]
        # The eigenvector of the largest eigenvalue of a symmetric 4x4 matrix (Bar-Itzhack 2000).
        k = np.array([
            [r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
            [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
            [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], r[1, 0] - r[0, 1]],
            [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], np.trace(r)],
        ])
        x, y, z, w = np.linalg.eigh(k)[1][:, -1]
        return np.array([w, x, y, z]) * (-1 if w < 0 else 1)

    def setRotation(self, R):
        R = np.asarray(R, dtype=float)
        if R.shape != (3, 3):
            raise ValueError("a rotation has the shape (3, 3), not " + str(R.shape))
        self._matrix[:3, :3] = R

    def setQuatRotation(self, q):
        q = np.asarray(q, dtype=float)
        if q.shape != (4,) or not np.linalg.norm(q) > 0:
            raise ValueError("a quaternion has four numbers, not all of them 0")
        w, x, y, z = q / np.linalg.norm(q)
        self._matrix[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]

    def setTranslation(self, T):
        T = np.asarray(T, dtype=float)
        if T.shape != (3,):
            raise ValueError("a translation has three numbers, not the shape " + str(T.shape))
        self._matrix[:3, 3] = T

    def __repr__(self):
        return f"Transform({self.getRotation().tolist()}, {self.getTranslation().tolist()})"


class CollisionObject:
    """A geometry at a Transform."""

    def __init__(self, geom, tf=None):
        self._geom = geom
        self._tf = Transform(tf) if tf is not None else Transform()

    @property
    def collision_geometry(self):
        return self._geom

    def getTransform(self):
        return Transform(self._tf)

    def setTransform(self, tf):
        self._tf = Transform(tf)

    def getRotation(self):
        return self._tf.getRotation()

    def setRotation(self, mat):
        self._tf.setRotation(mat)

    def getTranslation(self):
        return self._tf.getTranslation()

    def setTranslation(self, vec):
        self._tf.setTranslation(vec)

    def getQuatRotation(self):
        return self._tf.getQuatRotation()

    def setQuatRotation(self, q):
        self._tf.setQuatRotation(q)

    def _placed(self):
        if not isinstance(self._geom, BVHModel):
            raise TypeError("tumble.compat.fcl knows BVHModel only, not " + type(self._geom).__name__)
        return self._geom.model, self._tf._matrix


class CollisionRequest:
    """The solver changes no answer. Costs are not computed: collide refuses enable_cost."""

    def __init__(self, num_max_contacts=1, enable_contact=False, num_max_cost_sources=1, enable_cost=False,
                 use_approximate_cost=True, gjk_solver_type=GJKSolverType.GST_LIBCCD):
        self.num_max_contacts = num_max_contacts
        self.enable_contact = enable_contact
        self.num_max_cost_sources = num_max_cost_sources
        self.enable_cost = enable_cost
        self.use_approximate_cost = use_approximate_cost
        self.gjk_solver_type = gjk_solver_type


class Contact:
    """o1, o2: the geometries; b1, b2: their triangles; normal: unit, from o1 to o2; pos; penetration_depth."""

    def __init__(self, o1, o2, found):
        self.o1, self.o2 = o1, o2
        self.b1, self.b2 = int(found["triangle_a"]), int(found["triangle_b"])
        self.normal = -found["normal"]
        self.pos = found["point"].copy()
        self.penetration_depth = float(found["depth"])


class CollisionResult:
    def __init__(self, contacts=None):
        self.contacts = list(contacts or [])
        self.is_collision = False


class DistanceRequest:
    """The solver changes no answer. No distance is negative: distance refuses enable_signed_distance."""

    def __init__(self, enable_nearest_points=False, enable_signed_distance=False,
                 gjk_solver_type=GJKSolverType.GST_LIBCCD):
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance
        self.gjk_solver_type = gjk_solver_type


class DistanceResult:
    def __init__(self, min_distance_=np.inf):
        self.min_distance = min_distance_
        self.nearest_points = [None, None]
        self.o1 = self.o2 = None
        self.b1 = self.b2 = -1


class ContinuousCollisionRequest:
    """toc_err is the tolerance as a part of the size. Iterations and solvers change no answer. Bodies go straight and
    turn evenly on the way: continuousCollide refuses CCDM_SCREW and CCDM_SPLINE."""

    def __init__(self, num_max_iterations=10, toc_err=0.0001, ccd_motion_type=CCDMotionType.CCDM_TRANS,
                 gjk_solver_type=GJKSolverType.GST_LIBCCD,
                 ccd_solver_type=CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT):
        self.num_max_iterations = num_max_iterations
        self.toc_err = toc_err
        self.ccd_motion_type = ccd_motion_type
        self.gjk_solver_type = gjk_solver_type
        self.ccd_solver_type = ccd_solver_type


class ContinuousCollisionResult:
    def __init__(self, is_collide=False, time_of_contact=1.0):
        self.is_collide = is_collide
        self.time_of_contact = time_of_contact


def collide(o1, o2, request=None, result=None):
    """The number of contacts, at most request.num_max_contacts; result gets them if enable_contact."""
    request = request or CollisionRequest()
    if request.enable_cost:
        raise _tumble.Error("enable_cost: costs are not computed; ask tumble.contacts for what is in contact")
    (a, pose_a), (b, pose_b) = o1._placed(), o2._placed()
    if not request.enable_contact and request.num_max_contacts == 1:
        number = int(_tumble.collide(a, pose_a, b, pose_b))
        found = []
    else:
        found = _tumble.contacts(a, pose_a, b, pose_b, at_most=request.num_max_contacts, geometry=request.enable_contact)
        number = len(found)
    if result is not None:
        result.is_collision = number > 0
        if request.enable_contact:
            result.contacts += [Contact(o1.collision_geometry, o2.collision_geometry, contact) for contact in found]
    return number


def distance(o1, o2, request=None, result=None):
    """The least distance; 0 when in contact."""
    request = request or DistanceRequest()
    if request.enable_signed_distance:
        raise _tumble.Error("enable_signed_distance: a distance in contact is 0, never negative; "
                            "ask tumble.separating_translation, penetration or overlap_depth how deep bodies are")
    found = _tumble.distance(*o1._placed(), *o2._placed())
    if result is not None:
        result.min_distance = found.distance
        result.o1, result.o2 = o1.collision_geometry, o2.collision_geometry
        result.b1, result.b2 = found.triangle_a, found.triangle_b
        if request.enable_nearest_points:
            result.nearest_points = [found.point_a, found.point_b]
    return found.distance


def continuousCollide(o1, tf1_end, o2, tf2_end, request=None, result=None):
    """The time of first contact on the way to both ends, from 0 to 1; 1 if there is none. Nothing tunnels."""
    request = request or ContinuousCollisionRequest()
    if request.ccd_motion_type not in (CCDMotionType.CCDM_TRANS, CCDMotionType.CCDM_LINEAR):
        raise _tumble.Error("ccd_motion_type: bodies go straight and turn evenly; for other ways ask "
                            "tumble.first_contact with tumble.Motion.screw or tumble.Motion.path")
    (a, pose_a), (b, pose_b) = o1._placed(), o2._placed()
    size = min(np.linalg.norm(np.ptp(model.vertices, axis=0)) for model in (a, b))
    found = _tumble.first_contact(a, _tumble.Motion.line(pose_a, tf1_end._matrix), b,
                                  _tumble.Motion.line(pose_b, tf2_end._matrix), tolerance=request.toc_err * size)
    if result is not None:
        result.is_collide = found.found
        result.time_of_contact = found.time if found.found else 1.0
    return found.time if found.found else 1.0
