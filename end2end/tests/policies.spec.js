// What becomes of a request that nobody answers, and who may answer it.
const { test, expect, open, isLive, isReady, form, message, transcript, button, say } = require("../support.js");

const timer = (place) => form(place).getByRole("timer");
const menu = async (page) => {
  await page.locator("summary", { has: page.locator(".icon-drawing") }).and(page.getByLabel("More")).click();
  await page.getByRole("button", { name: "Policies" }).click();
};

test.describe("a time limit of the settings", () => {
  test.use({ how: { settings: "[requests]\ntimeout_seconds = 9\n" } });

  test("counts down, warns, is locked at the end, and nobody is said to have refused", async ({ page, server }) => {
    const id = await server.startSession("help");
    await open(page, server.page(id));
    await say(page, "run: echo one > one.txt");
    await isReady(page);
    await expect(timer(page)).toHaveText(/^0:0[1-7] left$/);
    await expect(timer(page)).toHaveClass(/\bsoon\b/);
    await expect(button(form(page), "Allow once")).toBeEnabled();
    await expect(timer(page)).toHaveText("time is up");
    await expect(button(form(page), "Allow once")).toBeDisabled();
    await expect(transcript(page)).toContainText("Nobody answered · timed out");
    await expect(message(page)).toBeVisible();
    expect(server.file("one.txt")).toBeUndefined();
  });
});

test("a session gets a time limit of its own in its menu, and keeps it", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(message(page)).toBeVisible();
  await menu(page);
  const limit = page.getByRole("combobox", { name: "Time limit" });
  await expect(limit).toHaveValue("");
  await expect(limit.locator("option:checked")).toHaveText("None (settings)");
  await limit.selectOption("1 minute");
  await page.getByRole("combobox", { name: "When nobody is connected" }).selectOption("Do not run it, after 1 minute");
  await expect.poll(async () => (await server.api("policies", { session_id: id })).own).toEqual({
    timeout_seconds: 60,
    question_timeout_seconds: 60,
    on_disconnect: "deny_after:60",
  });
  await page.reload();
  await isLive(page);
  await menu(page);
  await expect(limit.locator("option:checked")).toHaveText("1 minute");
  await page.keyboard.press("Escape");
  await say(page, "run: echo one > one.txt");
  await expect(timer(page)).toHaveText(/^0:5\d left$/);
});

test.describe("one tab at a time", () => {
  test.use({ how: { settings: '[requests]\nanswer_from = "active"\n' } });

  test("another tab sees who answers, takes over, and then answers", async ({ page, context, server }) => {
    const id = await server.startSession("run: echo one > one.txt");
    await open(page, server.page(id));
    await isReady(page);
    const other = await context.newPage();
    await open(other, server.page(id));
    await expect(button(form(other), "Take over")).toBeVisible();
    await expect(button(form(other), "Allow once")).toBeDisabled();
    await expect(button(form(page), "Allow once")).toBeEnabled();
    await expect(button(form(page), "Take over")).toHaveCount(0);

    await button(form(other), "Take over").click();
    await expect(button(form(page), "Take over")).toBeVisible();
    await expect(button(form(page), "Allow once")).toBeDisabled();
    await button(form(other), "Allow once").click();
    await expect(transcript(page)).toContainText("Allowed once · by you");
    await expect.poll(() => server.file("one.txt")).toBe("one\n");
  });

  test("a tab that is closed lets go", async ({ page, context, server }) => {
    const id = await server.startSession("run: echo one > one.txt");
    const first = await context.newPage();
    await open(first, server.page(id));
    await open(page, server.page(id));
    await expect(button(form(page), "Take over")).toBeVisible();
    await first.close();
    await expect(button(form(page), "Take over")).toHaveCount(0);
    await button(form(page), "Allow once").click();
    await expect(transcript(page)).toContainText("Allowed once · by you");
  });
});

test("another mode ends what was asked under the old one, and says so before", async ({ page, server }) => {
  const id = await server.startSession("run: echo one > one.txt");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  const mode = page.getByRole("combobox", { name: "Permission mode" });
  const question = page.getByRole("group", { name: "Another mode" });
  await mode.selectOption("acceptEdits");
  await expect(question).toContainText("it is taken back");
  await expect(mode).toHaveValue("default");
  await expect(button(question, "Keep the mode")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question).toHaveCount(0);
  await expect(mode).toBeFocused();
  await expect(form(page)).toBeVisible();
  await mode.selectOption("acceptEdits");
  await button(question, "Take it back: Accept edits").click();
  await expect(form(page)).toHaveCount(0);
  await expect(mode).toHaveValue("acceptEdits");
  await expect(transcript(page)).toContainText("Not answered · the mode was changed");
  expect(server.file("one.txt")).toBeUndefined();
});
