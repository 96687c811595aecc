// What a command writes while it still runs, and how long it has been at work.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect, open, form, message, transcript, button, isReady, say } = require("../support.js");

/** Writes, waits to be let go, and ends. */
const COMMAND = "echo begun | tee log.txt; until [ -e go.txt ]; do sleep 0.1; done; echo over";

/** @param {import("@playwright/test").Page} page */
const isDone = (page) => expect(page.locator(".session-head")).toContainText("your turn");
/** @param {import("@playwright/test").Page} page */
const soFar = (page) => transcript(page).locator(".so-far pre");
/** How often a page has asked what a call writes. @param {import("@playwright/test").Page} page */
function asked(page) {
  const asked = { count: 0 };
  page.on("request", (request) => (asked.count += request.url().endsWith("/api/call_output") ? 1 : 0));
  return asked;
}
/** @param {any} server @param {string} name */
const letGo = (server, name = "go.txt") => fs.writeFileSync(path.join(server.project, name), "");
/** @param {import("@playwright/test").Locator} place */
const seconds = async (place) => Number(/^(\d+) s$/.exec((await place.textContent()) ?? "")?.[1]);

test("a command shows what it writes while it runs, and then only its result", async ({ page, server }) => {
  const calls = asked(page);
  const id = await server.startSession(`run: ${COMMAND}`);
  await open(page, server.page(id));
  await isReady(page);
  expect(calls.count, "not while it waits").toBe(0);
  await button(form(page), "Allow once").click();
  await expect(soFar(page)).toHaveText("begun");
  const call = transcript(page).locator(".call");
  await expect(call.getByText("running")).toHaveCount(1);
  letGo(server);
  await expect(call.getByText("done", { exact: true })).toHaveCount(1);
  await expect(soFar(page)).toHaveCount(0);
  await call.locator("summary").first().click();
  await expect(call.locator(".result")).toHaveText("begun\nover");

  await isDone(page);
  const before = calls.count;
  expect(before).toBeGreaterThan(0);
  await say(page, "help");
  await expect(transcript(page).locator(".turn-end")).toHaveCount(2);
  expect(calls.count, "nobody asks when nothing runs").toBe(before);
});

test("its last lines are shown, and whoever is at the end stays there", async ({ page, server }) => {
  await page.setViewportSize({ width: 900, height: 420 });
  const lines = "for i in $(seq 30); do echo line $i; done | tee log.txt";
  const id = await server.startSession(`run: ${lines}; until [ -e go.txt ]; do sleep 0.1; done; echo over`);
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(soFar(page)).toContainText("line 30");
  await expect(soFar(page)).toHaveText(Array.from({ length: 12 }, (_, index) => `line ${index + 19}`).join("\n"));
  await expect(transcript(page)).toContainText("So far, its last lines");
  const left = () => page.locator(".transcript > .scroll").evaluate((scroller) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop);
  await expect.poll(left, "at the end").toBeLessThan(2);
  const jump = button(page, "Jump to latest");
  await expect(jump).toHaveCount(0);
  // the smallest step up lets go, as one of an arrow key
  await page.locator(".transcript > .scroll").evaluate((scroller) => scroller.scrollBy(0, -40));
  await expect(jump).toBeVisible();
  await jump.click();
  await expect.poll(left, "at the end").toBeLessThan(2);
  await expect(jump).toHaveCount(0);
  letGo(server);
  await expect(soFar(page)).toHaveCount(0);
});

test("how long it has been at work is counted, also after a reload, and not read out", async ({ page, server }) => {
  const id = await server.startSession(`run: ${COMMAND}`);
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  const ofCall = transcript(page).locator(".call .elapsed");
  const ofTurn = page.locator(".working .elapsed");
  await expect.poll(() => seconds(ofCall)).toBeGreaterThan(3);
  await expect(ofCall).toHaveAttribute("aria-hidden", "true");
  const before = await seconds(ofTurn);
  await page.reload();
  expect(await seconds(ofTurn), "at once").toBeGreaterThanOrEqual(before);
  await expect.poll(() => seconds(ofTurn), "and on").toBeGreaterThan(before + 1);
  letGo(server);
  await isDone(page);
  await expect(page.locator(".elapsed")).toHaveCount(0);
});

test("a command of the person's own shows what it writes, too", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await message(page).fill(`!${COMMAND}`);
  await message(page).press("Enter");
  const shown = page.locator(".own-command.runs .so-far pre");
  await expect(shown).toHaveText("begun");
  await expect(message(page), "free for something else").toHaveValue("");
  // whoever comes later sees it, too
  await page.reload();
  await expect(shown).toHaveText("begun");
  await expect(button(page, "Stop the command")).toBeVisible();
  letGo(server);
  await expect(transcript(page).locator(".own-command pre")).toHaveText("begun\nover");
  await expect(shown).toHaveCount(0);
});
