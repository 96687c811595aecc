#!/usr/bin/env bash
# recorded.sh file command...   the command; what it says goes to the terminal and into the file
set -euo pipefail
file=$1
shift
"$@" 2>&1 | tee "$file"
