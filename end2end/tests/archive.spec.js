// A session is put away, found again, brought back and deleted.
const { complaints } = require("../axe.js");
const { test, expect, open, isLive, connection, form, message, transcript, sidebar, inboxLink, button, isReady, say } = require("../support.js");

const inSidebar = (page, name) => sidebar(page).getByRole("link", { name });
const archivedLink = (page) => sidebar(page).getByRole("link", { name: /^Archived/ });
const said = (page) => page.getByRole("status", { name: "Archive" });
const rows = (page) => page.locator(".archived-list > li");

/** Its turn is over. */
async function finished(server, prompt) {
  const id = await server.startSession(prompt);
  await expect
    .poll(async () => {
      const processes = await server.api("list_processes");
      return processes.find((process) => process.session_id === id)?.state;
    })
    .toBe("user_turn");
  return id;
}

async function ended(server, prompt) {
  const id = await finished(server, prompt);
  await server.api("kill", { session_id: id });
  await expect.poll(async () => (await server.api("list_processes")).length).toBe(0);
  return id;
}

/** Every call of this name that a page makes. */
function calls(page, name) {
  const made = [];
  page.on("request", (request) => request.url().endsWith(`/api/${name}`) && made.push(request.postDataJSON()));
  return made;
}

/** A call of this name waits until it is let go; then it goes on, unless something else becomes of it. */
async function hold(page, name, then = (route) => route.continue()) {
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route(`**/api/${name}`, async (route) => {
    await held;
    await then(route);
  });
  return () => letGo();
}

const refuses = (route) => route.fulfill({ status: 409, json: { code: "agent_unavailable", message: "Not now." } });

async function archive(page) {
  await page.getByLabel("More", { exact: true }).click();
  await button(page, "Archive").click();
}

test("what runs is said before it is archived; every tab follows, and Undo brings it back", async ({ page, context, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  const other = await context.newPage();
  await open(other, server.origin);
  await expect(inSidebar(other, /waiting for you/)).toBeVisible();

  await archive(page);
  await expect(page.getByText("Its process is ended, and what it asks you is withdrawn.")).toBeVisible();
  await expect(button(page, "Keep it")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("More", { exact: true })).toBeFocused();
  await isReady(page);
  await archive(page);
  await button(page, "Archive it").click();
  await expect(page).toHaveURL(`${server.origin}/`);
  await expect(said(page)).toContainText("is archived.");
  for (const tab of [page, other]) {
    await expect(inSidebar(tab, /command/)).toHaveCount(0);
    await expect(form(tab)).toHaveCount(0);
    await expect(inboxLink(tab).first()).toHaveText("Inbox");
    await expect(tab).toHaveTitle("Inbox · Countersign");
    await expect(archivedLink(tab)).toContainText("1");
  }
  await button(said(page), "Undo").click();
  await expect(page).toHaveURL(server.page(id));
  await expect(message(page)).toBeVisible();
  await expect(said(page)).toBeHidden();
  for (const tab of [page, other]) {
    await expect(inSidebar(tab, /command/)).toBeVisible();
    await expect(archivedLink(tab)).toHaveCount(0);
  }
});

test("it is found in the archive with its transcript, also after a reload, and brought back by hand or by a message", async ({ page, server }) => {
  const id = await finished(server, "help");
  await server.api("archive_session", { session_id: id });
  await open(page, server.origin);
  await archivedLink(page).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("garden");
  expect(await complaints(page)).toEqual([]);
  await rows(page).getByRole("link").click();
  await expect(page).toHaveURL(server.page(id));
  await expect(page.getByText("This session is archived.")).toBeVisible();
  await expect(transcript(page)).toContainText(/help/i);
  expect(await complaints(page)).toEqual([]);
  await page.reload();
  await isLive(page);
  await expect(page.getByText("This session is archived.")).toBeVisible();
  await button(page, "Bring it back").click();
  await expect(page.getByText("This session is archived.")).toHaveCount(0);
  await expect(inSidebar(page, /help/i)).toBeVisible();

  await archive(page);
  await expect(said(page)).toContainText("is archived.");
  await page.goBack();
  await expect(page.getByText("This session is archived.")).toBeVisible();
  await say(page, "run: echo again > again.txt");
  await isReady(page);
  await expect(page.getByText("This session is archived.")).toHaveCount(0);
  await expect(inSidebar(page, /waiting for you/)).toBeVisible();
});

test("the archive follows other tabs, and its rows bring back", async ({ page, context, server }) => {
  const [one, two] = [await ended(server, "help"), await ended(server, "hello")];
  await server.api("archive_session", { session_id: one });
  await open(page, `${server.origin}/archived`);
  await expect(rows(page)).toHaveCount(1);
  await server.api("archive_session", { session_id: two });
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first(), "the last one first").toContainText(/hello/i);
  const other = await context.newPage();
  await open(other, server.page(two));
  await expect(other.getByText("This session is archived.")).toBeVisible();
  await page.bringToFront();
  // it takes no click as long as it may have been meant for the row that was there before
  const ofHello = rows(page).getByRole("button", { name: /^Bring back hello/i });
  await expect(async () => {
    if ((await ofHello.count()) > 0) await ofHello.click({ timeout: 1000 });
    await expect(rows(page)).toHaveCount(1, { timeout: 1000 });
  }).toPass({ timeout: 10_000 });
  await expect(other.getByText("This session is archived.")).toHaveCount(0);
});

