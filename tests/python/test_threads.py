# SPDX-License-Identifier: Apache-2.0
"""Threads, processes, interpreters and memory."""
import gc
import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import brute
import tumble


def path(count, seed=1):
    rng = np.random.default_rng(seed)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, 3] = rng.uniform(-1, 1, (count, 3))
    return poses


def test_threads_that_share_everything_agree(torus):
    poses = path(12)
    expected = [brute.packed(tumble.contacts(torus, None, torus, pose)) for pose in poses]
    pair, world = tumble.Pair(torus, torus), tumble.World()
    body = world.add(torus), world.add(torus)

    def ask(number):
        order = np.random.default_rng(number).permutation(len(poses))
        for i in order:
            assert brute.packed(pair.contacts(None, poses[i])) == expected[i]
            assert brute.packed(tumble.contacts(torus, None, torus, poses[i])) == expected[i]
            assert pair.collide(None, poses[i]) == bool(expected[i])
            query = pair.start(None, poses[i], tumble.ContactRequest())
            try:
                query.run(node_pairs=50)
                query.contacts()
            except tumble.Error as error:  # another thread asked the pair something else
                assert "stale" in str(error) or error.code == "invalid_argument"
            world.move(body[1], poses[i])
            world.contacts()
            assert (tumble.collide_many(torus, torus, poses[:4]) == [bool(e) for e in expected[:4]]).all()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, range(4)))


def test_the_interpreter_is_free_while_a_question_runs(torus):
    """A thread that counts goes on while another asks: the lock is not held."""
    poses = path(800)
    done, count = threading.Event(), 0

    def ask():
        tumble.contacts_many(torus, torus, poses, threads=1)
        done.set()

    asking = threading.Thread(target=ask)
    asking.start()
    while not done.wait(0.001):
        count += 1
    asking.join()
    assert count > 3


def answers(model):
    return tumble.collide_many(model, model, path(200)).tolist()


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes(torus, tmp_path, method):
    """Models go to other processes by their stored form or by the name of their file."""
    tumble.save(torus, tmp_path / "torus.tmbl")
    expected = answers(torus)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(answers, [torus, tumble.load(tmp_path / "torus.tmbl")]) == [expected] * 2


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_million_calls_leak_nothing(cube):
    pair, far = tumble.Pair(cube, cube), np.eye(4)
    far[0, 3] = 2.5
    points = [0.5, 0, 0]

    def calls(count):
        for _ in range(count):
            pair.collide(None, far)
            pair.distance(None, far)
            pair.contacts(None, None, at_most=1)
            tumble.locate(cube, None, points)
            cube.vertices
            try:
                pair.collide(None, points)
            except tumble.Error:
                pass

    calls(1000)
    gc.collect()
    before, blocks = resident(), sys.getallocatedblocks()
    calls(int(os.environ.get("TUMBLE_LEAK_CALLS", "6000")))
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 500
    assert resident() - before < 4 << 20


def test_objects_leak_nothing(torus):
    def make():
        model = tumble.Model(torus)
        world = tumble.World()
        world.add(model)
        manager = tumble.CollisionManager()
        manager.add_object("a", model)
        manager.in_collision_single(model, return_names=True, return_data=True)
        tumble.contacts_many(model, model, path(10))

    for _ in range(5):
        make()
    gc.collect()
    before = resident()
    for _ in range(25):
        make()
    gc.collect()
    assert resident() - before < 16 << 20


def test_subinterpreters_are_refused():
    pytest.importorskip("_xxsubinterpreters")
    code = """
import sys
FIRST
import _xxsubinterpreters as sub
other = sub.create()
sub.run_string(other, '''
try:
    import tumble
except ImportError as error:
    print("refused:", error)
else:
    print("accepted")
''')
"""
    for first in ("", "import tumble"):
        run = subprocess.run([sys.executable, "-c", code.replace("FIRST", first)], capture_output=True, text=True,
                             timeout=60)
        assert "accepted" not in run.stdout and ("refused" in run.stdout or "ImportError" in run.stderr), run
