# What one can do here. Each target is one line; how it is done stands in xtask/ and scripts/.
#   make run ARGS="--help"     ARGS go to the program

ARGS ?=
BINARY = "$${CARGO_TARGET_DIR:-target}/release/countersign"

.DEFAULT_GOAL := help
.PHONY: help run dev test bench fmt lint clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build the release and run it (needs only Rust); ARGS="..." are passed on
	@scripts/need-wasm.sh
	@scripts/need-build-tool.sh
	@cargo xtask build --release
	@exec $(BINARY) $(ARGS)

dev: ## Build, run, and do so again after every change; ARGS="..." are passed on
	@scripts/need-wasm.sh
	@scripts/need-build-tool.sh
	@cargo xtask dev $(ARGS)

test: ## Check everything: format, lints, tests, browser tests (installs what is missing)
	@scripts/test.sh

bench: ## Measure the server and the page
	@scripts/bench.sh

fmt: ## Format the Rust code
	@cargo fmt --all

lint: ## Check format and lints, for the server and for the browser
	@scripts/need-wasm.sh
	@scripts/need-build-tool.sh
	@scripts/lint.sh

clean: ## Remove everything that was built or installed here
	@cargo clean
	@rm -rf target end2end/node_modules end2end/test-results end2end/playwright-report
