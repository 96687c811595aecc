// @ts-check
// Every test starts its own server, from COUNTERSIGN_BIN, on its own port and with its own data: nothing is shared.
const path = require("node:path");
const { defineConfig } = require("@playwright/test");

const target = path.resolve(__dirname, "..", process.env.CARGO_TARGET_DIR ?? "target");
process.env.COUNTERSIGN_BIN ??= path.join(target, "release", "countersign");
process.env.SCRIPTED_API ??= path.join(target, "release", "examples", "scripted_api");

module.exports = defineConfig({
  testDir: "./tests",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 2,
  // a machine that also builds may starve a browser once; what passes only then is listed as flaky
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  use: {
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox", // for root, as in a container; the pages are our own
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
      ],
    },
  },
});
