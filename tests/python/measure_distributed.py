#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a second process is worth: a sweep on local clusters of one and of two single-threaded processes, then on two of
which one is killed midway. Answers must be the same bytes as one machine's.

Usage: PYTHONPATH=build/release/python measure_distributed.py [SECONDS]   SECONDS: about how long one process is to take;
100 if left out. Also prints how much processor time the workers had: on a machine that others use, wall times say little.
"""
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import distributed
import numpy as np

import tumble
import tumble.distributed

MODEL = "examples/torus.stl"


def random_poses(count):
    rng = np.random.default_rng(1)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    poses[:, :3, 0] *= np.linalg.det(poses[:, :3, :3])[:, None]
    poses[:, :3, 3] = rng.uniform(-1.5, 1.5, (count, 3))
    return poses


def sweep(workers, model, poses, kill_after=None):
    """(seconds, processor seconds of workers, answers)"""
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            if kill_after is not None:
                pid = min(client.run(os.getpid).values())
                threading.Timer(kill_after, os.kill, (pid, signal.SIGKILL)).start()
            used = sum(client.run(time.process_time).values())
            start = time.perf_counter()
            answers = tumble.distributed.collide_many(client, model, model, poses, solid=True)
            seconds = time.perf_counter() - start
            if kill_after is not None:
                assert seconds > kill_after and pid not in client.run(os.getpid).values(), "killed too late"
            return seconds, sum(client.run(time.process_time).values()) - used, answers


def main():
    wanted = float(sys.argv[1]) if len(sys.argv) > 1 else 100.0
    with tempfile.TemporaryDirectory() as folder:
        model, poses = Path(folder, "model.tmbl"), Path(folder, "poses.npy")
        tumble.save(tumble.load(MODEL), model)
        sample = random_poses(20_000)
        start = time.thread_time()
        tumble.collide_many(tumble.load(model), tumble.load(model), sample, solid=True, threads=1)
        count = int(wanted / (time.thread_time() - start) * len(sample))
        np.save(poses, random_poses(count))
        expected = tumble.collide_many(tumble.load(model), tumble.load(model), np.load(poses, mmap_mode="r"), solid=True)
        print(f"{count} poses, {expected.mean():.0%} of them in contact", flush=True)
        one, used, answers = sweep(1, model, poses)
        assert answers.tobytes() == expected.tobytes()
        print(f"one process: {one:.1f} s, its processor at work for {used:.1f} s", flush=True)
        two, used, answers = sweep(2, model, poses)
        assert answers.tobytes() == expected.tobytes()
        print(f"two: {two:.1f} s, their processors {used:.1f} s: {one / two:.2f} times as fast; the same bytes", flush=True)
        lost, _, answers = sweep(2, model, poses, kill_after=two / 2)
        assert answers.tobytes() == expected.tobytes()
        print(f"two, one of them killed after {two / 2:.1f} s: {lost:.1f} s; the same bytes")


if __name__ == "__main__":
    main()
