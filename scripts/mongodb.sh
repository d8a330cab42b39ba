#!/bin/sh
# A server in memory that speaks MongoDB's protocol (mongo-java-server), for tests: `mongodb.sh install`, then
# `mongodb.sh run`, which prints its port and ends with its standard input; `mongodb.sh run PATH` is reached by a socket
# of that path as well. Needs Java with its compiler and, to install, Maven.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jars=$here/../.venv/mongo-java-server
case $1 in
  install)
    mvn -q -B -f "$here/mongodb/pom.xml" dependency:copy-dependencies -DoutputDirectory="$jars.part"
    rm -rf "$jars"
    mv "$jars.part" "$jars"
    javac -cp "$jars/*" -d "$jars" "$here/mongodb/Server.java"
    ;;
  run)
    shift
    if [ ! -f "$jars/Server.class" ] || ! command -v java >/dev/null 2>&1; then
      echo "no MongoDB for tests here: scripts/install-test-tools.sh" >&2
      exit 3
    fi
    exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -cp "$jars:$jars/*" Server "$@"
    ;;
esac
