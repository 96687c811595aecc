// Processes end, servers restart, networks go away: a request is never lost, and one that is over never stays on screen.
const { test, expect, open, isLive, connection, form, message, transcript, sidebar, inboxLink, button, say } = require("../support.js");
const { TOKEN } = require("../server.js");

/** The process of a session, as the server tells it. */
const process = async (server, id) => (await server.api("list_processes")).find((known) => known.session_id === id);

/** Nothing waits any more, wherever one looks. */
async function nothingWaits(page) {
  await expect(form(page)).toHaveCount(0);
  await expect(message(page)).toBeVisible();
  await expect(inboxLink(page)).toHaveAccessibleName("Inbox");
  await expect(sidebar(page).getByRole("link", { name: /waiting for you/ })).toHaveCount(0);
  await expect(page).not.toHaveTitle(/^\(/);
}

test("the process is ended while it asks: the form disappears, and a message resumes the session", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await page.getByLabel("More", { exact: true }).click();
  await button(page, "End process").click();
  await expect(form(page)).toBeVisible(); // asked twice
  await button(page, "End it").click();
  await nothingWaits(page);
  await expect(transcript(page)).toContainText("Process ended");
  await expect(page.locator(".session-head")).toContainText("Ended by you. Send a message to resume.");
  expect(server.file("countersign-demo.txt")).toBeUndefined();

  await say(page, "ask a question");
  await expect(form(page).getByRole("radio")).toHaveCount(3);
});

test("the process is ended through another client while it asks: the form disappears", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await server.api("kill", { session_id: id });
  await nothingWaits(page);
});

test("the process crashes while it asks: the form disappears and the error is said in words", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await say(page, "crash while asking");
  await expect(transcript(page)).toContainText("I ask you something, and then I fall over");
  await expect(page.locator(".session-head")).toContainText(/ended with an error/);
  await expect(page.locator(".session-head")).toContainText("crashed because it was asked to");
  await nothingWaits(page);
});

test("the process crashes in its turn: what it said is kept, the error is said in words, a message resumes it", async ({ page, server }) => {
  const id = await server.startSession("crash");
  await open(page, server.page(id));
  await expect(page.locator(".session-head")).toContainText("crashed because it was asked to");
  await expect(page.locator(".session-head")).toContainText("Send a message to resume.");
  await expect(transcript(page)).toContainText("I am going to fall over now");
  await say(page, "run a command");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
});

test("an agent that cannot start says why", async ({ page, server }) => {
  server.environment.COUNTERSIGN_DEMO_FAIL_START = "1";
  const port = server.address;
  await page.goto("about:blank");
  await server.restart();
  expect(server.address).toBe(port);
  await open(page, server.origin);
  await button(page, "New session").click();
  await page.getByRole("textbox", { name: "First message" }).fill("run a command");
  await button(page, "Start session").click();
  await expect(page.locator(".session-head")).toContainText("ended with an error");
  await expect(page.locator(".session-head .trouble")).toContainText(/demo/i);
});

test("the request is taken back: the form disappears and the transcript says so", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await say(page, "withdraw");
  await expect(transcript(page)).toContainText("I ask you something now");
  await expect(transcript(page)).toContainText("I found out by myself and took the request back.");
  await expect(transcript(page)).toContainText("Withdrawn by the agent");
  await nothingWaits(page);
});

test("the turn is stopped while it asks: the form disappears", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await button(page, "Stop").click();
  await nothingWaits(page);
  await expect.poll(async () => (await process(server, id)).state).toBe("user_turn");
});

test("reloaded, the request is in the very first HTML, and it still works", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession("run a command");
  await expect.poll(() => server.pending(id)).toHaveLength(1);

  const html = await (await fetch(server.page(id), { headers: { authorization: `Bearer ${TOKEN}` } })).text();
  expect(html).toContain('aria-label="Pending request"');
  expect(html).toContain("(1) ");

  const withoutScript = await secondBrowser({ javaScriptEnabled: false });
  await withoutScript.goto(server.page(id));
  await expect(form(withoutScript)).toContainText("echo Hello from Countersign");
  await expect(message(withoutScript)).toHaveCount(0);
  await expect(sidebar(withoutScript).getByRole("link", { name: /waiting for you/ })).toBeVisible();
  await withoutScript.goto(server.origin);
  await expect(form(withoutScript)).toContainText("echo Hello from Countersign");
  await expect(withoutScript).toHaveTitle("(1) Inbox · Countersign");

  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await page.reload();
  await isLive(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  expect(server.file("countersign-demo.txt")).toBe("Hello from Countersign\n");
});

