#!/bin/sh
# Everything that a change must pass. The last lines are the test runners' own summaries.
set -eu
cd "$(dirname "$0")/.."
start=$(date +%s)
mkdir -p "${CARGO_TARGET_DIR:-target}"
target=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
kept=$(mktemp -d "$target/test.XXXXXX")
trap 'rm -rf "$kept"' EXIT

scripts/need-wasm.sh
scripts/need-node-packages.sh
CHROMIUM=$(scripts/need-browser.sh)
export CHROMIUM

scripts/lint.sh
scripts/step.sh "Release build" cargo xtask build --release
# the browser tests get what is shipped: the tests below put a server with their own dependencies in its place
cp "$target/release/countersign" "$kept/countersign"
export COUNTERSIGN_BIN="$kept/countersign"
scripts/step.sh "Tests compile for the browser" cargo xtask wasm test --no-run
scripts/step.sh "Tests of the build tool" cargo test --quiet --locked --package xtask
scripts/step.sh "Tests" scripts/recorded.sh "$kept/tests" scripts/rust-tests.sh
scripts/step.sh "Model that follows a script" cargo build --locked --release --features ssr --example scripted_api
scripts/step.sh "Browser tests" scripts/recorded.sh "$kept/browser-tests" \
    end2end/node_modules/.bin/playwright test --config end2end/playwright.config.js

printf '\n==> All passed in %s s\n' "$(($(date +%s) - start))"
grep -E 'Summary.*tests? run|test result:' "$kept/tests" || true
grep -E '[0-9]+ (passed|skipped|flaky)' "$kept/browser-tests" || true
