#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: one Pair.collide and a batch against the same from C++, a batch against FCL's calls one by one
from C++, which python-fcl cannot beat, and two threads against one.

Usage: PYTHONPATH=build/release/python measure.py SPEED   SPEED is the program python_speed. Runs alternate; the best
of each counts.
"""
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

import tumble

MODEL = "examples/torus.stl"
ROUNDS = 7


def best(work, calls=1):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) / calls


def main():
    model = tumble.load(MODEL)
    rng = np.random.default_rng(1)
    poses = np.tile(np.eye(4), (100_000, 1, 1))
    poses[:, :3, 3] = rng.uniform(-2, 2, (len(poses), 3))
    poses[0, :3, 3] = 9, 0, 0  # nothing to do: what is left is the way there and back
    pair, far, calls = tumble.Pair(model, model), poses[0].copy(), 20_000
    near = np.eye(4)
    near[0, 3] = 0.05

    def single():
        here = np.eye(4)
        for _ in range(calls):
            pair.collide(here, far)

    def ask(pair, count=400):
        for _ in range(count):
            pair.contacts(None, near)

    ours, theirs = {"one": np.inf, "many": np.inf, "core": np.inf, "alone": np.inf, "two": np.inf}, np.full(3, np.inf)
    with tempfile.NamedTemporaryFile() as file:
        poses.tofile(file.name)
        for _ in range(ROUNDS):
            out = subprocess.run([sys.argv[1], MODEL, file.name, "3"], check=True, capture_output=True, text=True).stdout
            theirs = np.minimum(theirs, [float(word) for word in out.split()])
            for _ in range(3):
                ours["one"] = min(ours["one"], best(single, calls) * 1e9)
                ours["many"] = min(ours["many"], best(lambda: tumble.collide_many(model, model, poses)))
                ours["core"] = min(ours["core"], best(lambda: tumble.collide_many(model, model, poses, threads=1)))
            pairs = [tumble.Pair(model, model) for _ in range(2)]
            ours["alone"] = min(ours["alone"], best(lambda: ask(pairs[0])))
            threads = [threading.Thread(target=ask, args=(pair_,)) for pair_ in pairs]
            ours["two"] = min(ours["two"], best(lambda: [t.start() for t in threads] and [t.join() for t in threads]))
    print(f"one Pair.collide: {ours['one']:.0f} ns, from C++ {theirs[0]:.0f} ns, {ours['one'] - theirs[0]:.0f} ns more")
    print(f"collide_many of {len(poses)}: {ours['many'] * 1e3:.1f} ms, from C++ {theirs[1] * 1e3:.1f} ms, "
          f"{(ours['many'] / theirs[1] - 1) * 100:+.1f} %")
    if theirs[2] > 0:
        print(f"FCL's calls from C++, one by one: {theirs[2] * 1e3:.1f} ms, {theirs[2] / ours['many']:.1f} times as long; "
              f"{theirs[2] / ours['core']:.1f} times as long as collide_many on one core")
    else:
        print("FCL is not installed (libfcl-dev)")
    print(f"calls of {ours['alone'] / 400 * 1e6:.0f} us: two threads do {2 * ours['alone'] / ours['two']:.2f} times "
          "what one does")


if __name__ == "__main__":
    main()
