// What floats and what sticks: nothing covers what it is about, and what is to be pressed or found is in sight.
const { test, expect, open, form, sidebar, message, button, isReady, connection } = require("../support.js");

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const box = async (locator) => {
  const found = await locator.boundingBox();
  if (!found) throw new Error(`${locator} is not shown`);
  return { ...found, bottom: found.y + found.height };
};

test("what floats covers neither the head nor the request", async ({ page, server, secondBrowser, guard }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  const phone = await secondBrowser(PHONE);
  await open(phone, server.page(id));
  guard.expectLostConnection();
  await server.kill();
  for (const here of [page, phone]) {
    const told = here.getByRole("status", { name: "Server" });
    await expect(told).toBeVisible({ timeout: 40_000 });
    const [head, words, card] = [await box(here.locator(".session-head")), await box(told), await box(form(here))];
    expect(words.y).toBeGreaterThanOrEqual(head.bottom);
    expect(words.bottom).toBeLessThanOrEqual(card.y);
  }
});

test("on a phone a session can be started without scrolling, and keys are not told to a finger", async ({ inbox: page, server, secondBrowser }) => {
  const id = await server.startSession("help");
  const phone = await secondBrowser(PHONE);
  await open(phone, server.origin);
  await button(phone, "Menu").click();
  await button(sidebar(phone), "New session").click();
  const dialog = phone.getByRole("dialog", { name: "New session" });
  await expect(button(dialog, "Start session")).toBeInViewport({ ratio: 1 });
  await button(dialog, "Cancel").click();
  await open(phone, server.page(id));
  await expect(phone.locator(".composer-hint")).toContainText("/ commands");
  await expect(phone.locator(".composer-hint .for-keys")).toBeHidden();
  await open(page, server.page(id));
  await expect(page.locator(".composer-hint .for-keys")).toContainText("Enter sends");
});

test("the row of the page that is open is in sight, and only the sidebar scrolls for it", async ({ page, server }) => {
  await page.setViewportSize({ width: 1100, height: 460 });
  const ids = [];
  for (let count = 0; count < 8; count += 1) ids.push(await server.startSession("help"));
  await open(page, server.page(ids[0]));
  const row = (/** @type {string} */ id) => sidebar(page).locator(`a[href="/session/${id}"]`);
  await expect(row(ids[0])).toBeInViewport({ ratio: 1 });
  const top = () => sidebar(page).evaluate((element) => element.scrollTop);
  expect(await top()).toBeGreaterThan(0);
  expect(await page.evaluate(() => [scrollX, scrollY, document.activeElement?.tagName])).toEqual([0, 0, "BODY"]);
  // one that is there already stays where it is pressed
  const before = await top();
  await row(ids[1]).click();
  await expect(page).toHaveURL(server.page(ids[1]));
  await expect(row(ids[1])).toHaveAttribute("aria-current", "page");
  expect(await top()).toBe(before);
  await page.goBack();
  await expect(row(ids[0])).toBeInViewport({ ratio: 1 });
});

test("on a phone an empty draft above a request leaves room for what was said", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  const phone = await secondBrowser(PHONE);
  await open(phone, server.page(id));
  await isReady(phone);
  await button(phone, "Write a message").click();
  const draft = phone.getByRole("textbox", { name: "Draft" });
  await expect(draft).toBeFocused();
  expect((await box(phone.locator(".message-input"))).height).toBeLessThan(48);
  expect((await box(phone.locator(".transcript"))).height).toBeGreaterThanOrEqual(72);
  await expect(button(form(phone), "Allow once")).toBeInViewport({ ratio: 1 });
  await draft.fill("something");
  await expect(button(phone, "Queue this message")).toBeVisible();
});

test("without a script nothing is said of a connection", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession("run a command");
  const plain = await secondBrowser({ javaScriptEnabled: false });
  await open(page, server.page(id));
  await expect(connection(page)).toBeVisible();
  await plain.goto(server.page(id));
  await expect(plain.locator(".no-script")).toBeVisible();
  await expect(plain.locator(".connection")).toHaveCount(1);
  await expect(plain.locator(".connection")).toBeHidden();
});

test.describe("at the speed of a person", () => {
  test.use({ how: { speed: "1" } });

  test("a long block of code shows its end while it is written, unless its reader went up in it", async ({ page, server }) => {
    await page.setViewportSize({ width: 1100, height: 500 });
    const id = await server.startSession("run: seq 1 400");
    await open(page, server.page(id));
    await isReady(page);
    await button(form(page), "Allow once").click();
    const code = page.locator(".writing .code-block");
    const stands = () => code.evaluate((element) => ({ top: element.scrollTop, left: element.scrollHeight - element.clientHeight - element.scrollTop }));
    await expect.poll(async () => (await stands()).top, { timeout: 20_000 }).toBeGreaterThan(100);
    await expect.poll(async () => (await stands()).left, "its end is in sight").toBeLessThan(60);
    await code.evaluate((element) => element.scrollTo(0, 20));
    await expect.poll(async () => (await stands()).left, "it grows on").toBeGreaterThan(200);
    expect((await stands()).top, "and stays where it is read").toBe(20);
  });
});
