#!/bin/sh
# The program that builds the others (xtask). The first time, everything it stands on is compiled with it.
set -eu
[ -x "${CARGO_TARGET_DIR:-target}/debug/xtask" ] && exit 0
echo "The first build compiles everything, about ten minutes on two cores; later ones take seconds to minutes."
exec cargo build --locked --package xtask
