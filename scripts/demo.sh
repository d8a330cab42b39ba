#!/bin/sh
# Runs wimble on the bookshop for $1, says what was found, then runs the generated tests.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root/examples/bookshop" || exit 1
rm -rf wimble-out

"$root/.venv/bin/wimble" run --max-time "$1" -- node server.js
code=$?
if [ "$code" -ne 1 ]; then
  echo "error: the bookshop has bugs, so wimble should have answered 1 (something found); it answered $code" >&2
  exit 1
fi

echo
echo "Running the generated tests, each of which documents what the bookshop does today:"
echo
if ! node --test --test-reporter=spec wimble-out/tests/*.test.*js; then
  echo "error: a generated test failed" >&2
  exit 1
fi
"$root/.venv/bin/python" "$root/scripts/demo_summary.py" wimble-out
