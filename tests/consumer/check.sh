#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a finished build into a fresh prefix, moves the prefix, and builds and runs an outside program against it,
# once through find_package and once through pkg-config; with --sources also with tumble as a subdirectory. examples/ are
# an outside project, too.
# Usage: check.sh BUILD_DIR [--sources]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$build/consumer
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# quietly COMMAND...: its output is shown only when it fails.
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

# with_cmake NAME FOLDER CMAKE_ARGUMENTS...: configures, builds and runs the outside project.
with_cmake() {
  local folder=$2
  echo "$1:"
  shift 2
  quietly cmake -S "$here" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
  quietly cmake --build "$folder" -- -j2
  "$folder/consumer"
}

quietly cmake --install "$build" --prefix "$work/installed"
mv "$work/installed" "$work/prefix"  # nothing may remember where it was installed first
libdir=$(dirname "$(find "$work/prefix" -name 'libtumble.*' | head -n 1)")

count_of() { compgen -G "$1" | wc -l; }
if [ "$(($(count_of "$libdir/libtumble_step.*") > 0))" -ne "$(count_of "$work/prefix/include/tumble/step.h")" ]; then
  echo "tumble/step.h is installed without its library, or the library without it"
  exit 1
fi

with_cmake find_package "$work/find_package" -DCMAKE_PREFIX_PATH="$work/prefix"

echo "examples:"
quietly cmake -S "$here/../../examples" -B "$work/examples" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix"
quietly cmake --build "$work/examples" -- -j2
(cd "$here/../../examples" && quietly "$work/examples/example_check_clearance")

echo "pkg-config:"
export PKG_CONFIG_PATH=$libdir/pkgconfig
if [ "$(pkg-config --cflags tumble-io | wc -w)" -ne 1 ]; then
  echo "pkg-config --cflags tumble-io names more than our headers: $(pkg-config --cflags tumble-io)"
  exit 1
fi
# shellcheck disable=SC2046  # the flags are words
${CXX:-c++} -std=c++20 "$here/main.cpp" -o "$work/consumer" $(pkg-config --cflags --libs tumble-io)
LD_LIBRARY_PATH=$libdir "$work/consumer"

if [ "${2:-}" = --sources ]; then
  # Beside BUILD_DIR: with the same relative paths to our sources, ccache hands it the same objects.
  rm -rf "$build-sources"
  with_cmake add_subdirectory "$build-sources" -DTUMBLE_SOURCE="$(realpath "$here/../..")"
fi

if [ -x "$work/prefix/bin/tumble" ]; then "$work/prefix/bin/tumble" --version; fi
