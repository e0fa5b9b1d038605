#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows what the command line does on the small meshes in examples/; what it writes is left in build/demo.
# Usage: demo.sh TUMBLE
set -euo pipefail
tumble=$(realpath "$1")
cd "$(dirname "$0")/../examples"
out=../build/demo
mkdir -p "$out"

# show EXPECTED_STATUS ARGUMENTS...: prints a command and its answer; any other exit status fails the demo.
show() {
  local expected=$1 status=0
  shift
  printf '\n$ tumble'
  local word
  for word in "$@"; do
    if [[ $word == *' '* ]]; then word="\"$word\""; fi
    printf ' %s' "$word"
  done
  printf '\n'
  "$tumble" "$@" || status=$?
  if [ "$status" -ne "$expected" ]; then
    echo "demo: exit status $status where $expected was expected" >&2
    exit 1
  fi
}

echo "What is in a mesh file?"
show 0 info cube.obj tetrahedron.off plate.stl

echo
echo "Does the cube touch the plate? Half sunk into it, resting on it, and hovering:"
show 1 collide cube.obj plate.stl
show 1 collide cube.obj plate.stl --pose-a "1 0 0 0  0 1 0 0  0 0 1 1"
show 0 collide cube.obj plate.stl --pose-a "1 0 0 0  0 1 0 0  0 0 1 1.5"

echo
echo "The same for programs:"
show 1 collide cube.obj tetrahedron.off --json -

echo
echo "The tree of bounding volumes of a torus: stored, described, standing for its mesh, and as shapes to look at:"
show 0 build torus.stl -o "$out/torus.tmbl"
show 0 info "$out/torus.tmbl"
show 1 collide "$out/torus.tmbl" plate.stl --pose-b "1 0 0 1  0 1 0 0  0 0 1 0"
show 0 info torus.stl --bound dop --k 18 --level 2 --export "$out/torus_level2.glb"
echo
echo "build/demo/torus_level2.glb holds the 18-DOPs of level 2 for any glTF viewer."
