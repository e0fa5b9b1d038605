#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The README's commands on a bare Debian 12, once as root and once as a user who may not install: makes the root with
# debootstrap, clones the last commit into it, runs, and ends with a table of what passed and how long it took. Where
# others use the machine, too, the time on the processors tells more: divide it by the cores. Outside continuous
# integration: it needs root, a mirror of Debian, some GB and, with "test", most of an hour.
# Usage: bare_root.sh FOLDER [TARGET...]    make's targets, "demo test" unless said otherwise
# FOLDER keeps base/, root/ and user/, and what each step printed; base/ is used again. See debian_root.sh for mirrors.
# shellcheck disable=SC2317  # step calls run and clone
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: $0 FOLDER [TARGET...]" >&2; exit 2; }
folder=$(realpath -m "$1")
shift
targets=("$@")
[ $# -gt 0 ] || targets=(demo test)
mkdir -p "$folder"
rm -rf "$folder/root" "$folder/user" "$folder"/*.txt

failed=0
# Sets processor to the seconds that all steps took so far. Not in a shell of its own, which would have no children.
look_at_processor() {
  times > "$folder/times"
  processor=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); sum += 60 * t[1] + t[2] } printf "%.0f", sum }' \
                  "$folder/times")
}
# step NAME EXPECTED_STATUS COMMAND...: runs it, keeps what it printed, and adds a line to the table.
step() {
  local name=$1 expected=$2 output=$folder/${1// /-}.txt status=0 begin=$SECONDS verdict=ok before
  shift 2
  look_at_processor
  before=$processor
  "$@" > "$output" 2>&1 || status=$?
  look_at_processor
  if [ "$status" -ne "$expected" ]; then verdict="FAILED: exit status $status, not $expected; see $output" failed=1; fi
  printf '%-26s %5d s  processor %5d s  %s\n' "$name" $((SECONDS - begin)) $((processor - before)) "$verdict" |
    tee -a "$folder/table.txt"
}
run() { "$here/debian_root.sh" run "$@"; }
clone() { git clone --quiet --no-local "$here/.." "$1/tumble"; }
git_and_make="apt-get update -q && apt-get install -q -y git make"

[ -d "$folder/base" ] || step "debootstrap" 0 "$here/debian_root.sh" make "$folder/base"
cp -a "$folder/base" "$folder/root"
cp -a "$folder/base" "$folder/user"

step "root git make" 0 run "$folder/root" root "$git_and_make"
step "root clone" 0 clone "$folder/root/root"
for target in "${targets[@]}"; do
  step "root make $target" 0 run "$folder/root" root "cd tumble && make $target"
done

step "user git make" 0 run "$folder/user" root "$git_and_make"
step "user clone" 0 clone "$folder/user/home/tester"
chroot "$folder/user" chown -R tester:tester /home/tester
for target in "${targets[@]}"; do
  # make ends with status 2 and one line to run, which names all that this target needs; whoever may runs it.
  step "user bare make $target" 2 run "$folder/user" tester "cd tumble && make $target"
  said=$folder/user-bare-make-$target.txt
  if [ "$(grep -c apt-get "$said")" -ne 1 ]; then
    echo "make $target did not name its packages in one line; see $said" | tee -a "$folder/table.txt"
    failed=1
  else
    step "user packages for $target" 0 run "$folder/user" root "$(sed -n 's/^sudo //p' "$said")"
    step "user make $target" 0 run "$folder/user" tester "cd tumble && make $target"
  fi
done

echo
echo "$(git -C "$here/.." rev-parse --short=10 HEAD), $(nproc) cores, Debian $(cat "$folder/root/etc/debian_version"):"
cat "$folder/table.txt"
exit $failed
