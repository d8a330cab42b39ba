#!/bin/sh
# The tests of many npm packages, plain and under the agent: bench/conformance/run.cjs. Downloads go to .bench/conformance.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .bench/conformance
if ! cmp -s bench/conformance/package-lock.json .bench/conformance/installed-lock.json; then
  cp bench/conformance/package.json bench/conformance/package-lock.json .bench/conformance/
  (cd .bench/conformance && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error)
  cp bench/conformance/package-lock.json .bench/conformance/installed-lock.json
fi
exec node --experimental-vm-modules --no-warnings bench/conformance/run.cjs "$@"
