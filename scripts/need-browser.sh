#!/bin/sh
# Prints the path of a Chromium: $CHROMIUM, or one on PATH, or one installed now. The headless shell is the same browser without
# its windows: a test starts four times as fast in it, so where there is a choice it is taken.
set -eu

find_shell() {
    command -v chromium-headless-shell
}

find_browser() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" && return 0
    done
    return 1
}

install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        return 1
    fi
    $as_root apt-get update -qq >&2 || true # an old list may do
    $as_root apt-get install -y --no-install-recommends "$1" >&2
}

if [ -n "${CHROMIUM:-}" ]; then
    command -v "$CHROMIUM" && exit 0
    echo "CHROMIUM is set to $CHROMIUM, which is not a program: set it to the path of a Chromium or Chrome." >&2
    exit 1
fi
find_shell && exit 0
find_browser && exit 0
if install chromium-headless-shell && find_shell; then
    exit 0
fi
# another system may have it in one piece only
if install chromium && find_browser; then
    exit 0
fi
echo "The browser tests need Chromium, and it could not be installed: install it ('apt-get install chromium') or set CHROMIUM to its path." >&2
exit 1
