#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of the named groups of scripts/packages.txt that are missing; silent when none is.
# Usage: install_packages.sh GROUP...   Exit status 2: something is missing and we are not root.
set -euo pipefail

list="${TUMBLE_PACKAGES:-$(dirname "$0")/packages.txt}"
[ $# -gt 0 ] || { echo "usage: $0 GROUP...  (the groups of $list)" >&2; exit 2; }

wanted=()
for group in "$@"; do
  known=no
  while read -r _ name command; do
    known=yes
    # Another source's package of a command may conflict with Debian's.
    if [ -z "$command" ] || ! command -v "$command" > /dev/null; then wanted+=("$name"); fi
  done < <(awk -v group="$group" '$1 == group' "$list")
  [ $known = yes ] || { echo "$0: $list has no group '$group'" >&2; exit 2; }
done
[ ${#wanted[@]} -gt 0 ] || exit 0

if ! command -v dpkg-query > /dev/null; then
  echo "$0: this is not Debian; make sure to have the equivalents of: ${wanted[*]}" >&2
  exit 0
fi

# dpkg-query fails for names it has never heard of, and still reports the others.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2> /dev/null | sed -n 's/^installed //p' || true)
missing=()
for name in "${wanted[@]}"; do
  grep -qxF -- "$name" <<< "$installed" || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "Missing Debian packages; run this line, then try again:" >&2
  echo "sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 2
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends "${missing[@]}"
