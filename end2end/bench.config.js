// @ts-check
// `make bench`: the page, measured in a real browser. One worker, nothing else on the machine.
const { defineConfig } = require("@playwright/test");
const base = require("./playwright.config.js");
module.exports = defineConfig({ ...base, testDir: "./bench", projects: undefined, workers: 1, timeout: 300_000, use: { ...base.use, trace: "off" } });
