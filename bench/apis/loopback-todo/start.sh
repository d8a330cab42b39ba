#!/bin/sh
# Starts the to-do API on fresh data. It reads data/db.json of the folder that it is started in.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
package=$here/node_modules/@loopback/example-todo
run=$here/.bench/run
rm -rf "$run"
mkdir -p "$run/data"
cp "$package/data/db.json" "$run/data/"
cd "$run"
HOST=127.0.0.1 PORT=${PORT:-3201} exec node "$package/dist/index.js"
