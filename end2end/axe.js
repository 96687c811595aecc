// @ts-check
// What axe has against a page.
const { AxeBuilder } = require("@axe-core/playwright");

/** Every form of the inbox has the name that the contract gives it; axe would like each to have another. */
const SAME_NAMES = ["landmark-unique"];

/** All violations, as short lines. @param {import("@playwright/test").Page} page @param {string[]} but rules that do not hold here */
async function complaints(page, but = []) {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).disableRules(but).analyze();
  return violations
    .flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
}

/** Colours in motion are no colours to judge. */
const settled = (/** @type {import("@playwright/test").Page} */ page) =>
  page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== "running" || animation.effect?.getComputedTiming().iterations === Infinity));

module.exports = { complaints, SAME_NAMES };
