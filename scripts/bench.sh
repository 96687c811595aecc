#!/bin/sh
# Measures the server (benches/), then the page in a browser (end2end/bench.config.js).
set -eu
cd "$(dirname "$0")/.."
scripts/need-wasm.sh
scripts/need-node-packages.sh
CHROMIUM=$(scripts/need-browser.sh)
export CHROMIUM

scripts/step.sh "Front end" cargo xtask build --release --frontend-only
scripts/step.sh "Agent that measures" cargo build --release --locked --features ssr --example bench_agent
scripts/step.sh "Server" cargo bench --locked --features ssr --bench hop
scripts/step.sh "Insight" cargo bench --locked --features ssr --bench insight
scripts/step.sh "Claude Code" cargo bench --locked --features ssr --bench claude
# after the bench, which puts a server with its own dependencies in the place of the one that is shipped
scripts/step.sh "Release build" cargo xtask build --release
scripts/step.sh "Page" end2end/node_modules/.bin/playwright test --config end2end/bench.config.js
