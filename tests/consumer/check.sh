#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a finished build into a fresh prefix, moves the prefix, and builds and runs an outside program against it,
# once through find_package and once through pkg-config.
# Usage: check.sh BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$build/consumer
rm -rf "$work"
mkdir -p "$work"

cmake --install "$build" --prefix "$work/installed" > "$work/install.log"
mv "$work/installed" "$work/prefix"  # nothing may remember where it was installed first
libdir=$(dirname "$(find "$work/prefix" -name 'libtumble.*' | head -n 1)")
export LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig

echo "find_package:"
cmake -S "$here" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release > "$work/cmake.log" ||
  { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/cmake" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/cmake/consumer"

echo "pkg-config:"
# shellcheck disable=SC2046  # the flags are words
${CXX:-c++} -std=c++20 "$here/main.cpp" -o "$work/consumer" $(pkg-config --cflags --libs tumble-io)
"$work/consumer"

if [ -x "$work/prefix/bin/tumble" ]; then "$work/prefix/bin/tumble" --version; fi
