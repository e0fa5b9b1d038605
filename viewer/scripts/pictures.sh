#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Takes the pictures of docs/reports.md and docs/python.md. Usage: pictures.sh TUMBLE [DATA]
# TUMBLE is the command, beside which the Python module was built. DATA is the folder of real meshes that tests use, too;
# without it, the pictures of a rig, a building and a cow stay as they are.
set -euo pipefail
tumble=$(realpath "$1")
data=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
page() { "$tumble" "$@" > /dev/null || [ $? -eq 1 ]; }
shoot() { node scripts/shoot.mjs "$scratch/$1" "../docs/pictures/$2" "${@:3}"; }
python3 ../scripts/gearbox.py "$scratch"
page clash "$scratch/gearbox.json" --clearance 0.5 --allow "$scratch/intended.txt" --report "$scratch/gearbox.html"
shoot gearbox.html report-clash.png 1200x700 light '#clash-27'
shoot gearbox.html report-phone.png 390x844 light '#clash-29'
page lab scene interior --steps 600 -o "$scratch/cabin" --report "$scratch/cabin.html"
# From the clash, farther away, and without its colours: the cabin is grey, what touches is orange.
shoot cabin.html report-flight.png 1200x700 dark '#clash-13' 'press(..."---------", "Escape")'
(cd .. && PYTHONPATH="$(dirname "$tumble")/../python" /usr/bin/python3 examples/tutorial.py "$scratch" > /dev/null)
shoot flight.html tutorial-flight.png 1200x700 light '#clash-1' 'press(...Array(8).fill("ArrowLeft"))'
shoot world.html tutorial-world.png 1200x700 light '#clash-1' 'choose("Section", "z"); slide("Section", 0.1)'
if [ -n "$data" ]; then
  cp -r "$data/assembly-dynamixel2r" "$scratch/rig"
  python3 ../scripts/poses_to_parts.py "$scratch/rig/poses_dynamixel_2r.json" > "$scratch/rig/rig.json"
  page clash "$scratch/rig/rig.json" --clearance 1e-4 --tolerance 1e-6 --report "$scratch/rig.html"
  shoot rig.html report-rig.png 1200x700 light '#clash-35'
  page clash "$data/bim-building/parts" --report "$scratch/building.html"
  shoot building.html report-building.png 1200x700 light '#clash-89' 'press(..."------")'
  page world "$data"/spot/*.obj --report "$scratch/cow.html"
  shoot cow.html report-section.png 1200x700 light '' \
    'choose("Up", "y"); choose("Section", "x"); slide("Section", 0); flip(); choose("Bounding", "4"); press(..."+"); tab("view")'
fi
