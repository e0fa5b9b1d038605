#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A bare Debian 12 in a folder, for scripts that try things as on a new machine. Needs root.
# Usage: debian_root.sh make ROOT             installs the smallest Debian 12 into ROOT, which must not exist
#        debian_root.sh run ROOT USER COMMAND runs a line of sh in it as USER, at home, with /proc and /dev
# The mirror is the one that apt uses here for bookworm; TUMBLE_MIRROR=URL names another.
set -euo pipefail
suite=bookworm

if [ $# -lt 2 ] || { [ "$1" = run ] && [ $# -ne 4 ]; }; then
  sed -n 's/^# Usage: /usage: /p; s/^#        debian/       debian/p' "$0" >&2
  exit 2
fi
[ "$(id -u)" -eq 0 ] || { echo "$0: only root may make and enter a root folder; try sudo" >&2; exit 2; }
root=$(realpath -m "$2")

case $1 in
  make)
    [ ! -e "$root" ] || { echo "$0: $root is there already; remove it or name another folder" >&2; exit 2; }
    "$(dirname "$0")/install_packages.sh" root
    # shellcheck disable=SC2016  # $(...) is apt's
    mirror=${TUMBLE_MIRROR:-$(apt-get indextargets --format '$(CODENAME) $(IDENTIFIER) $(REPO_URI)' |
                              sed -n "s/^$suite Packages //p" | head -n 1)}
    [ -n "$mirror" ] || { echo "$0: apt knows no mirror of $suite here; set TUMBLE_MIRROR=URL" >&2; exit 2; }
    debootstrap --variant=minbase "$suite" "$root" "$mirror" > "$root.log" 2>&1 ||
      { tail -n 5 "$root.log" >&2; echo "$0: debootstrap failed; all it said is in $root.log" >&2; exit 1; }
    # How this machine reaches the mirror holds in there, too.
    apt-config dump --format '%F "%v";%n' | grep -iE '^Acquire::(http|https)(::.*)?::?proxy|^Acquire::Check-Valid-Until' \
      > "$root/etc/apt/apt.conf.d/90from-outside" || true
    echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/throw-away"  # nobody needs this root after a power cut
    cp --dereference /etc/resolv.conf /etc/hosts "$root/etc/"
    chroot "$root" useradd --create-home --shell /bin/sh tester
    ;;
  run)
    home=$(awk -F: -v name="$3" '$1 == name { print $6 }' "$root/etc/passwd")
    [ -n "$home" ] || { echo "$0: $root has no user '$3'" >&2; exit 2; }
    # In a name space of its own, so that no mount outlives the command.
    # shellcheck disable=SC2016  # the inner shell expands its arguments
    exec unshare --mount --pid --fork sh -c '
      mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
      exec chroot "$0" setpriv --reuid "$1" --regid "$(chroot "$0" id -g "$1")" --init-groups \
        env -i HOME="$2" USER="$1" LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        sh -c "cd && $3"' "$root" "$3" "$home" "$4"
    ;;
  *) echo "$0: '$1' is neither make nor run" >&2; exit 2 ;;
esac
