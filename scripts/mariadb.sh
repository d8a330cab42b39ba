#!/bin/sh
# A MariaDB server of one's own for tests: `mariadb.sh start FOLDER` prints its port, `mariadb.sh stop FOLDER` ends it.
# User `wimble`, no password, one database `shop`. Needs Debian's package mariadb-server. Data is thrown away with the
# folder.
set -eu
action=$1
folder=$2
if ! command -v mariadbd >/dev/null 2>&1; then
  echo "no MariaDB here: apt-get install mariadb-server" >&2
  exit 3
fi
case $action in
  start)
    mkdir -p "$folder"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    [ "$(id -u)" != 0 ] || chown mysql "$folder"
    mariadb-install-db --no-defaults --user="$([ "$(id -u)" = 0 ] && echo mysql || id -un)" --datadir="$folder/data" --auth-root-authentication-method=normal >"$folder/log" 2>&1
    mariadbd --no-defaults --user="$([ "$(id -u)" = 0 ] && echo mysql || id -un)" --datadir="$folder/data" --socket="$folder/socket" --port="$port" --bind-address=127.0.0.1 \
      --pid-file="$folder/pid" --innodb-buffer-pool-size=32M --skip-log-bin --innodb-flush-log-at-trx-commit=0 --skip-innodb-doublewrite >>"$folder/log" 2>&1 &
    for _ in $(seq 100); do
      mariadb-admin --no-defaults --socket="$folder/socket" --user=root ping >/dev/null 2>&1 && break
      sleep 0.1
    done
    mariadb --no-defaults --socket="$folder/socket" --user=root \
      -e "CREATE USER wimble@'%'; GRANT ALL ON *.* TO wimble@'%'; CREATE USER wimble@localhost; GRANT ALL ON *.* TO wimble@localhost; CREATE DATABASE shop" >>"$folder/log" 2>&1
    echo "$port"
    ;;
  stop)
    kill "$(cat "$folder/pid")"
    ;;
esac
