#!/bin/sh
# Makes .venv with the newest Python here that is not older than $1, unless there is a usable one already.
set -eu
minimum=$1

is_usable() {
  "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] < tuple(map(int, sys.argv[1].split("."))))' "$minimum" 2>/dev/null
}

if [ -x .venv/bin/python ] && is_usable .venv/bin/python; then
  exit 0
fi
for python in ${PYTHON:-} python3.15 python3.14 python3.13 python3.12 python3.11 python3; do
  if command -v "$python" >/dev/null 2>&1 && is_usable "$python"; then
    echo "making .venv with $("$python" --version)"
    rm -rf .venv
    exec "$python" -m venv .venv
  fi
done
{
  echo "error: no Python $minimum or newer with its venv module was found"
  echo "  found: $(python3 --version 2>/dev/null || echo 'no python3')"
  echo "  Install one (Debian: apt-get install python3 python3-venv; macOS: brew install python),"
  echo "  or name it: make setup PYTHON=/path/to/python3"
} >&2
exit 1
