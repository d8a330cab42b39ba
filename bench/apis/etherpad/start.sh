#!/bin/sh
# Starts Etherpad on fresh data. It insists on living in a folder named src, below the one that holds its data.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
run=$here/.bench/run
mkdir -p "$run"
if [ ! -d "$run/src" ]; then
  mkdir "$run/node_modules"
  ln -s "$here"/node_modules/* "$here"/node_modules/.bin "$run/node_modules/"
  rm "$run/node_modules/ep_etherpad-lite"
  ln -s ../src "$run/node_modules/ep_etherpad-lite"
  cp -R "$here/node_modules/ep_etherpad-lite" "$run/src"
fi
rm -rf "$run/var"
mkdir -p "$run/var"
cp "$here/settings.json" "$run/settings.json"
printf 'bench-key' > "$run/APIKEY.txt"
cd "$run"
PORT=${PORT:-3202} NODE_ENV=production exec node src/node/server.js
