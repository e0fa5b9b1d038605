#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes gearbox.json, its meshes and intended.txt, the contacts that are meant to be: a plate with bolts, two gears on
shafts, a bracket, a cone. Usage: gearbox.py FOLDER"""
import json
import math
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])


def write(name, vertices, faces):
    lines = ["OFF", f"{len(vertices)} {len(faces)} 0"]
    lines += [" ".join(f"{x:g}" for x in v) for v in vertices] + ["3 %d %d %d" % f for f in faces]
    (FOLDER / f"{name}.off").write_text("\n".join(lines) + "\n")


def cylinder(name, radius, height, corners=48, upper_radius=None):
    vertices, faces = [], []
    for i in range(corners):
        a = 2 * math.pi * i / corners
        for r, z in (radius, 0), (upper_radius or radius, height):
            vertices.append((r * math.cos(a), r * math.sin(a), z))
    vertices += [(0, 0, 0), (0, 0, height)]
    low, high = 2 * corners, 2 * corners + 1
    for i in range(corners):
        j = (i + 1) % corners
        faces += [(2 * i, 2 * j, 2 * j + 1), (2 * i, 2 * j + 1, 2 * i + 1), (low, 2 * j, 2 * i), (high, 2 * i + 1, 2 * j + 1)]
    write(name, vertices, faces)


def ring(name, outer, inner, height, corners, teeth=0):
    vertices, faces = [], []
    for i in range(corners):
        a = 2 * math.pi * i / corners
        rim = outer * (1.06 if teeth and (i * teeth * 2 // corners) % 2 else 1)
        vertices += [(r * math.cos(a), r * math.sin(a), z) for r, z in ((rim, 0), (rim, height), (inner, height), (inner, 0))]
    for i in range(corners):
        j = (i + 1) % corners
        for s in range(4):
            u = (s + 1) % 4
            faces += [(4 * i + s, 4 * j + s, 4 * j + u), (4 * i + s, 4 * j + u, 4 * i + u)]
    write(name, vertices, faces)


def box(name, x, y, z):
    vertices = [(a, b, c) for c in (0, z) for b in (0, y) for a in (0, x)]
    write(name, vertices, [(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
                           (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)])


PARTS = []


def place(name, mesh, x, y, z, turn=0):
    c, s = math.cos(turn), math.sin(turn)
    PARTS.append({"name": name, "mesh": f"{mesh}.off", "pose": [c, -s, 0, x, s, c, 0, y, 0, 0, 1, z]})


box("plate", 160, 100, 8)
box("bracket", 10, 60, 40)
cylinder("bolt", 4, 26)
cylinder("head", 7, 6, 6)
cylinder("shaft", 8.2, 60, 64)
cylinder("cone", 16, 24, 64, 6)
ring("washer", 9, 4.2, 2, 48)
ring("drive", 34, 8, 14, 240, 30)
ring("driven", 20, 8, 14, 160, 20)
place("base plate", "plate", 0, 0, 0)
for x, y in (12, 12), (148, 12), (12, 88), (148, 88):
    place("washer", "washer", x, y, 8)
    place("bolt", "bolt", x, y, -10.5)
    place("bolt head", "head", x, y, 10)
place("drive gear", "drive", 55, 50, 14)
place("driven gear", "driven", 107.5, 50, 14, 0.1)
place("drive shaft", "shaft", 55, 50, -6)
place("driven shaft", "shaft", 107.5, 50, -6)
place("bracket", "bracket", 138, 20, 8)
place("cone", "cone", 85, 82, 7.5)
(FOLDER / "intended.txt").write_text("""\
# for tumble clash --allow: bolts and shafts go through the plate, gears are pressed onto their shafts
bolt*      "base plate"
bolt*      bolt*
bolt*      washer*
"* shaft"  "base plate"
"* shaft"  "* gear"
""")
(FOLDER / "gearbox.json").write_text(json.dumps({"units": "mm", "parts": PARTS}))
