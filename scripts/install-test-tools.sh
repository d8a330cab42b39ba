#!/bin/sh
# Installs what some tests use and can do without: Chromium, for the test that looks at the report.
# Never fails: where it cannot install, those tests say that they were skipped.
for browser in chromium chromium-browser google-chrome; do
  if command -v "$browser" >/dev/null 2>&1; then
    exit 0
  fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "note: no Chromium, so the browser test of the report is skipped"
  exit 0
fi
echo "installing Chromium for the browser test of the report"
export DEBIAN_FRONTEND=noninteractive
{ apt-get update && apt-get install -y --no-install-recommends chromium; } >/tmp/wimble-test-tools.log 2>&1 ||
  echo "note: Chromium could not be installed (see /tmp/wimble-test-tools.log), so the browser test is skipped"
exit 0
