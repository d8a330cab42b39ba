#!/bin/sh
# Starts the database's API on a fresh SQLite file, made by the migration.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
run=$here/.bench/run
rm -rf "$run"
mkdir -p "$run"
cp -R "$here/platformatic.json" "$here/migrations" "$run/"
cd "$run"
PLT_TELEMETRY_DISABLED=true PORT=${PORT:-3203} exec node "$here/node_modules/@platformatic/db/db.mjs" start
