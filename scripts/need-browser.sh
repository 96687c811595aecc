#!/bin/sh
# Prints the path of a Chromium: $CHROMIUM, or one on PATH, or one installed now.
set -eu

find_browser() {
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" && return 0
    done
    return 1
}

install_browser() {
    command -v apt-get >/dev/null 2>&1 || return 1
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        return 1
    fi
    $as_root apt-get update -qq >&2 || true # an old list may do
    $as_root apt-get install -y --no-install-recommends chromium >&2
}

if [ -n "${CHROMIUM:-}" ]; then
    command -v "$CHROMIUM" && exit 0
    echo "CHROMIUM is set to $CHROMIUM, which is not a program: set it to the path of a Chromium or Chrome." >&2
    exit 1
fi
find_browser && exit 0
if install_browser; then
    find_browser && exit 0
fi
echo "The browser tests need Chromium, and it could not be installed: install it ('apt-get install chromium') or set CHROMIUM to its path." >&2
exit 1
