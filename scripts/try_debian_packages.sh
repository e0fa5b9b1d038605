#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of "make deb" into a bare Debian 12 with apt, and uses each: the command, its manual page
# and completion, the Python module, and a program compiled against the headers. Outside continuous integration: it
# needs root and a mirror of Debian (debian_root.sh).
# Usage: try_debian_packages.sh FOLDER    FOLDER/base is made if missing, FOLDER/packages anew
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
folder=$(realpath -m "$1")
shopt -s nullglob
packages=("$here"/../build/debian/packages/*.deb)
[ ${#packages[@]} -gt 0 ] || { echo "$0: there are no packages; run 'make deb' first" >&2; exit 2; }

mkdir -p "$folder"
[ -d "$folder/base" ] || "$here/debian_root.sh" make "$folder/base"
root=$folder/packages
rm -rf "$root"
cp -a "$folder/base" "$root"
mkdir "$root/home/tester/packages"
cp "${packages[@]}" "$root/home/tester/packages/"
cp -r "$here/../examples" "$here/../tests/consumer" "$root/home/tester/"
chroot "$root" chown -R tester:tester /home/tester
as_root() { "$here/debian_root.sh" run "$root" root "$1"; }
as_user() { "$here/debian_root.sh" run "$root" tester "$1"; }

echo "== install"
as_root "apt-get update -q > /dev/null && apt-get install -q -y --no-install-recommends /home/tester/packages/*.deb > log 2>&1 || { cat log; exit 1; }
  dpkg-query -W -f '\${Package} \${Version} \${Depends}\n' tumble libtumble libtumble-dev python3-tumble"
echo "== the command"
as_user "tumble --version && cd examples && tumble info torus.stl && { tumble collide cube.obj plate.stl; [ \$? -eq 1 ]; }"
as_user "test -s /usr/share/man/man1/tumble-collide.1.gz && for name in tumble libtumble libtumble-dev python3-tumble; do
  test -s /usr/share/doc/\$name/copyright || exit 1; done"
as_user "bash -c '. /usr/share/bash-completion/completions/tumble; COMP_WORDS=(tumble colli); COMP_CWORD=1; _tumble; test \"\${COMPREPLY[*]}\" = collide'"
echo "== the Python module"
as_user "python3 -c 'import tumble; cube = tumble.load(\"examples/cube.obj\"); assert tumble.collide(cube, None, cube, None); print(tumble.__version__)'"
echo "== a program"
as_root "apt-get install -q -y --no-install-recommends g++ cmake make pkg-config > log 2>&1 || { cat log; exit 1; }"
as_user "cmake -S consumer -B with_cmake > log && cmake --build with_cmake >> log && with_cmake/consumer"
as_user "c++ -std=c++20 consumer/main.cpp -o with_pkg_config \$(pkg-config --cflags --libs tumble-io) && ./with_pkg_config"
echo "== remove"
as_root "apt-get purge -q -y tumble libtumble libtumble-dev python3-tumble > log 2>&1 || { cat log; exit 1; }
  find / -xdev -ipath '*tumble*' -not -path '/home/*' -not -path '/proc/*' | { ! grep .; }"
echo "all four packages install, work and leave nothing behind"
