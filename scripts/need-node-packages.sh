#!/bin/sh
# The packages of the browser tests and the Claude Code of the Rust tests, exactly as locked; installed only if they are not
# there yet.
set -eu
cd "$(dirname "$0")/../end2end"

if ! command -v npm >/dev/null 2>&1; then
    echo "Node.js 20 or newer with npm is missing, and the tests need it: install it from https://nodejs.org or your system's packages." >&2
    exit 1
fi
installed=node_modules/.package-lock.json
[ -n "$(find "$installed" -newer package-lock.json 2>/dev/null)" ] && exit 0

if ! PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund >&2; then
    echo "The packages of the tests could not be installed: check the network, then run 'npm ci' in end2end/." >&2
    exit 1
fi
