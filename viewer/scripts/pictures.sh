#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
<<<<<<< HEAD
# Takes the pictures of docs/reports.md. Usage: pictures.sh TUMBLE [DATA]
# DATA is the folder of real meshes that tests use, too; without it, the picture of a rig stays as it is.
=======
# Takes the pictures of docs/reports.md and docs/python.md. Usage: pictures.sh TUMBLE   beside which the Python module was
# built.
>>>>>>> bb51684 (python: pages in notebooks, and a tutorial with pictures)
set -euo pipefail
tumble=$(realpath "$1")
data=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
page() { "$tumble" "$@" > /dev/null || [ $? -eq 1 ]; }
python3 ../scripts/gearbox.py "$scratch"
page clash "$scratch/gearbox.json" --clearance 0.5 --allow "$scratch/intended.txt" --report "$scratch/gearbox.html"
page lab scene interior --steps 600 -o "$scratch/cabin" --report "$scratch/cabin.html"
(cd .. && PYTHONPATH="$(dirname "$tumble")/../python" /usr/bin/python3 examples/tutorial.py "$scratch" > /dev/null)
shoot() { node scripts/shoot.mjs "$scratch/$1" "../docs/pictures/$2" "${@:3}"; }
shoot gearbox.html report-clash.png 1200x700 light '#clash-27'
shoot cabin.html report-flight.png 1200x700 dark '#clash-3'
<<<<<<< HEAD
shoot gearbox.html report-phone.png 390x844 light '#clash-29'
if [ -n "$data" ]; then
  cp -r "$data/assembly-dynamixel2r" "$scratch/rig"
  python3 ../scripts/poses_to_parts.py "$scratch/rig/poses_dynamixel_2r.json" > "$scratch/rig/rig.json"
  page clash "$scratch/rig/rig.json" --clearance 1e-4 --tolerance 1e-6 --report "$scratch/rig.html"
  shoot rig.html report-rig.png 1200x700 light '#clash-35'
fi
=======
shoot gearbox.html report-phone.png 390x844 light '#clash-3'
shoot flight.html tutorial-flight.png 1200x700 light '#clash-1'
shoot world.html tutorial-world.png 1200x700 light '#clash-1'
>>>>>>> bb51684 (python: pages in notebooks, and a tutorial with pictures)
