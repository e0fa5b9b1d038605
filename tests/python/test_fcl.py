# SPDX-License-Identifier: Apache-2.0
"""tumble.compat.fcl: python-fcl's names for meshes, and where we differ on purpose."""
import numpy as np
import pytest

import brute
import tumble
from tumble.compat import fcl


def model(size=(1, 1, 1), at=(-0.5, -0.5, -0.5)):
    vertices, faces = brute.box(size)
    made = fcl.BVHModel()
    made.beginModel(len(faces), len(vertices))
    made.addSubModel(vertices + np.array(at), faces)
    made.endModel()
    return made


def placed(*args):
    return fcl.CollisionObject(model(), fcl.Transform(*args))


def test_collide():
    a, b = placed(), placed(np.array([0.75, 0.1, 0.1]))
    assert fcl.collide(a, b) == 1
    result = fcl.CollisionResult()
    number = fcl.collide(a, b, fcl.CollisionRequest(num_max_contacts=1000, enable_contact=True), result)
    assert result.is_collision and number == len(result.contacts) > 1
    for contact in result.contacts:
        assert contact.o1 is a.collision_geometry and contact.o2 is b.collision_geometry
        assert 0 <= contact.b1 < 12 and 0 <= contact.b2 < 12
        assert contact.pos.shape == contact.normal.shape == (3,) and contact.penetration_depth >= 0
    assert fcl.collide(a, b, fcl.CollisionRequest(num_max_contacts=3)) == 3
    b.setTranslation([3, 0, 0])
    result = fcl.CollisionResult()
    assert fcl.collide(a, b, fcl.CollisionRequest(enable_contact=True), result) == 0
    assert not result.is_collision and result.contacts == []


def test_normals_point_from_the_first_to_the_second():
    a, b = placed(), placed(np.array([0.9, 0.2, 0.2]))
    result = fcl.CollisionResult()
    fcl.collide(a, b, fcl.CollisionRequest(1000, True), result)
    expected = tumble.contacts(a.collision_geometry.model, None, b.collision_geometry.model, b._placed()[1])
    assert [c.normal.tolist() for c in result.contacts] == (-expected["normal"]).tolist()


def test_distance():
    a, b = placed(), placed(np.array([3.0, 0, 0]))
    assert fcl.distance(a, b) == 2
    result = fcl.DistanceResult()
    assert fcl.distance(a, b, fcl.DistanceRequest(enable_nearest_points=True), result) == 2
    assert result.min_distance == 2 and [p[0] for p in result.nearest_points] == [0.5, 2.5]
    assert result.o1 is a.collision_geometry and 0 <= result.b2 < 12
    b.setTranslation([0.5, 0, 0])
    assert fcl.distance(a, b) == 0  # we differ: FCL has negative numbers here


def test_continuous_collide():
    a, b = placed(), placed(np.array([5.0, 0, 0]))
    result = fcl.ContinuousCollisionResult()
    time = fcl.continuousCollide(a, fcl.Transform(), b, fcl.Transform(np.array([-5.0, 0, 0])),
                                 fcl.ContinuousCollisionRequest(), result)
    assert result.is_collide and time == result.time_of_contact == pytest.approx(0.4, abs=1e-3)
    # Thin and fast: nothing tunnels.
    sheet = fcl.CollisionObject(model((0.001, 1, 1)), fcl.Transform(np.array([500.0, 0, 0])))
    assert fcl.continuousCollide(a, fcl.Transform(), sheet, fcl.Transform(np.array([-500.0, 0, 0]))) < 0.5
    assert fcl.continuousCollide(a, fcl.Transform(), b, fcl.Transform(np.array([5.0, 9, 0]))) == 1


