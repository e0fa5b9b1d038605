#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns a poses_*.json (meshes placed by 4x4 matrices, as extracted from robots and scenes) into a PARTS.json.

Usage: poses_to_parts.py POSES.json [UNITS] > PARTS.json

UNITS are those of the poses, m by default. The PARTS.json belongs into the folder of POSES.json, as meshes are named
relative to it. Each body becomes a group; parts are named by their meshes.
"""
import json
import re
import sys
from pathlib import PurePosixPath


def part(instance):
    matrix = instance["T_world"]
    if matrix[3] != [0, 0, 0, 1]:
        raise ValueError(f"the last row of a matrix of {instance['mesh']} is {matrix[3]}, not 0 0 0 1")
    mesh = re.sub("^package://", "", instance["mesh"])
    scale = instance["scale"]
    return {
        "name": PurePosixPath(mesh).stem,
        "mesh": mesh,
        "pose": [number for row in matrix[:3] for number in row],
        "scale": scale[0] if scale[0] == scale[1] == scale[2] else scale,
        "group": instance["body"],
    }


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        poses = json.load(file)
    units = sys.argv[2] if len(sys.argv) == 3 else "m"
    parts = [part(instance) for instance in poses["instances"] if instance.get("present", True)]
    json.dump({"units": units, "parts": parts}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
