// From the frame that brings a request to its card on the screen, for what is large, long or many.
const { test } = require("@playwright/test");
const { start, percentile, judge } = require("./server.js");

const ROUNDS = 42;
const AT_ONCE = 50;

// Runs in the page, before it: notes when a frame brings something new to be answered, and how long the page was busy.
function listen() {
  window.came = {};
  window.busy = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.busy = Math.max(window.busy, entry.duration)))).observe({ type: "longtask" });
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...how) {
      super(...how);
      this.addEventListener("message", (event) => {
        if (!event.data.includes('"process_state"')) return;
        const at = performance.now();
        for (const [, id] of event.data.matchAll(/"request_id":"([^"]+)"/g)) window.came[id] ??= at;
      });
    }
  };
}

// Runs in the page: waits until the card of the newest request is whole, and the frame that shows it is done.
function painted([known, whole]) {
  return new Promise((resolve) => {
    const look = () => {
      const ids = Object.keys(window.came).filter((id) => !known.includes(id));
      const form = document.querySelector('form[aria-label="Pending request"]');
      const is = { diff: () => form.querySelectorAll(".diff .line").length > 20, questions: () => form.querySelectorAll("fieldset").length === 4, segments: () => form.querySelectorAll(".segments .seg").length > 20, queue: () => form.textContent.includes("1 of 50") };
      if (ids.length > 0 && form && is[whole]()) return setTimeout(() => resolve({ ids, took: performance.now() - window.came[ids.at(-1)], busy: window.busy }));
      requestAnimationFrame(look);
    };
    look();
  });
}

test("cards that are large, long or many", async ({ browser }) => {
  const running = await start();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(running.link);
  await page.locator("[data-state=live]").first().waitFor();
  await page.addInitScript(listen);
  console.log("\nmilliseconds from the frame to the card on the screen, p95");
  for (const [name, word, whole, goal] of [
    ["a command of 2 kB, in its parts", "large", "segments", 100],
    ["a file of 5,000 lines, as a diff", "write", "diff", 250],
    ["four questions", "questions", "questions", 100],
  ]) {
    const { session_id } = await running.call("start_session", { project: running.directory, prompt: "ask 0 times" });
    await page.goto(`${running.base}/session/${session_id}`);
    await page.locator("[data-state=live]").first().waitFor();
    const times = [];
    const known = [];
    let busy = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.evaluate(() => (window.busy = 0));
      await running.call("send_message", { session_id, text: `ask 1 ${word}` });
      const seen = await page.evaluate(painted, [known, whole]);
      known.push(...seen.ids);
      times.push(seen.took);
      busy = Math.max(busy, seen.busy);
      const waiting = (await running.call("list_processes", {})).find((one) => one.session_id === session_id).pending_requests[0];
      const response = word === "questions" ? { request_type: "ask_user_question", cancelled: true } : { request_type: "tool_approval", decision: "deny" };
      await running.call("respond", { session_id, request_id: waiting.request_id, response });
      await page.locator('form[aria-label="Pending request"]').waitFor({ state: "detached" });
    }
    judge(name, percentile(times.slice(2), 95), goal);
    console.log(`${"  the page was busy at most".padEnd(52)} ${busy.toFixed(1).padStart(8)}`);
    await running.call("kill", { session_id });
  }
  const many = [];
  for (let round = 0; round < 5; round += 1) {
    const { session_id } = await running.call("start_session", { project: running.directory, prompt: "ask 0 times" });
    await page.goto(`${running.base}/session/${session_id}`);
    await page.locator("[data-state=live]").first().waitFor();
    await running.call("send_message", { session_id, text: `ask ${AT_ONCE} queued` });
    many.push((await page.evaluate(painted, [[], "queue"])).took);
    await running.call("kill", { session_id });
  }
  judge(`the last of ${AT_ONCE} at once`, percentile(many, 95), 100);
  running.child.kill("SIGTERM");
});