test("deleting is asked twice; the history stays and no longer leads there, and the conversation can be taken up", async ({ page, server, agent }) => {
  const id = await server.startSession("run: echo one > one.txt");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Allowed once");
  await expect(message(page)).toBeVisible();
  await expect.poll(async () => (await server.api("list_processes"))[0].state).toBe("user_turn");
  await archive(page);
  await button(page, "Archive it").click();
  await expect(said(page)).toContainText("is archived.");
  await archivedLink(page).click();
  await rows(page).getByRole("link").click();
  await button(page, "Delete").click();
  await expect(page.getByText(/Its transcript and what you attached go\. What it asked and what you answered stay in the history/)).toBeVisible();
  await expect(page.getByText(agent === "demo" ? /the demo agent keeps its own record/ : /Claude Code keeps its own record/)).toBeVisible();
  await button(page, "Keep it").click();
  await button(page, "Delete").click();
  await button(page, "Delete it").click();
  await expect(page).toHaveURL(`${server.origin}/`);
  await expect(said(page)).toContainText("is deleted.");
  await expect(button(said(page), "Undo")).toBeHidden();
  await expect(archivedLink(page)).toHaveCount(0);

  await open(page, `${server.origin}/history`);
  const row = page.locator(".history-row");
  await row.locator("summary").first().click();
  await expect(row).toContainText("(deleted since)");
  await expect(row.locator(`a[href="/session/${id}"]`)).toHaveCount(0);

  await button(sidebar(page), "New session").click();
  await page.getByText("Go on with an earlier conversation").click();
  await page.locator(".kept").click();
  await expect(transcript(page)).toContainText("echo one > one.txt");
  await expect(message(page)).toBeVisible();
});

test("a request of the history leads to its archived session", async ({ page, server }) => {
  const id = await server.startSession("run: echo one > one.txt");
  await expect.poll(() => server.pending(id)).toHaveLength(1);
  await server.api("archive_session", { session_id: id });
  await open(page, `${server.origin}/history`);
  await page.locator(".history-row summary").first().click();
  await page.locator(`.history-row a[href="/session/${id}"]`).click();
  await expect(page.getByText("This session is archived.")).toBeVisible();
  await expect(transcript(page)).toContainText("echo one");
});

