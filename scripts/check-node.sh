#!/bin/sh
# Says clearly when Node or npm is missing or older than $1.
set -eu
minimum=$1

fail() {
  echo "error: $1" >&2
  echo "  wimble's agent needs Node $minimum or newer with npm: https://nodejs.org/en/download" >&2
  exit 1
}

command -v node >/dev/null 2>&1 || fail "node was not found"
command -v npm >/dev/null 2>&1 || fail "npm was not found"
version=$(node --version)
major=${version#v}
major=${major%%.*}
[ "$major" -ge "$minimum" ] || fail "Node $version is too old"
