#!/bin/sh
# Rust, and its standard library for the browser; the second is installed if missing.
set -eu
target=wasm32-unknown-unknown

if ! command -v cargo >/dev/null 2>&1; then
    echo "Rust is missing: install it from https://rustup.rs and run this again." >&2
    exit 1
fi
[ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] && exit 0

if ! command -v rustup >/dev/null 2>&1; then
    echo "The Rust target $target is missing, and there is no rustup to add it: install Rust from https://rustup.rs, or your system's package of that target." >&2
    exit 1
fi
if ! rustup target add "$target"; then
    echo "rustup could not add the target $target: check the network, then run 'rustup target add $target'." >&2
    exit 1
fi
