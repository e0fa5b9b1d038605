#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows what the command line does on the small meshes in examples/.
# Usage: demo.sh TUMBLE
set -euo pipefail
tumble=$(realpath "$1")
cd "$(dirname "$0")/../examples"

# show EXPECTED_STATUS ARGUMENTS...: prints a command and its answer; any other exit status fails the demo.
show() {
  local expected=$1 status=0
  shift
  printf '\n$ tumble'
  printf ' %q' "$@"
  printf '\n'
  "$tumble" "$@" || status=$?
  if [ "$status" -ne "$expected" ]; then
    echo "demo: exit status $status where $expected was expected" >&2
    exit 1
  fi
}

echo "What is in a mesh file?"
show 0 info cube.obj tetrahedron.off plate.stl
