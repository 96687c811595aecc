// The program comes in two pieces: the first with every page, the second with what needs it, or soon.
const { test, expect, open, isLive, isReady, connection, form, message, sidebar, inboxLink, button } = require("../support.js");

const SECOND = "**/split_later.wasm";
/** All that a page may take before it answers. */
const AT_MOST = 350_000;

const dialog = (page) => page.getByRole("dialog", { name: "New session" });
const missed = (page) => page.getByRole("alert").filter({ hasText: "This part of the page could not be loaded" });

/** What a page has loaded so far, itself included. */
const loaded = (page) =>
  page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map((entry) => ({
      file: new URL(entry.name).pathname.split("/").at(-1),
      by: entry.initiatorType,
      bytes: entry.encodedBodySize,
    })),
  );
const seconds = async (page) => (await loaded(page)).filter(({ file }) => file === "split_later.wasm");

/** The server keeps the second piece to itself. Tells how often it was asked for it. */
async function withhold(page, guard) {
  guard.expected.push(/^console error: Failed to load resource: net::ERR_FAILED$/, /^console error: TypeError: Failed to fetch/);
  let asked = 0;
  await page.route(SECOND, (route) => {
    asked += 1;
    return route.abort();
  });
  return () => asked;
}

test("an inbox in which nothing waits is alive with the first piece; the second comes with the first sign of a person", async ({ secondBrowser, server }) => {
  const page = await secondBrowser();
  await open(page, server.origin);
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  const files = await loaded(page);
  expect(files.filter(({ file }) => file.endsWith(".wasm"))).toHaveLength(1);
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(AT_MOST);
  await page.mouse.move(300, 300);
  await expect.poll(async () => (await seconds(page)).length).toBe(1);
  await button(page, "New session").click();
  await expect(dialog(page)).toBeVisible();
  expect(await seconds(page), "once").toHaveLength(1);
});

test("the first key brings it, too", async ({ inbox: page }) => {
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await seconds(page)).length).toBe(1);
});

test("an agent that runs brings it, before it asks", async ({ inbox: page, server }) => {
  const id = await server.startSession("help");
  await expect.poll(async () => (await seconds(page)).length).toBe(1);
  await server.send(id, "run a command");
  await isReady(page);
  expect(await seconds(page), "once").toHaveLength(1);
});

test("where it is needed it is on its way with the page, and comes once", async ({ inbox: page, server }) => {
  const id = await server.startSession("run a command");
  await expect.poll(() => server.pending(id)).toHaveLength(1);
  for (const address of [server.page(id), server.origin, `${server.origin}/history`, `${server.origin}/archived`]) {
    await open(page, address);
    expect(await seconds(page), address).toMatchObject([{ by: "link" }]);
  }
});

test("a button that is pressed before the program is there is pressed when it is", async ({ secondBrowser, server }) => {
  const page = await secondBrowser();
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route("**/countersign.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(server.origin);
  await button(page, "New session").click();
  await expect(connection(page)).toHaveAttribute("data-state", "connecting");
  letGo();
  await expect(dialog(page).getByRole("textbox", { name: "First message" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
});

test("a page that does not exist needs none of it", async ({ secondBrowser, server, guard }) => {
  guard.expected.push(/^console error: Failed to load resource: the server responded with a status of 404/);
  const page = await secondBrowser();
  await open(page, `${server.origin}/nowhere`);
  await expect(page.getByText("There is no such page")).toBeVisible();
  expect(await seconds(page)).toEqual([]);
});

test("a dialog that does not come says so, and opens when it is asked for again", async ({ inbox: page, guard }) => {
  const asked = await withhold(page, guard);
  await button(page, "New session").click();
  await expect(missed(page)).toContainText("The server cannot be reached, or another version of it was started meanwhile.");
  await expect(button(missed(page), "Try again")).toBeFocused();
  // by itself, once; the next time is four seconds away
  const first = asked();
  await expect.poll(asked).toBeGreaterThan(first);
  const before = asked();
  await page.keyboard.press("Enter");
  await expect.poll(asked, { timeout: 2500 }).toBeGreaterThan(before);
  await expect(button(missed(page), "Try again")).toHaveAttribute("aria-busy", "false");
  await expect(button(missed(page), "Try again"), "what was pressed keeps the focus").toBeFocused();
  await page.keyboard.press("Escape");
  await expect(missed(page)).toHaveCount(0);
  await expect(button(page, "New session")).toBeFocused();
  await button(page, "New session").click();
  await button(missed(page), "Cancel").click();
  await expect(missed(page)).toHaveCount(0);
  await button(page, "New session").click();
  await expect(missed(page)).toBeVisible();
  await page.unroute(SECOND);
  await button(missed(page), "Try again").click();
  await expect(dialog(page).getByRole("textbox", { name: "First message" })).toBeFocused();
  await expect(missed(page)).toHaveCount(0);
});

test("a page that does not come says so, leads back, and comes when it is asked for again", async ({ inbox: page, server, guard }) => {
  await withhold(page, guard);
  const id = await server.startSession("help");
  await sidebar(page).getByRole("link", { name: /^Help\b/i }).click();
  await expect(page).toHaveURL(server.page(id));
  await expect(missed(page)).toBeVisible();
  await inboxLink(page).click();
  await expect(page.getByText("Nothing waits for you")).toBeVisible();
  await sidebar(page).getByRole("link", { name: /^Help\b/i }).click();
  await expect(missed(page)).toBeVisible();
  await page.unroute(SECOND);
  await button(missed(page), "Try again").click();
  await expect(message(page)).toBeVisible();
});

test("requests that come meanwhile are marked, and can be answered when it is there", async ({ inbox: page, server, guard }) => {
  await withhold(page, guard);
  const id = await server.startSession("run: echo one > one.txt");
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(missed(page)).toBeVisible();
  await page.unroute(SECOND);
  // by itself
  await isReady(page);
  await expect(missed(page)).toHaveCount(0);
  await button(form(page), "Allow once").click();
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
  expect(await server.pending(id)).toEqual([]);
});

test("while it takes long, that is said in its place", async ({ inbox: page }) => {
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route(SECOND, async (route) => {
    await held;
    await route.continue();
  });
  await button(page, "New session").click();
  await expect(page.getByRole("status").filter({ hasText: "Loading…" })).toBeVisible();
  letGo();
  await expect(dialog(page)).toBeVisible();
  await expect(page.getByText("Loading…")).toHaveCount(0);
});

test("a page without it stays as the server drew it, and comes to life by itself", async ({ inbox: page, server, guard }) => {
  const id = await server.startSession("run a command");
  await expect.poll(() => server.pending(id)).toHaveLength(1);
  await withhold(page, guard);
  await page.goto(server.page(id));
  await expect(form(page)).toBeVisible();
  await expect(connection(page)).toHaveAttribute("data-state", "connecting");
  await page.unroute(SECOND);
  await isLive(page);
  await isReady(page);
  await button(form(page), "Deny").click();
});
