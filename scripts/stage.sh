#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs COMMAND as a named stage and notes in build/stages.txt how long it took, whether it passes or fails: seconds by
# the clock, and seconds of processor time, which tell a slow stage from a busy machine.
# Usage: stage.sh NAME COMMAND...
#        stage.sh --table            prints what was noted since build/stages.txt was last removed
set -uo pipefail
notes=$(dirname "$0")/../build/stages.txt

if [ "$1" = --table ]; then
  [ -f "$notes" ] || exit 0
  awk -F '\t' '
    BEGIN { printf "%-16s %8s %10s\n", "stage", "seconds", "processor" }
    !($1 in clock) { names[++count] = $1 }
    { clock[$1] += $2; processor[$1] += $3 + $4; if ($5 != 0) failed[$1] = "  FAILED" }
    END {
      for (i = 1; i <= count; ++i) {
        name = names[i]
        printf "%-16s %8.0f %10.0f%s\n", name, clock[name], processor[name], failed[name]
        all_clock += clock[name]
        all_processor += processor[name]
      }
      printf "%-16s %8.0f %10.0f\n", "all", all_clock, all_processor
    }' "$notes"
  exit 0
fi

name=$1
shift
mkdir -p "$(dirname "$notes")"
times=$(mktemp)
TIMEFORMAT=$'%R\t%U\t%S'
# The clock's line goes to a file of its own; the command keeps the standard error it would have had.
{ time "$@" 2>&3 3>&-; } 3>&2 2> "$times"
status=$?
printf '%s\t%s\t%s\n' "$name" "$(tail -n 1 "$times")" "$status" >> "$notes"
rm -f "$times"
exit "$status"
