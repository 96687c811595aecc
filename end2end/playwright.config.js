// @ts-check
// Every test starts its own server, from COUNTERSIGN_BIN, on its own port and with its own data: nothing is shared.
const path = require("node:path");
const { defineConfig } = require("@playwright/test");

const target = path.resolve(__dirname, "..", process.env.CARGO_TARGET_DIR ?? "target");
process.env.COUNTERSIGN_BIN ??= path.join(target, "release", "countersign");
process.env.SCRIPTED_API ??= path.join(target, "release", "examples", "scripted_api");

/** What runs with the demo agent and with Claude Code itself alike. The other files are about looks (look, motion, opened) and the
 * door, whoever the agent is. */
const BOTH = ["requests", "queue", "tabs", "life", "drafts", "keyboard", "control", "effort", "noted", "batch", "insight", "policies", "attention", "undisturbed", "returning", "triage", "plain", "content", "many", "history", "rewound", "written", "about", "about_changed", "aside", "archive", "cut_off", "earlier"];

/** Tests of those files that only the demo agent can play; tests/claude has what Claude Code does there. */
const DEMO_ONLY = [
  // its model writes no code
  "a block of code is copied",
  // Claude Code neither falls over nor takes a request back because it is told to
  "the process crashes while it asks",
  "the process crashes in its turn",
  "an agent that cannot start says why",
  "the request is taken back",
  // and it has a key here; claude.spec.js has it without one
  "without a login the page says",
];

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
  projects: [
    { name: "demo", testIgnore: "claude.spec.js", use: { agent: "demo" } },
    {
      name: "claude",
      testMatch: [...BOTH, "claude"].map((name) => `${name}.spec.js`),
      grepInvert: new RegExp(DEMO_ONLY.join("|")),
      // drawing what moves costs as much as a tenth of these tests; with the demo agent they run as most people see the page
      use: { agent: "claude", contextOptions: { reducedMotion: "reduce" } },
      // a start of Claude Code takes most of a second of a core, and more where others want the core, too
      timeout: 90_000,
      expect: { timeout: 20_000 },
    },
  ],
  use: {
    // recording takes as long again as the tests do: `--trace on` for one that fails here
    trace: "on-first-retry",
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
