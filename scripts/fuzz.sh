#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets in build/fuzz and runs each for SECONDS; fails on the first finding and names its input.
# Usage: scripts/fuzz.sh SECONDS [TARGET...]     targets: stl obj ply off gltf glb tmbl (all by default)
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?usage: scripts/fuzz.sh SECONDS [TARGET...]}
shift
[ $# -gt 0 ] || set -- stl obj ply off gltf glb tmbl

cmake -S . -B build/fuzz -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTUMBLE_BUILD_FUZZERS=ON \
  -DTUMBLE_ENABLE_ASSERTS=ON -DTUMBLE_BUILD_CLI=OFF >/dev/null
cmake --build build/fuzz -- $(printf 'fuzz_%s ' "$@") >build/fuzz/build.log || { tail -30 build/fuzz/build.log; exit 1; }

for target in "$@"; do
  # What a run learns stays in build/fuzz; the seeds in tests/fuzz/corpus are only read.
  mkdir -p "build/fuzz/corpus/$target" "build/fuzz/findings/$target"
  log="build/fuzz/$target.log"
  # The timeout is by the clock: on a busy machine an input of a tenth of a second has taken five.
  if ! "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=8192 \
      -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target/" \
      "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
    tail -60 "$log"
    echo "fuzz $target: FINDING, see build/fuzz/findings/$target" >&2
    exit 1
  fi
  echo "fuzz $target: $(sed -n 's/^stat::number_of_executed_units: //p' "$log") runs in $seconds s, no finding"
done
