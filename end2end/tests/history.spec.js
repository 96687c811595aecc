// The history: every request and how it ended, found again.
const { test, expect, open, isLive, isReady, form, button, transcript, askInTurn } = require("../support.js");

const FOUR = [
  "Which database fits the project?",
  "Which checks should run before a merge?",
  "How should a greeting look?",
  "What should the release be called?",
];
const rows = (page) => page.locator(".history-row");
const outcome = (page) => page.getByRole("combobox", { name: "Outcome" });

/** One that is allowed and one that is denied. */
async function decided(server) {
  const [allowed, denied] = await askInTurn(server, "run: echo one > one.txt", "run: echo two > two.txt");
  for (const [session_id, decision] of [[allowed, "allow"], [denied, "deny"]]) {
    const [{ request_id }] = await server.pending(session_id);
    await server.api("respond", { session_id, request_id, response: { request_type: "tool_approval", decision } });
  }
  return { allowed, denied };
}

test("an answered question is listed as it was asked, with its note and what was skipped", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await isReady(page);
  const groups = form(page).getByRole("group");
  await groups.nth(0).getByRole("radio").first().check();
  await button(groups.nth(0), "Add a note").click();
  await groups.nth(0).getByRole("textbox", { name: "Note" }).fill("if it rains");
  for (const index of [1, 2, 3]) await button(groups.nth(index), "Skip this one").click();
  await button(form(page), "Submit answers").click();
  await expect(transcript(page)).toContainText("(if it rains)");

  await open(page, `${server.origin}/history`);
  const row = rows(page);
  await expect(row.locator(".history-session")).toHaveText(/four questions/i);
  await row.locator("summary").first().click();
  await expect(row.locator(".answered dt")).toHaveText(FOUR);
  await expect(row.locator(".answered dd")).toHaveText([/\(if it rains\)$/, "skipped", "skipped", "skipped"]);
  await expect(row.locator(".history-where")).toHaveText(/; answered at \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  const raw = row.locator(".raw pre");
  await expect(raw).toBeHidden();
  await row.getByText("As it was asked").click();
  await expect(raw).toBeVisible();
  await expect(raw).toContainText("multiSelect");
});

test("a filter applies as soon as it is chosen, to the list and to the exports", async ({ page, server }) => {
  await decided(server);
  await open(page, `${server.origin}/history`);
  await expect(rows(page)).toHaveCount(2);
  await page.evaluate(() => document.documentElement.classList.add("not-loaded-anew"));
  await outcome(page).selectOption("denied");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("echo two");
  await expect(page).toHaveURL(`${server.origin}/history?outcome=denied`);
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveAttribute("href", /outcome=denied/);
  await outcome(page).selectOption("allowed");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("echo one");
  await expect(page.locator("html.not-loaded-anew")).toHaveCount(1);

  // words that were not searched for yet count with the next choice
  await page.getByRole("searchbox", { name: "Search" }).fill("echo two");
  await outcome(page).selectOption("");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("echo two");
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL(`${server.origin}/history`);
  await isLive(page);
  await expect(rows(page)).toHaveCount(2);

  await page.getByRole("checkbox", { name: "Edited" }).check();
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Edited" }).uncheck();
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel("From", { exact: true }).fill("2100-01-01");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await page.getByLabel("From", { exact: true }).fill("2020-01-01");
  await expect(rows(page)).toHaveCount(2);
});

test("who comes back from a session finds the list as it was filtered", async ({ page, server }) => {
  await decided(server);
  await open(page, `${server.origin}/history`);
  await outcome(page).selectOption("denied");
  await expect(rows(page)).toHaveCount(1);
  await rows(page).locator("summary").click();
  await rows(page).getByRole("link").click();
  await expect(transcript(page)).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("echo two");
  await expect(outcome(page)).toHaveValue("denied");
});

test("without a script the filters are a form", async ({ inbox: page, server, secondBrowser }) => {
  await decided(server);
  await expect(form(page), "both are answered").toHaveCount(0);
  const plain = await secondBrowser({ javaScriptEnabled: false });
  await plain.goto(`${server.origin}/history`);
  await outcome(plain).selectOption("denied");
  await plain.getByLabel("From", { exact: true }).fill("2020-01-01");
  await button(plain, "Search").click();
  await expect(rows(plain)).toHaveCount(1);
  await expect(rows(plain)).toContainText("echo two");
  await expect(outcome(plain)).toHaveValue("denied");
  await expect(plain.getByLabel("From", { exact: true })).toHaveValue("2020-01-01");
});

test.describe("390 px", () => {
  test.use({ viewport: { width: 390, height: 740 } });

  test("the end of a long path is there", async ({ page, server }) => {
    await askInTurn(server, `run: echo x > ${"folder/".repeat(7)}the-end.txt`);
    await open(page, `${server.origin}/history`);
    const shown = rows(page).locator("code").first();
    await expect(shown).toContainText("the-end.txt");
    const isCut = await shown.evaluate((code) => code.scrollHeight > code.clientHeight || code.scrollWidth > code.clientWidth);
    expect(isCut).toBe(false);
  });
});
