#!/bin/sh
# Runs a command with another version of Node first on PATH: sh scripts/with-node.sh VERSION COMMAND. Kept in .bench/.
set -eu

version=$1
command=$2
folder=$PWD/.bench/node-$version
if [ ! -x "$folder/node_modules/.bin/node" ]; then
  mkdir -p "$folder"
  npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "node@$version"
fi
PATH=$folder/node_modules/.bin:$PATH
export PATH
echo "Node $(node --version)"
sh -c "$command"
