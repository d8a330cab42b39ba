#!/bin/sh
# Starts Unleash, which tells nobody about it. It has a limit of its own on how often some operations are called.
cd "$(dirname "$0")"
TZ=UTC NODE_ENV=production exec node server.js
