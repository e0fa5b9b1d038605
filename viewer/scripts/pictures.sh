#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Takes the pictures of docs/reports.md. Usage: pictures.sh TUMBLE
set -euo pipefail
tumble=$(realpath "$1")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
page() { "$tumble" "$@" > /dev/null || [ $? -eq 1 ]; }
python3 ../scripts/gearbox.py "$scratch"
page clash "$scratch/gearbox.json" --clearance 0.5 --report "$scratch/gearbox.html"
page lab scene interior --steps 600 -o "$scratch/cabin" --report "$scratch/cabin.html"
shoot() { node scripts/shoot.mjs "$scratch/$1" "../docs/pictures/$2" "${@:3}"; }
shoot gearbox.html report-clash.png 1200x700 light '#clash-30'
shoot cabin.html report-flight.png 1200x700 dark '#clash-3'
shoot gearbox.html report-phone.png 390x844 light '#clash-3'
