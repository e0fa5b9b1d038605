#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kinds of builds that a public host would test, each on its own: compilers, sanitizers, with and without what is
# optional; then what reads the sources alone, lint (with the layout) and docs. `make check` covers most of them more
# cheaply; this is for a machine that has nothing yet, and for looking at one cell of the matrix here.
# Usage: matrix.sh list | all | CELL...      JOBS=N limits the cores; the folders are build/matrix/CELL
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
without_step=-DCMAKE_DISABLE_FIND_PACKAGE_OpenCASCADE=ON
clang=(-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)

# cell NAME: groups of packages, preset and what is said to CMake beyond it.
cell() {
  groups=(build test) preset=test options=("$without_step")
  case $1 in
    gcc) ;;
    clang) groups+=(check) options+=("${clang[@]}") ;;
    gcc-debug) preset=dev ;;
    gcc-address) preset=asan ;;
    gcc-thread) preset=tsan ;;
    gcc-library-only) options+=(-DTUMBLE_BUILD_CLI=OFF -DTUMBLE_BUILD_PYTHON=OFF) ;;
    gcc-shared) options+=(-DBUILD_SHARED_LIBS=ON) ;;
    gcc-step) groups+=(step) options=() ;;
    gcc-benchmarks) groups+=(check) options+=(-DTUMBLE_BUILD_BENCHMARKS=ON -DTUMBLE_BUILD_PYTHON=OFF) ;;
    lint | docs) ;;
    *) echo "$0: there is no cell '$1'; '$0 list' names them" >&2; exit 2 ;;
  esac
}
cells=(gcc clang gcc-debug gcc-address gcc-thread gcc-library-only gcc-shared gcc-step gcc-benchmarks
       lint docs)

run() {
  local folder=build/matrix/$1 build=() tests=()
  cell "$1"
  case $1 in
    lint) make format-check lint JOBS="$jobs"; return ;;
    docs) make docs && scripts/check_docs.py; return ;;
  esac
  # Only tests of threads mean something to the thread sanitizer.
  if [ "$preset" = tsan ]; then
    build=(--target test_threads) tests=(-R '^Threads')
    export TSAN_OPTIONS=suppressions=$PWD/tests/threads/tsan_suppressions.txt
  fi
  scripts/install_packages.sh "${groups[@]}"
  cmake --preset "$preset" -B "$folder" "${options[@]}"
  cmake --build "$folder" "${build[@]}" -- -j"$jobs"
  ctest --test-dir "$folder" -j"$jobs" --output-on-failure --no-tests=error --timeout 300 "${tests[@]}"
}

case ${1:-} in
  "") sed -n 's/^# Usage: /usage: /p' "$0" >&2; exit 2 ;;
  list) printf '%s\n' "${cells[@]}"; exit ;;
  all) ;;
  *) for name in "$@"; do cell "$name"; done; cells=("$@") ;;
esac
failed=()
for name in "${cells[@]}"; do
  echo "== $name"
  # A shell of its own: what one cell exports is not another's.
  (run "$name") || failed+=("$name")
done
if [ ${#failed[@]} -gt 0 ]; then echo "failed: ${failed[*]}" >&2; exit 1; fi
