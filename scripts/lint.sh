#!/bin/sh
# Format and lints. Clippy runs on the release profile: procedural macros are then compiled once for everything.
set -eu
cd "$(dirname "$0")/.."
scripts/step.sh "Format" cargo fmt --all --check
scripts/step.sh "Lints, browser" cargo xtask wasm clippy -- -D warnings
scripts/step.sh "Lints, server" cargo clippy --locked --workspace --all-targets --release --features ssr -- -D warnings
