#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the right columns of docs/migration.md as one program, each row in a scope of its own, to be compiled.

Usage: extract_rows.py FILE.md FILE.cpp   An unchanged file is left untouched.
"""
import re
import sys
from pathlib import Path

OPENING = """// SPDX-License-Identifier: Apache-2.0
// Written by scripts/extract_rows.py.
#include <tumble/tumble.h>

#include <array>
#include <optional>
#include <vector>

namespace {
template <class... Anything>
void use(const Anything&...) {}
}  // namespace

int main() {
  const tumble::Mesh mesh = tumble::load_mesh("examples/cube.obj");
  const std::vector<tumble::Vec3> vertices = mesh.vertices;
  const std::vector<tumble::Triangle> triangles = mesh.triangles;
  const tumble::Model a{mesh}, b = a;
  const tumble::Pose pose_a, pose_b = tumble::Pose::from_translation({1.5, 0.1, 0.2});
  const tumble::ConvexModel convex{mesh};
  tumble::Pair pair{a, b};
  tumble::World world;
  const tumble::BodyId body = world.add(a);
  world.add(b, pose_b);
"""


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    program, count = OPENING, 0
    for number, line in enumerate(source.read_text().splitlines(), 1):
        cells = line.strip("| ").split(" | ")
        if not line.startswith("|") or len(cells) < 2 or cells[-1] in ("tumble", "---|---") or "---" in line:
            continue
        code = re.fullmatch(r"`(.*;)`", cells[-1])
        if not code or len(cells) != 2:
            sys.exit(f"{source}:{number}: the right column must be one piece of code that ends with a semicolon")
        statement = code.group(1)
        declared = re.match(r"(?:const )?[\w:<>]+ (\w+)(?: =|\{)", statement)
        used = f" use({declared.group(1)});" if declared else ""
        program += f'#line {number} "{source}"\n  {{ {statement}{used} }}\n'
        count += 1
    program += "  return 0;\n}\n"
    if count == 0:
        sys.exit(f"{source}: there is no table")
    if not target.exists() or target.read_text() != program:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(program)


if __name__ == "__main__":
    main()
