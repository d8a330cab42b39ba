#!/bin/sh
# Runs a command with an empty PostgreSQL, and an empty Redis where there is one, of its own: DATABASE_URL and REDIS_URL say where. They are gone after it.
# They are reached by sockets in a folder, so also from a network of one's own.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d /tmp/wimble-databases-XXXXXX)
chmod 755 "$folder"
finish() {
  trap '' INT TERM HUP
  [ ! -f "$folder/redis.pid" ] || kill "$(cat "$folder/redis.pid")"
  sh "$here/postgres.sh" stop "$folder/postgres" 2>/dev/null
  rm -rf "$folder"
}
trap finish EXIT
# The command gets Ctrl-C by itself; what it answers is the answer.
trap : INT TERM HUP

port=$(sh "$here/postgres.sh" start "$folder/postgres") || exit $?
DATABASE_URL="postgres://wimble@localhost:$port/postgres?host=$folder/postgres"
export DATABASE_URL
if command -v redis-server >/dev/null 2>&1; then
  # As a daemon it does not hear Ctrl-C, and outlives the command.
  redis-server --port 0 --unixsocket "$folder/redis.sock" --pidfile "$folder/redis.pid" --daemonize yes --save '' --dir "$folder" >/dev/null
  REDIS_URL=$folder/redis.sock
  export REDIS_URL
fi
"$@"
