# SPDX-License-Identifier: Apache-2.0
"""Dask on a local cluster of two processes: the answers of one machine, also when a worker is killed midway."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import tumble

distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed")
import tumble.distributed  # noqa: E402


@pytest.fixture
def client():
    """A cluster for each test: whether Dask starts another worker for one that was killed is not ours to test."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The paths of a stored torus and of poses, and these poses."""
    folder = tmp_path_factory.mktemp("stored")
    tumble.save(tumble.load("examples/torus.stl"), folder / "torus.tmbl")
    poses = np.tile(np.eye(4), (200_000, 1, 1))
    poses[:, :3, 3] = np.random.default_rng(7).uniform(-3, 3, (len(poses), 3))
    np.save(folder / "poses.npy", poses)
    return folder / "torus.tmbl", folder / "poses.npy", poses


def kill_one_when(client, is_time):
    """Starts a thread that kills one worker as soon as it is time; returns it, and a list for the worker's pid."""
    killed = []

    def watch():
        while not is_time():
            time.sleep(0.002)
        killed.append(sorted(client.run(os.getpid).values())[0])
        os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread, killed


def counted(monkeypatch):
    """How many chunks have arrived, and how many there are."""
    arrived, of = [], []
    cut, in_chunks = tumble.distributed._cut, tumble.distributed._in_chunks
    monkeypatch.setattr(tumble.distributed, "_cut", lambda *args: of.extend(cut(*args)) or list(of))

    def counting(*args):
        for chunk in in_chunks(*args):
            arrived.append(chunk[0])
            yield chunk

    monkeypatch.setattr(tumble.distributed, "_in_chunks", counting)
    return arrived, of


def test_a_sweep_with_a_worker_killed_midway(client, stored, monkeypatch):
    model, file, poses = stored
    expected = tumble.collide_many(tumble.load(model), tumble.load(model), poses)
    arrived, chunks = counted(monkeypatch)
    thread, killed = kill_one_when(client, lambda: len(arrived) >= 3)
    before = len(arrived)
    found = tumble.distributed.collide_many(client, model, tumble.load(model), file, seconds=0.02)
    thread.join()
    assert found.dtype == bool and found.tobytes() == expected.tobytes() and expected.any() and not expected.all()
    assert sorted(arrived) == chunks and before < 3 < len(chunks)  # each chunk once, and some after the kill
    assert len(killed) == 1


def test_options_and_short_sweeps(client, stored, tmp_path):
    model, _, poses = stored
    torus, moved = tumble.load(model), np.eye(4)
    moved[0, 3] = 2
    for count in (0, 1, 5, 300):
        np.save(tmp_path / f"{count}.npy", poses[:count, :3])
        found = tumble.distributed.collide_many(client, torus, torus, tmp_path / f"{count}.npy", solid=True, pose_a=moved)
        assert found.tolist() == tumble.collide_many(torus, torus, poses[:count], solid=True, pose_a=moved).tolist()


def test_what_is_refused(client, stored, tmp_path):
    model, file, poses = stored
    with pytest.raises(tumble.Error, match="tumble.save"):
        tumble.distributed.collide_many(client, tumble.load("examples/torus.stl"), model, file)
    with pytest.raises(tumble.Error, match="missing"):
        tumble.distributed.collide_many(client, tmp_path / "missing.tmbl", model, file)
    with pytest.raises(TypeError):
        tumble.distributed.collide_many(client, model, model, poses)  # an array is no file
    with pytest.raises(FileNotFoundError):
        tumble.distributed.collide_many(client, model, model, tmp_path / "missing.npy")
    np.save(tmp_path / "flat.npy", poses[:, 0])
    with pytest.raises(tumble.Error, match=r"\(N, 4, 4\)"):
        tumble.distributed.collide_many(client, model, model, tmp_path / "flat.npy")
    np.save(tmp_path / "nan.npy", np.where(np.arange(1000)[:, None, None] == 700, np.nan, poses[:1000, :3]))
    with pytest.raises(tumble.Error, match=r"^poses\[700\]: ") as refused:
        tumble.distributed.collide_many(client, model, model, tmp_path / "nan.npy")
    assert refused.value.code == "invalid_pose"


def test_chunks_have_equal_cost():
    edges, items = np.array([0, 100, 200]), np.array([3.0, 1.0])
    chunks = tumble.distributed._cut(edges, items, 0.0, 10.0, 2)
    assert chunks[0][0] == 0 and chunks[-1][1] == 200 and len(chunks) == 40
    assert all(last == first for (_, last), (first, _) in zip(chunks, chunks[1:]))
    cost = [sum(3.0 if i < 100 else 1.0 for i in range(*chunk)) for chunk in chunks]
    assert max(cost) <= 13 and min(cost) >= 7
    assert len(tumble.distributed._cut(edges, items, 1.0, 10.0, 2)) == 20  # twenty times what a chunk costs beside
    assert len(tumble.distributed._cut(np.array([0, 3]), np.array([1e-7]), 0.0, 2.0, 2)) == 3


def test_clashes_with_a_worker_killed_midway(client, tmp_path, monkeypatch):
    rng = np.random.default_rng(11)
    models = [tumble.load(f"examples/{name}") for name in ("torus.stl", "cube.obj", "tetrahedron.off")]
    tumble.save(models[0], tmp_path / "torus.tmbl")
    models[0] = tumble.load(tmp_path / "torus.tmbl")
    parts = []
    for i in range(60):
        pose = np.eye(4)
        pose[:3, 3] = rng.uniform(-6, 6, 3)
        parts.append(tumble.PlacedPart(f"part {i}", models[i % 3], pose, group="g" if i % 10 == 0 else ""))
    assembly = tumble.Assembly(parts, ignore=[("part 1", "part 2*")])
    options = {"clearance": 0.3, "tolerance": 0.01, "depth_precision": 1e-2}
    expected = tumble.clash(assembly, **options)
    arrived, chunks = counted(monkeypatch)
    thread, killed = kill_one_when(client, lambda: len(arrived) >= 2)
    found = tumble.distributed.clash(client, assembly, tmp_path / "models", seconds=0.01, **options)
    thread.join()
    assert found.pairs.tobytes() == expected.pairs.tobytes() and len(expected) > 20
    assert found.clear == expected.clear and found.names == expected.names and repr(found) == repr(expected)
    assert sorted(arrived) == chunks and len(chunks) > 2
    assert len(list((tmp_path / "models").iterdir())) == 2  # the third was stored already
    assert len(killed) == 1
    monkeypatch.undo()
    between = tumble.distributed.clash(client, assembly, tmp_path / "models", between=("part 3", "part 5*"), clearance=3)
    assert between.pairs.tobytes() == tumble.clash(assembly, between=("part 3", "part 5*"), clearance=3).pairs.tobytes()
    less = tumble.distributed.clash(client, assembly, tmp_path / "models", ignore=[([0, 1], [2, 3, 4])], clearance=3)
    alone = tumble.clash(assembly, ignore=[([0, 1], [2, 3, 4])], clearance=3)
    assert (less.pairs.tobytes(), less.clear) == (alone.pairs.tobytes(), alone.clear)
    pose[:3, 3] = 99
    far = tumble.Assembly([tumble.PlacedPart("a", models[1]), tumble.PlacedPart("b", models[1], pose)])
    assert repr(tumble.distributed.clash(client, far, tmp_path / "models")) == repr(tumble.clash(far))
    with pytest.raises(tumble.Error):
        tumble.distributed.clash(client, assembly, tmp_path / "models", clearance=-1)
