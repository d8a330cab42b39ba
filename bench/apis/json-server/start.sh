#!/bin/sh
# Starts json-server on a fresh copy of its data.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
run=$here/.bench/run
rm -rf "$run"
mkdir -p "$run"
cp "$here/db.json" "$run/"
cd "$run"
exec node "$here/node_modules/json-server/lib/cli/bin.js" db.json --host 127.0.0.1 --port "${PORT:-3204}" --quiet
