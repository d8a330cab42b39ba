#!/bin/sh
# Starts Screwdriver on a fresh SQLite file.
cd "$(dirname "$0")"
exec node server.js
