#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A tutorial of tumble's Python module: can a cube be carried past a torus, and how close does it come?

Run it from the repository's root: PYTHONPATH=build/release/python /usr/bin/python3 examples/tutorial.py [FOLDER]
With a folder, it writes pages to look at into it: flight.html and world.html.
"""
import sys
from pathlib import Path

import numpy as np

import tumble


def at(x, y, z):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def main(folder=None):
    # 1. Models. A tree is built once; then any number of questions can be asked.
    torus = tumble.load("examples/torus.stl")
    cube = tumble.load("examples/cube.obj")
    print(torus, "closed" if tumble.summarize(torus).closed else "open")

    # 2. One question. Poses are 4x4 arrays, None is the identity.
    print("touching at the start:", tumble.collide(torus, None, cube, at(6, 0, 0)))

    # 3. A path: one array of poses in, one array of answers out, on all cores.
    path = np.array([at(x, 0, 0) for x in np.linspace(6, -6, 601)])
    hits = tumble.collide_many(torus, cube, path)
    gaps = tumble.distance_many(torus, cube, path)["distance"]
    print(f"{hits.sum()} of {len(path)} poses touch; the least gap of the others is {gaps[~hits].min():.4f}")

    # 4. When exactly does it begin? Between poses, too: nothing tunnels.
    first = tumble.first_contact(torus, None, cube, tumble.Motion.line(path[0], path[-1]))
    print(f"first contact at {first.time:.6f} of the way, near {np.round(first.point_a, 3)}")

    # 5. Where do they meet then, and how deep? Lists are structured arrays.
    middle = path[len(path) // 2]
    found = tumble.contacts(torus, None, cube, middle)
    print(len(found), "pairs of triangles, kinds", {tumble.ContactKind(kind).name for kind in found["kind"]})
    depth = tumble.overlap_depth(torus, None, cube, middle, precision=1e-2)
    print(f"the largest ball inside both has a diameter of {depth.lower:.3f} to {depth.upper:.3f}")

    # 6. Go around instead: a world tests many bodies at once.
    world = tumble.World()
    ring = world.add(torus, name="torus", moves=False)
    carried = world.add(cube, name="cube")
    for height in np.arange(0, 6, 0.5):
        world.move(carried, middle @ at(0, 0, height))
        if not world.collide():
            a, b, gap = world.closest()
            assert (a, b) == (ring, carried)
            print(f"at height {height} it passes, {gap.distance:.3f} away")
            break
    else:
        raise SystemExit("no way past")

    # 7. Look at it. In a notebook, the last line of a cell is enough: world, or tumble.show_flight(...).
    if folder is not None:
        tumble.show_flight(torus, cube, path[::6], title="a cube through a torus").save(Path(folder, "flight.html"))
        world.move(carried, middle)
        tumble.show(world, title="where they meet").save(Path(folder, "world.html"))


if __name__ == "__main__":
    main(*sys.argv[1:2])
