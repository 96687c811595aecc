// Several tabs, several sessions: every tab follows what the server says, and the first answer wins.
const { test, expect, open, form, message, transcript, sidebar, inboxLink, button, reason, isReady, refusalsOf, holdAnswers } = require("../support.js");

test("answered in one tab, the form disappears in all of them", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession("run a command");
  const [other, inbox] = [await secondBrowser(), await page.context().newPage()];
  await Promise.all([open(page, server.page(id)), open(other, server.page(id)), open(inbox, server.origin)]);
  for (const tab of [page, other, inbox]) {
    await expect(form(tab)).toHaveCount(1);
    await expect(tab).toHaveTitle(/^\(1\) /);
  }
  await button(form(page), "Allow once").click();
  for (const tab of [page, other, inbox]) {
    await expect(form(tab)).toHaveCount(0);
    await expect(tab).not.toHaveTitle(/^\(/);
    await expect(inboxLink(tab)).toHaveAccessibleName("Inbox");
  }
  await expect(message(other)).toBeVisible();
  await expect(transcript(other)).toContainText("Done. The command ran once");
  await expect(inbox.getByText("Nothing waits for you")).toBeVisible();
});

test("a request appears in a tab that looks at another session", async ({ page, server, secondBrowser }) => {
  const [asking, quiet] = [await server.startSession("help"), await server.startSession("stream markdown")];
  const other = await secondBrowser();
  await open(page, server.page(asking));
  await open(other, server.page(quiet));
  await server.send(asking, "ask a question");
  await expect(form(page)).toBeVisible();
  await expect(sidebar(other).getByRole("link", { name: /Help.*waiting for you/i })).toBeVisible();
  await expect(other).toHaveTitle(/^\(1\) Stream markdown/i);
  await expect(form(other)).toHaveCount(0);
  await expect(message(other)).toBeVisible();
});

test("two tabs answer at once: one wins, the other is told so in words", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession("run a command");
  const other = await secondBrowser();
  // both answers have left their tab before either is at the server
  const holds = [await holdAnswers(page), await holdAnswers(other)];
  await Promise.all([open(page, server.page(id)), open(other, server.page(id))]);
  await button(form(other), "Deny").click();
  await reason(other).fill("I was second.");
  await Promise.all([button(form(page), "Allow once").click(), button(form(other), "Deny").click()]);
  await expect.poll(() => holds.map((hold) => hold.clicked)).toEqual([1, 1]);
  for (const hold of holds) hold.letGo();

  const refused = () => [page, other].map((tab) => refusalsOf(tab).map((refusal) => refusal.code));
  await expect.poll(() => refused().flat()).toEqual(["already_resolved"]);
  const pageWon = refused()[0].length === 0;
  const [winner, loser] = pageWon ? [page, other] : [other, page];
  const told = (tab) => tab.getByRole("alert").filter({ hasText: "changed nothing" });
  await expect(told(loser)).toBeVisible();
  await expect(told(winner)).toHaveCount(0);
  for (const tab of [page, other]) {
    await expect(form(tab)).toHaveCount(0);
    await expect(transcript(tab)).toContainText(pageWon ? "Allowed once · by you" : "Denied · by you");
  }
  await button(loser, "Dismiss").click();
  await expect(told(loser)).toHaveCount(0);
});

test("two sessions wait at once: the inbox shows both, oldest first, and takes the answers in place", async ({ inbox: page, server, secondBrowser }) => {
  const first = await server.startSession("run a command");
  await expect.poll(() => server.pending(first)).toHaveLength(1);
  const second = await server.startSession("ask a question");
  await expect.poll(() => server.pending(second)).toHaveLength(1);
  const other = await secondBrowser();
  await open(other, server.page(first));

  await expect(form(page)).toHaveCount(2);
  const rows = page.getByRole("main").getByRole("list").first().locator("> li");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText("run a command");
  await expect(rows.nth(1)).toContainText("garden path");
  await expect(page).toHaveTitle("(2) Inbox · Countersign");
  for (const tab of [page, other]) await expect(inboxLink(tab)).toHaveAccessibleName(/^Inbox\s+2\b/);
  await expect(sidebar(page).getByRole("link", { name: /waiting for you/ })).toHaveCount(2);

  // the younger one first
  await form(page).nth(1).getByRole("radio", { name: "Curved" }).check();
  await button(form(page).nth(1), "Submit answers").click();
  await expect(form(page)).toHaveCount(1);
  for (const tab of [page, other]) {
    await expect(inboxLink(tab)).toHaveAccessibleName(/^Inbox\s+1\b/);
    await expect(tab).toHaveTitle(/^\(1\) /);
    await expect(sidebar(tab).getByRole("link", { name: /waiting for you/ })).toHaveCount(1);
  }
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  await expect(form(other)).toHaveCount(0);
  for (const tab of [page, other]) {
    await expect(inboxLink(tab)).toHaveAccessibleName("Inbox");
    await expect(tab).not.toHaveTitle(/^\(/);
    await expect(sidebar(tab).getByRole("link", { name: /waiting for you/ })).toHaveCount(0);
  }
  await expect.poll(() => server.file("countersign-demo.txt")).toBe("Hello from Countersign\n");
});

test("\"not now\" folds a request and decides nothing", async ({ inbox: page, server }) => {
  const id = await server.startSession("run a command");
  await expect(form(page)).toBeVisible();
  await button(page, "Not now").click();
  await expect(form(page)).toHaveCount(0);
  expect(await server.pending(id)).toHaveLength(1);
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+1\b/);
  await button(page, "Review").click();
  await button(form(page), "Allow once").click();
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
});
