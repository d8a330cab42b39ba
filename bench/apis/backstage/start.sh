#!/bin/sh
# Starts Backstage's catalogue on an empty SQLite database in memory.
cd "$(dirname "$0")"
PORT=${PORT:-3207} exec node server.js --config app-config.yaml