test("by the keyboard alone: archived in the sidebar, undone, and deleted on its page", async ({ page, server }) => {
  const id = await ended(server, "help");
  await open(page, server.origin);
  await inSidebar(page, /help/i).focus();
  await page.keyboard.press("Tab");
  await expect(sidebar(page).getByRole("button", { name: "Archive help" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(said(page)).toContainText(/“help” is archived\./i);
  await page.keyboard.press("Tab");
  await expect(button(said(page), "Undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(inSidebar(page, /help/i)).toBeVisible();
  await expect(page, "it was not on its page").toHaveURL(`${server.origin}/`);

  await server.api("archive_session", { session_id: id });
  await open(page, server.page(id));
  await button(page, "Delete").focus();
  await page.keyboard.press("Enter");
  await expect(button(page, "Keep it")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(button(page, "Delete it")).toBeFocused();
  await expect(button(page, "Delete it")).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(said(page)).toContainText(/“help” is deleted\./i);
});

test("whoever goes elsewhere while a session is being archived stays there, and goes on writing", async ({ page, server }) => {
  const other = await ended(server, "hello");
  const id = await finished(server, "help");
  await open(page, server.page(id));
  const letGo = await hold(page, "archive_session");
  await archive(page);
  const asked = page.waitForRequest("**/api/archive_session");
  await button(page, "Archive it").click();
  await asked;
  await inSidebar(page, /hello/i).click();
  await expect(page).toHaveURL(server.page(other));
  await message(page).pressSequentially("half a w");
  letGo();
  await expect(said(page)).toContainText(/“help” is archived\./i);
  await expect(inSidebar(page, /help/i)).toHaveCount(0);
  await page.keyboard.type("ord");
  await expect(message(page)).toBeFocused();
  await expect(message(page)).toHaveValue("half a word");
  await expect(page).toHaveURL(server.page(other));
  // nor does the way back lead away from here
  await button(said(page), "Undo").click();
  await expect(inSidebar(page, /help/i)).toBeVisible();
  await expect(page).toHaveURL(server.page(other));
});

test("that a session is not archived is said also to whoever has left its page", async ({ page, server, guard }) => {
  guard.expected.push(/status of 409/);
  const id = await finished(server, "help");
  await open(page, server.page(id));
  const letGo = await hold(page, "archive_session", refuses);
  await archive(page);
  await button(page, "Archive it").click();
  await inboxLink(sidebar(page)).click();
  await expect(page).toHaveURL(`${server.origin}/`);
  letGo();
  await expect(page.getByRole("alert")).toContainText("Not now.");
  await expect(said(page)).toBeHidden();
});

test("what is archived can be undone before any frame tells of it", async ({ page, server }) => {
  await ended(server, "help");
  let isDeaf = false;
  await page.routeWebSocket("**/ws", (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((frame) => isDeaf || socket.send(frame));
  });
  await open(page, server.origin);
  isDeaf = true;
  await sidebar(page).getByRole("button", { name: "Archive help" }).press("Enter");
  await expect(said(page)).toContainText(/“help” is archived\./i);
  expect(await server.api("list_archived")).toHaveLength(1);
  await expect(page.locator("#put-away")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(button(said(page), "Undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(said(page)).toBeHidden();
  expect(await server.api("list_archived")).toHaveLength(0);
});

test("an error and what was archived are both in sight", async ({ page, server, guard }) => {
  guard.expected.push(/status of 409/);
  await ended(server, "help");
  await page.route("**/api/archive_session", refuses, { times: 1 });
  await open(page, server.origin);
  const box = sidebar(page).getByRole("button", { name: "Archive help" });
  await box.click();
  const error = page.getByRole("alert");
  await expect(error).toContainText("Not now.");
  await box.click();
  await expect(said(page)).toContainText("is archived.");
  const [above, below] = [await error.boundingBox(), await said(page).boundingBox()];
  expect(above.y + above.height).toBeLessThanOrEqual(below.y);
  expect(await complaints(page)).toEqual([]);
  await button(error, "Dismiss").click();
  await expect(error).toBeHidden();
  await expect(said(page)).toBeVisible();
});

test("a click too many deletes nothing: the button that appears takes none for a moment", async ({ page, server }) => {
  const id = await ended(server, "help");
  await server.api("archive_session", { session_id: id });
  await open(page, server.page(id));
  const deleted = calls(page, "delete_session");
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const sure = document.querySelector(".archived-line .danger");
      if (!sure) return;
      observer.disconnect();
      sure.click();
    }).observe(document, { subtree: true, childList: true });
  });
  // one click, and the one above as soon as the button is there
  await button(page, "Delete").click();
  await expect(button(page, "Delete it")).toBeEnabled();
  await expect(button(page, "Keep it")).toBeFocused();
  await page.reload();
  await expect(page.getByText("This session is archived.")).toBeVisible();
  expect(deleted).toEqual([]);
});

test("a click too many archives no other session, and brings none back", async ({ page, server }) => {
  const ids = [await ended(server, "help"), await ended(server, "hello")];
  await open(page, server.origin);
  /** Twice on the first of them, and on the one that comes into its place the very moment it does. */
  const pressTooOften = (buttons) =>
    page.evaluate(
      (buttons) =>
        new Promise((resolve) => {
          const shown = () => document.querySelectorAll(buttons);
          new MutationObserver((_, observer) => {
            if (shown().length !== 1) return;
            observer.disconnect();
            shown()[0].click();
            resolve(undefined);
          }).observe(document, { subtree: true, childList: true });
          shown()[0].click();
          shown()[0].click();
        }),
      buttons,
    );
  const archived = calls(page, "archive_session");
  await expect(page.locator(".nav-project .put-away")).toHaveCount(2);
  await pressTooOften(".nav-project .put-away");
  await expect(said(page)).toContainText("is archived.");
  await page.reload();
  await isLive(page);
  await expect(archivedLink(page)).toContainText("1");
  expect(archived).toHaveLength(1);

  for (const session_id of ids) await server.api("archive_session", { session_id });
  await archivedLink(page).click();
  await expect(rows(page)).toHaveCount(2);
  const broughtBack = calls(page, "bring_back_session");
  await pressTooOften(".archived-list button");
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  expect(broughtBack).toHaveLength(1);
});

test("the archive has what was archived while the connection was away", async ({ server, secondBrowser, cable, guard }) => {
  guard.expectLostConnection();
  const [one, two] = [await ended(server, "help"), await ended(server, "hello")];
  await server.api("archive_session", { session_id: one });
  const page = await secondBrowser({ proxy: await cable.lay() });
  await open(page, `${server.origin}/archived`);
  await expect(rows(page)).toHaveCount(1);
  cable.cut();
  await expect(connection(page)).toHaveAttribute("data-state", /reconnecting|offline/);
  await server.api("archive_session", { session_id: two });
  cable.mend();
  await expect(rows(page)).toHaveCount(2);
});

test("what cannot be looked for is not said to be missing, and is found when it can", async ({ server, secondBrowser, cable, guard }) => {
  guard.expectLostConnection();
  const id = await server.startSession("run: echo one > one.txt");
  await expect.poll(() => server.pending(id)).toHaveLength(1);
  await server.api("archive_session", { session_id: id });
  const page = await secondBrowser({ proxy: await cable.lay() });
  await open(page, `${server.origin}/history`);
  await page.locator(".history-row summary").first().click();
  cable.cut();
  await expect(connection(page)).toHaveAttribute("data-state", /reconnecting|offline/);
  await page.locator(`.history-row a[href="/session/${id}"]`).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The server could not be reached");
  await expect(page.getByText("There is no such session")).toHaveCount(0);
  cable.mend();
  await expect(page.getByText("This session is archived.")).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the archive is in the drawer, and nothing is wider than the page", async ({ page, server }) => {
    const id = await ended(server, "help me with a title that is much longer than any phone is wide, and goes on");
    await server.api("archive_session", { session_id: id });
    await open(page, server.origin);
    await button(page, "Menu").click();
    await archivedLink(page).click();
    await expect(rows(page)).toHaveCount(1);
    const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(await isTooWide()).toBe(false);
    await rows(page).getByRole("link").click();
    await button(page, "Delete").click();
    await expect(button(page, "Delete it")).toBeInViewport();
    expect(await isTooWide()).toBe(false);
  });
});