test("reloaded in the middle, the conversation is whole and told once", async ({ page, server }) => {
  const id = await server.startSession("write a file then run a command");
  await open(page, server.page(id));
  await button(form(page), "Allow once").click();
  await expect(form(page)).toContainText("wants to run a command");
  await page.reload();
  await isLive(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  await expect(transcript(page)).toContainText("Worked for");
  const told = await transcript(page).innerText();
  await page.reload();
  await isLive(page);
  await expect(transcript(page).getByText("Allowed once · by you")).toHaveCount(2);
  await expect(transcript(page).getByText("countersign-demo.md is written.")).toHaveCount(1);
  const words = (text) => text.replace(/\s+/g, " ");
  expect(words(await transcript(page).innerText())).toBe(words(told));
});

test("the server is killed and started again under the page: it comes back by itself", async ({ page, server, guard }) => {
  guard.expectLostConnection();
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await server.kill();
  await expect(connection(page)).toHaveAttribute("data-state", /reconnecting|offline/);
  await expect(connection(page)).toHaveText(/reconnecting|offline/);
  // nothing is claimed that nobody can know
  const reach = page.getByRole("status", { name: "Server" });
  await expect(reach).toContainText("The server cannot be reached.");
  await server.start();
  await isLive(page);
  await expect(reach).toBeHidden();

  // the process ended with its server, and the page says so
  await nothingWaits(page);
  await expect(transcript(page)).toContainText("Process ended");
  await expect(transcript(page)).toContainText(/Countersign was stopped while this (ran|waited)\. Send a message to go on\./);

  await button(page, "New session").click();
  await page.getByRole("textbox", { name: "First message" }).fill("ask a question");
  await button(page, "Start session").click();
  await form(page).getByRole("radio", { name: "Straight" }).check();
  await button(form(page), "Submit answers").click();
  await expect(transcript(page)).toContainText("This is what I understood");
});

test("the server is stopped and started again: the old session goes on with a message", async ({ page, server, guard }) => {
  guard.expectLostConnection();
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await server.stop();
  await expect(connection(page)).toHaveAttribute("data-state", /reconnecting|offline/);
  await expect(form(page)).toHaveCount(0);
  await server.start();
  await isLive(page);
  await nothingWaits(page);
  await say(page, "run: echo back > back.txt");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  expect(server.file("back.txt")).toBe("back\n");
});

test("after a restart of the server a model is chosen for the session that is gone on with", async ({ page, server, api, guard }) => {
  guard.expectLostConnection();
  const id = await server.startSession("help");
  await open(page, server.page(id));
  const model = page.locator(".session-head").getByRole("combobox", { name: "Model" });
  await expect(model).toBeVisible();
  await expect(page.locator(".session-head")).toContainText("your turn");
  await server.stop();
  await server.start();
  await isLive(page);
  await open(page, server.page(id));
  await expect(page.locator(".session-head").getByText("ended", { exact: true })).toBeVisible();
  const other = api ? "haiku" : "quick";
  await model.selectOption(other);
  await expect(model).toHaveAttribute("aria-busy", "false");
  await page.reload();
  await expect(model).toHaveValue(other);
});

test("the connection is cut while a request waits: the form stays, and works again by itself", async ({ server, secondBrowser, cable, guard }) => {
  guard.expectLostConnection();
  const page = await secondBrowser({ proxy: await cable.lay() });
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  cable.cut();
  await expect(connection(page)).toHaveAttribute("data-state", /reconnecting|offline/);
  await expect(form(page)).toBeVisible();
  cable.mend();
  await isLive(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
});

test("the connection is cut while a request arrives and another one ends: the page catches up", async ({ server, secondBrowser, cable, guard }) => {
  guard.expectLostConnection();
  const page = await secondBrowser({ proxy: await cable.lay() });
  const [stays, ends] = [await server.startSession("help"), await server.startSession("ask a question")];
  await open(page, server.page(stays));
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+1\b/);
  cable.cut();
  await expect(connection(page)).toHaveAttribute("data-state", /reconnecting|offline/);
  await server.api("kill", { session_id: ends });
  await server.send(stays, "three things");
  await expect.poll(() => server.pending(stays)).toHaveLength(3);
  cable.mend();
  await expect(form(page)).toContainText("1 of 3");
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+3\b/);
  await expect(sidebar(page).getByRole("link", { name: /waiting for you/ })).toHaveCount(1);
  await expect(transcript(page).getByText("I would like to look at 3 files")).toHaveCount(1);
});

test("an answer given while the connection is down is refused in words, and is given again when it is back", async ({ server, secondBrowser, cable, guard }) => {
  guard.expectLostConnection();
  const page = await secondBrowser({ proxy: await cable.lay() });
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await expect(button(form(page), "Allow once")).toBeEnabled();
  cable.cut();
  await expect(connection(page)).toHaveAttribute("data-state", /reconnecting|offline/);
  await button(form(page), "Allow once").click();
  await expect(form(page).getByRole("alert")).toContainText("The server could not be reached");
  expect(await server.pending(id)).toHaveLength(1);
  cable.mend();
  await isLive(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
});

test("the network is lost while a request arrives: when it is back, the form is there", async ({ page, server, guard }) => {
  guard.expectLostConnection();
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(message(page)).toBeVisible();
  await page.context().setOffline(true);
  await server.send(id, "run a command");
  await expect.poll(() => server.pending(id)).toHaveLength(1);
  await page.context().setOffline(false);
  await expect(form(page)).toBeVisible();
  await isLive(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
});
