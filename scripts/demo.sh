#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows what the command line does, on the small meshes in examples/ and on a scene of a paper; what it writes is left
# in FOLDER, build/demo unless said otherwise.
# Usage: demo.sh TUMBLE [FOLDER]
set -euo pipefail
tumble=$(realpath "$1")
root=$(realpath "$(dirname "$0")/..")
folder=$(realpath -m "${2:-$root/build/demo}")
cd "$root/examples"
out=$(realpath -m --relative-to=. "$folder")
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
echo "A robot's arm swings through its cell, 61 configurations:"
awk 'BEGIN { print "shoulder,elbow"; for (i = 0; i <= 60; i++) printf "%.4f,%.4f\n", -1 + 1.4 * i / 60, 2.6 - 5.2 * i / 60 }' > "$out/arm.csv"
show 1 world arm.urdf cell.json --configurations "$out/arm.csv" --within 0.05 --report "$out/arm.html"

echo
echo "A gearbox with 19 parts, each against all others; a list says which contacts are intended:"
mkdir -p "$out/gearbox"
python3 "$root/scripts/gearbox.py" "$out/gearbox"
show 1 clash "$out/gearbox/gearbox.json" --clearance 0.5 --allow "$out/gearbox/intended.txt" --json "$out/clashes.json" --report "$out/clashes.html"

echo
echo "A hand reaches about in a car's cabin, 500 poses: the scene as files, the cabin's tree stored, the flight:"
cd "$folder"
show 0 lab scene interior --steps 500 -o cabin
show 0 build cabin/env.ply -o cabin/env.tmbl
show 1 fly cabin/env.tmbl cabin/object.ply cabin/poses.txt --query all --count --json flight.json --csv flight.csv --report flight.html

echo
echo "The flight begins:"
echo
head -n 5 flight.csv
echo
echo "To look at in a browser:"
for page in flight arm clashes; do echo "  $folder/$page.html"; done
echo "$folder also holds clashes.json and flight.json for programs, flight.csv for spreadsheets, and for any"
echo "glTF viewer cabin/flight.glb, the flight, and torus_level2.glb, the 18-DOPs of a torus on level 2."
