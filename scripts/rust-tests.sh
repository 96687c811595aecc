#!/bin/sh
# The Rust tests on the release profile, which shares the release build's dependencies; with nextest where it is installed.
set -eu
cd "$(dirname "$0")/.."
if cargo nextest --version >/dev/null 2>&1; then
    # on a pipeline, as for the browser tests: what passes when tried again is named as flaky in the summary
    exec cargo nextest run --locked --release --features ssr ${CI:+--retries 1}
fi
exec cargo test --locked --release --features ssr