def test_requests_refuse_what_they_would_ignore():
    a, b = placed(), placed(np.array([3.0, 0, 0]))
    for make in fcl.CollisionRequest, fcl.DistanceRequest, fcl.ContinuousCollisionRequest:
        with pytest.raises(TypeError, match="num_max_contact"):
            make(num_max_contact=1000)  # a typing error
    # All that python-fcl takes, by place as well; what changes no answer is accepted.
    request = fcl.CollisionRequest(1000, True, 1, False, True, fcl.GJKSolverType.GST_INDEP)
    assert fcl.collide(a, b, request) == 0
    with pytest.raises(tumble.Error, match="enable_cost"):
        fcl.collide(a, b, fcl.CollisionRequest(num_max_cost_sources=5, enable_cost=True, use_approximate_cost=False))
    assert fcl.distance(a, b, fcl.DistanceRequest(True, False, fcl.GJKSolverType.GST_INDEP)) == 2
    signed = fcl.DistanceRequest()
    signed.enable_signed_distance = True
    for request in signed, fcl.DistanceRequest(enable_signed_distance=True):
        with pytest.raises(tumble.Error, match="enable_signed_distance.*tumble.separating_translation"):
            fcl.distance(a, b, request)
    motions, solver = fcl.CCDMotionType, fcl.CCDSolverType.CCDC_NAIVE
    for motion in motions.CCDM_TRANS, motions.CCDM_LINEAR:
        request = fcl.ContinuousCollisionRequest(10, 1e-4, motion, fcl.GJKSolverType.GST_LIBCCD, solver)
        assert fcl.continuousCollide(a, fcl.Transform(), b, fcl.Transform(), request) < 1
    for motion in motions.CCDM_SCREW, motions.CCDM_SPLINE:
        request = fcl.ContinuousCollisionRequest(ccd_motion_type=motion, ccd_solver_type=solver)
        with pytest.raises(tumble.Error, match="ccd_motion_type.*tumble.Motion.screw"):
            fcl.continuousCollide(a, fcl.Transform(), b, fcl.Transform(), request)


def test_transforms():
    half = np.array([np.cos(0.3), 0, 0, np.sin(0.3)])
    turn = fcl.Transform(half, np.array([1.0, 2, 3]))
    assert turn.getQuatRotation() == pytest.approx(half) and turn.getTranslation().tolist() == [1, 2, 3]
    assert turn.getRotation()[:2, :2] == pytest.approx(np.array([[np.cos(0.6), -np.sin(0.6)], [np.sin(0.6), np.cos(0.6)]]))
    for same in (fcl.Transform(turn), fcl.Transform(turn.getRotation(), turn.getTranslation())):
        assert same.getRotation() == pytest.approx(turn.getRotation())
    assert fcl.Transform(turn.getRotation()).getTranslation().tolist() == [0, 0, 0]
    assert fcl.Transform(half).getQuatRotation() == pytest.approx(half)
    rng = np.random.default_rng(3)
    for q in rng.normal(size=(50, 4)):
        q *= np.sign(q[0]) / np.linalg.norm(q)
        assert fcl.Transform(q).getQuatRotation() == pytest.approx(q, abs=1e-9)
    body = placed()
    body.setTransform(turn)
    body.setRotation(np.eye(3))
    body.setQuatRotation([1, 0, 0, 0])
    assert body.getTransform().getTranslation().tolist() == [1, 2, 3] == body.getTranslation().tolist()
    assert body.getRotation().tolist() == np.eye(3).tolist() and body.getQuatRotation()[0] == pytest.approx(1)
    for bad in ((np.eye(2),), (1, 2, 3), (np.zeros(4),), (np.eye(3), [1, 2])):
        with pytest.raises(ValueError):
            fcl.Transform(*bad)


def test_models_are_finished_before_they_are_used():
    unfinished = fcl.BVHModel()
    unfinished.beginModel(1, 3)
    with pytest.raises(tumble.Error):
        unfinished.endModel()
    unfinished.addTriangle([0, 0, 0], [1, 0, 0], [0, 1, 0])
    with pytest.raises(tumble.Error):
        fcl.collide(fcl.CollisionObject(unfinished), placed())
    unfinished.addTriangle([0, 0, 1], [1, 0, 1], [0, 1, 1])
    unfinished.endModel()
    assert unfinished.num_tries_() == 2 and fcl.collide(fcl.CollisionObject(unfinished), placed()) == 1
    with pytest.raises(ValueError):
        fcl.BVHModel().addSubModel(np.eye(3), [[0, 1, 5]])
    with pytest.raises(TypeError):
        fcl.collide(fcl.CollisionObject(fcl.CollisionGeometry()), placed())
