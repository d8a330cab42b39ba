#!/bin/sh
# Generated programs (bench/conformance/generated.cjs) and the tests of many npm packages (run.cjs), plain and under the
# agent. With --traced first: these tests, plain and as text that is traced for the solver. Downloads go to
# .bench/conformance.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .bench/conformance
if ! cmp -s bench/conformance/package-lock.json .bench/conformance/installed-lock.json; then
  cp bench/conformance/package.json bench/conformance/package-lock.json .bench/conformance/
  (cd .bench/conformance && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error)
  cp bench/conformance/package-lock.json .bench/conformance/installed-lock.json
fi
status=0
[ $# -gt 0 ] || node --no-warnings bench/conformance/generated.cjs || status=1
node --experimental-vm-modules --no-warnings bench/conformance/run.cjs "$@" || status=1
exit "$status"
