#!/bin/sh
# step.sh "heading" command...   the heading, the command, and how long it took
set -eu
heading=$1
shift
start=$(date +%s)
printf '\n==> %s\n' "$heading"
status=0
"$@" || status=$?
seconds=$(($(date +%s) - start))
if [ "$status" -ne 0 ]; then
    printf '<== %s: failed after %s s\n' "$heading" "$seconds"
    exit "$status"
fi
printf '<== %s: %s s\n' "$heading" "$seconds"
