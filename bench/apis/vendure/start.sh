#!/bin/sh
# Starts Vendure, which tells nobody about it.
set -eu
cd "$(dirname "$0")"
VENDURE_DISABLE_TELEMETRY=true exec node server.js
