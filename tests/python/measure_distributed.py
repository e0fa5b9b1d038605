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

def ring(around, about):
    """A wavy torus; two of them, linked like those of a chain, have hardly room to move."""
    u, v = np.meshgrid(np.arange(around), np.arange(about), indexing="ij")
    a, b = 2 * np.pi * u / around, 2 * np.pi * v / about
    radius = 0.48 + 0.02 * np.sin(9 * a) * np.sin(7 * b)
    far = 1 + radius * np.cos(b)
    p, q, r, s = (((u + i) % around * about + (v + j) % about).ravel() for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)))
    return (np.stack([far * np.cos(a), far * np.sin(a), radius * np.sin(b)], -1).reshape(-1, 3),
            np.concatenate([np.stack([p, q, r], 1), np.stack([p, r, s], 1)]))


def write_poses(file, count, seed=1):
    """Of the second ring, turned by a quarter and put through the first, give or take a little."""
    rng = np.random.default_rng(seed)
    poses = np.lib.format.open_memmap(file, "w+", float, (count, 3, 4))
    for first in range(0, count, 100_000):  # never all of them in memory
        some = poses[first:first + 100_000]
        some[:, :, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
        some[:, :, 3] = [1, 0, 0] + rng.normal(0, 0.01, (len(some), 3))
    poses.flush()


def sweep(workers, model, poses, kill_after=None):
    """(seconds, processor seconds of workers, answers)"""
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            if kill_after is not None:
                pid = min(client.run(os.getpid).values())
                threading.Timer(kill_after, os.kill, (pid, signal.SIGKILL)).start()
            used = sum(client.run(time.process_time).values())
            start = time.perf_counter()
            answers = tumble.distributed.collide_many(client, model, model, poses)
            seconds = time.perf_counter() - start
            if kill_after is not None:
                assert seconds > kill_after and pid not in client.run(os.getpid).values(), "killed too late"
            return seconds, sum(client.run(time.process_time).values()) - used, answers


def main():
    wanted = float(sys.argv[1]) if len(sys.argv) > 1 else 100.0
    with tempfile.TemporaryDirectory() as folder:
        model, poses = Path(folder, "model.tmbl"), Path(folder, "poses.npy")
        link = tumble.Model(ring(200, 100))
        tumble.save(link, model)
        write_poses(poses, 10_000)
        start = time.thread_time()
        tumble.collide_many(link, link, np.load(poses), threads=1)
        count = int(wanted / (time.thread_time() - start) * 10_000)
        write_poses(poses, count)
        expected = tumble.collide_many(link, link, np.load(poses, mmap_mode="r"))
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
