// What a person waits for, in milliseconds. Prints a table; the goals are judged, not asserted: a busy machine is slower.
const { test } = require("@playwright/test");
const fs = require("node:fs");
const { start, percentile, judge } = require("./server.js");

const ROUNDS = 60;

// Runs in the page: notes when a form can be seen, clicks it when it may be clicked, notes the click.
function watch() {
  window.seen = [];
  const known = new Set();
  const clock = () => performance.timeOrigin + performance.now();
  const look = () => {
    const form = document.querySelector('form[aria-label="Pending request"]');
    const what = form?.querySelector(".code, pre")?.textContent;
    if (form && what && form.getBoundingClientRect().height > 0 && !known.has(what)) {
      known.add(what);
      const round = { visible: clock(), clicked: 0 };
      window.seen.push(round);
      const press = () => {
        const button = [...form.querySelectorAll("button")].find((button) => button.textContent.trim().startsWith("Allow once"));
        const ready = document.querySelector("[data-state=live]") && button && !button.disabled && !form.classList.contains("fresh");
        if (!ready) return setTimeout(press, 10);
        round.clicked = clock();
        button.click();
      };
      setTimeout(press, 500);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

// Runs in the page: when the form is there, when the page answers, when it is live.
function firstLook() {
  const look = () => {
    const form = document.querySelector('form[aria-label="Pending request"]');
    if (!window.formSeen && form && form.getBoundingClientRect().height > 0) window.formSeen = performance.now();
    // from here on it answers, by a call if need be; live is when what happens elsewhere arrives, too
    if (!window.interactive && document.documentElement?.dataset.hydrated) window.interactive = performance.now();
    if (!window.live && document.querySelector("[data-state=live]")) window.live = performance.now();
    if (!window.formSeen || !window.interactive || !window.live) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A login of its own; what it is kept in. */
async function loggedIn(browser, link) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.locator("[data-state=live]").first().waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** A page opened by browsers that have nothing of it yet: when it answers and is live, and what it took until then. */
async function coldly(browser, storageState, address, isThere) {
  const cold = { interactive: [], live: [], bytes: 0 };
  for (let round = 0; round < 8; round += 1) {
    const fresh = await browser.newContext({ storageState });
    const page = await fresh.newPage();
    await page.addInitScript(firstLook);
    await page.goto(address);
    await page.waitForFunction(isThere);
    cold.interactive.push(await page.evaluate(() => window.interactive));
    cold.live.push(await page.evaluate(() => window.live));
    // what came meanwhile, to the end: nothing more is on its way that was asked for
    await page.waitForLoadState("networkidle");
    cold.bytes = await page.evaluate(() =>
      [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")].reduce((sum, entry) => sum + entry.encodedBodySize, 0));
    await fresh.close();
  }
  return cold;
}

test("what a person waits for", async ({ browser }) => {
  const running = await start();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(running.link);
  await page.locator("[data-state=live]").first().waitFor();

  const { session_id } = await running.call("start_session", { project: running.directory, prompt: `ask ${ROUNDS} times` });
  await page.addInitScript(watch);
  await page.goto(`${running.base}/session/${session_id}`);
  await page.waitForFunction((rounds) => window.seen.length >= rounds && window.seen.every((round) => round.clicked), ROUNDS, { timeout: 120_000 });
  const seen = await page.evaluate(() => window.seen);
  let notes = [];
  while (notes.length < ROUNDS) notes = fs.readFileSync(running.notes, "utf8").trim().split("\n").map((line) => line.split(" ").map((n) => Number(n) / 1000));
  // the first rounds warm caches up (and the very first was asked before the page was there)
  const asks = seen.map((round, index) => round.visible - notes[index][1]).slice(5);
  const answers = seen.map((round, index) => notes[index][2] - round.clicked).slice(5);

  // a request stays open; the page is loaded again
  const waiting = await running.call("start_session", { project: running.directory, prompt: "ask 1 time" });
  // the first page answers whatever it sees: it may not see this one
  await page.close();
  const measure = async (page) => {
    await page.waitForFunction(() => window.formSeen && window.interactive && window.live);
    return page.evaluate(() => ({ form: window.formSeen, interactive: window.interactive, live: window.live }));
  };
  const again = await context.newPage();
  await again.addInitScript(firstLook);
  const reloads = [];
  await again.goto(`${running.base}/session/${waiting.session_id}`);
  await again.locator('form[aria-label="Pending request"]').waitFor();
  for (let round = 0; round < 15; round += 1) {
    await again.reload();
    reloads.push((await measure(again)).form);
  }
  // the page that the printed link leads to, while nothing waits; and one with everything on it
  const still = await start();
  const inbox = await coldly(browser, await loggedIn(browser, still.link), still.base, () => window.interactive && window.live);
  still.child.kill("SIGTERM");
  const session = await coldly(browser, await context.storageState(), `${running.base}/session/${waiting.session_id}`, () => window.formSeen && window.interactive && window.live);
  console.log("\nmilliseconds");
  judge("ask → form visible, p50", percentile(asks, 50), 20);
  judge("ask → form visible, p95", percentile(asks, 95), 40);
  judge("click → line on the agent's stdin, p50", percentile(answers, 50), 2);
  judge("click → line on the agent's stdin, p95", percentile(answers, 95), 5);
  judge("reload with a request pending → form visible, p50", percentile(reloads, 50), 250);
  for (const [name, cold] of Object.entries({ "the inbox": inbox, "a session that asks": session })) {
    judge(`cold page interactive, ${name}, p50`, percentile(cold.interactive, 50), 400);
    console.log(`${`  live (the socket is open, too), p50`.padEnd(52)} ${percentile(cold.live, 50).toFixed(1).padStart(8)}`);
    judge(`cold page in total, ${name}, kB compressed`, cold.bytes / 1000, 350);
  }
  running.child.kill("SIGTERM");
});
