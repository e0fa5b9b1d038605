#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one fuzz target that scripts/fuzz.sh has built; fails on a finding and names its input.
# Usage: scripts/fuzz_one.sh SECONDS TARGET
set -eu
cd "$(dirname "$0")/.."
seconds=$1
target=$2
log=build/fuzz/$target.log
# The seeds in tests/fuzz/corpus are only read.
mkdir -p "build/fuzz/corpus/$target" "build/fuzz/findings/$target"
# The timeout is by the clock: on a busy machine an input of a tenth of a second has taken five.
if ! "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=8192 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target/" \
    "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
  tail -60 "$log"
  echo "fuzz $target: FINDING, see build/fuzz/findings/$target" >&2
  exit 1
fi
echo "fuzz $target: $(sed -n 's/^stat::number_of_executed_units: //p' "$log") runs in $seconds s, no finding"
