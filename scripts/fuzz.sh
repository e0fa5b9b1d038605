#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets in build/fuzz and runs each for SECONDS, as many at a time as there are processors; fails on a
# finding and names its input. What a run learns and finds stays there, too. With 0 SECONDS it only builds.
# Usage: scripts/fuzz.sh SECONDS [TARGET...]     targets: stl obj ply off gltf glb tmbl urdf parts (all by default)
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
[ $# -gt 0 ] || set -- stl obj ply off gltf glb tmbl urdf parts

mkdir -p build/fuzz
{ cmake --preset fuzz && cmake --build build/fuzz -- $(printf 'fuzz_%s ' "$@"); } >build/fuzz/build.log 2>&1 ||
  { tail -30 build/fuzz/build.log; exit 1; }

[ "$seconds" != 0 ] || exit 0
printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" scripts/fuzz_one.sh "$seconds"
