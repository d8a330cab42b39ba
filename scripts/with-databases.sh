#!/bin/sh
# Runs a command with an empty PostgreSQL, and an empty Redis and MongoDB where there are such, of its own:
# DATABASE_URL, REDIS_URL and MONGODB_URL say where. They are gone after it. They are reached by sockets in a folder, so
# also from a network of one's own.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d /tmp/wimble-databases-XXXXXX)
chmod 755 "$folder"
finish() {
  trap '' INT TERM HUP
  [ ! -f "$folder/redis.pid" ] || kill "$(cat "$folder/redis.pid")"
  exec 9>&-
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
mkfifo "$folder/mongodb.in" "$folder/mongodb.port"
# It ends with its standard input, also where this script is killed.
sh "$here/mongodb.sh" run "$folder/mongodb.sock" <"$folder/mongodb.in" >"$folder/mongodb.port" 2>/dev/null &
exec 9>"$folder/mongodb.in"
if read -r _ <"$folder/mongodb.port"; then
  MONGODB_URL="mongodb://$(echo "$folder/mongodb.sock" | sed 's,/,%2F,g')/wimble"
  export MONGODB_URL
fi
"$@" 9>&-
