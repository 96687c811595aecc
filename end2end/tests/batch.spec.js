// Several requests at once: put off, picked, listed, and covered by a rule.
const { test, expect, open, form, transcript, button, isReady, askInTurn, answersOf, holdAnswers } = require("../support.js");

const row = (page, words) => page.getByRole("listitem").filter({ has: form(page).filter({ hasText: words }) });
const folded = (page, words) => page.locator(".inbox-row.folded").filter({ hasText: words });
const pick = (place) => place.getByRole("checkbox", { name: "Select, to answer several at once" });

test("several of the same kind are answered at once, after a table that lists exactly what will run", async ({ inbox: page, server }) => {
  await askInTurn(server, "run: echo one > one.txt", "run: echo two > two.txt && rm -rf gone", "write note.txt: hello");
  await expect(form(page)).toHaveCount(3);
  await pick(row(page, "one.txt")).check();
  await expect(pick(row(page, "note.txt"))).toBeDisabled();
  await pick(row(page, "two.txt")).check();
  const bar = page.getByRole("region", { name: "Selected" });
  await expect(bar).toContainText("2 selected");
  await button(bar, "Review and answer").click();
  const dialog = page.getByRole("dialog", { name: "2 requests to answer at once" });
  // whoever goes back finds what they had selected
  await button(dialog, "Back").click();
  await expect(bar).toContainText("2 selected");
  await button(bar, "Review and answer").click();
  await page.keyboard.press("Escape");
  await expect(bar).toContainText("2 selected");
  await button(bar, "Review and answer").click();

  const rows = dialog.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(3); // with the head
  await expect(rows.nth(1)).toContainText(`in ${server.project}`);
  await expect(rows.nth(1)).toContainText("echo one > one.txt");
  await expect(rows.nth(2)).toContainText("Deletes recursively");
  expect(server.file("one.txt")).toBeUndefined();
  await button(dialog, "Allow all 2 once").click();
  await expect(dialog).toBeHidden();
  await expect(form(page)).toHaveCount(1);
  await expect(bar).toBeHidden();
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
  await expect.poll(() => server.file("two.txt")).toBe("two\n");
});

test("all of a kind are selected with one press, and by keys alone", async ({ inbox: page, server }) => {
  await askInTurn(server, "run: echo one > one.txt", "run: echo two > two.txt", "write note.txt: hello");
  await expect(form(page)).toHaveCount(3);
  await expect(page.getByRole("form", { name: "Pending request", exact: true })).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const bar = page.getByRole("region", { name: "Selected" });
  await expect(bar).toContainText("1 selected");
  // a key that selects nothing says why
  const why = page.getByRole("alert").filter({ hasText: "Only requests of the same kind are answered at once" });
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(why).toBeVisible();
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  await expect(bar).toContainText("2 selected");
  await expect(why).toBeHidden();
  await page.keyboard.press("x");
  await expect(bar).toContainText("1 selected");
  // however long the list is
  await expect(bar).toBeInViewport({ ratio: 1 });
  await button(bar, "Select all 2 of this kind").click();
  await expect(bar).toContainText("2 selected");
  await expect(button(bar, "Select all 2 of this kind")).toBeHidden();
  await button(bar, "Clear").click();
  await form(page).first().focus();
  await page.keyboard.press("l");
  await expect(folded(page, "one.txt")).toHaveCount(1);
});

test("of several at once, one that is over meanwhile is said to be, and the others are denied", async ({ inbox: page, server }) => {
  const first = await server.startSession("run: echo one > one.txt");
  await server.startSession("run: echo two > two.txt");
  await expect(form(page)).toHaveCount(2);
  await pick(row(page, "one.txt")).check();
  await pick(row(page, "two.txt")).check();
  await button(page, "Review and answer").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("row")).toHaveCount(3);
  await server.api("kill", { session_id: first });
  await expect(dialog.getByRole("status").filter({ hasText: "No longer waits" })).toHaveCount(1);
  await button(dialog, "Deny it").click();
  await expect(dialog).toBeHidden();
  await expect(form(page)).toHaveCount(0);
  expect(server.file("two.txt")).toBeUndefined();
});

test("a table that is closed while its answers are on their way has given all of them", async ({ page, server }) => {
  await askInTurn(server, "run: echo one > one.txt", "run: echo two > two.txt");
  const hold = await holdAnswers(page);
  await open(page, server.origin);
  await pick(row(page, "one.txt")).check();
  await pick(row(page, "two.txt")).check();
  await button(page, "Review and answer").click();
  await button(page.getByRole("dialog"), "Allow all 2 once").click();
  await expect.poll(() => hold.clicked).toBe(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  hold.letGo();
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
  await expect.poll(() => server.file("two.txt")).toBe("two\n");
  expect(answersOf(page)).toHaveLength(2);
});

test("not now: it goes to the end, marked, and waits on", async ({ inbox: page, server }) => {
  await askInTurn(server, "run: echo one > one.txt", "run: echo two > two.txt");
  await expect(form(page)).toHaveCount(2);
  await button(row(page, "one.txt"), "Not now").click();
  const rows = page.locator(".inbox-row");
  await expect(rows.nth(1)).toContainText("later");
  await expect(rows.nth(1)).toContainText("echo one > one.txt");
  await expect(rows.nth(0)).toContainText("two.txt");
  await page.getByRole("link", { name: /^History/ }).click();
  await page.goBack();
  await expect(rows.nth(1)).toContainText("later");
  expect(server.file("one.txt")).toBeUndefined();
  await button(folded(page, "one.txt").or(row(page, "one.txt")), "Review").click();
  await expect(rows.nth(0)).toContainText("one.txt");
});

test("a rule is worded by the person, and offers to answer what else it covers", async ({ page, server }) => {
  const [id] = await askInTurn(server, "run: make one", "run: make two", "run: echo other > other.txt");
  await open(page, server.page(id));
  await isReady(page);
  const card = form(page);
  await card.getByRole("switch", { name: /Always allow Bash/ }).check();
  await card.getByRole("textbox", { name: "Text of the rule" }).fill("*");
  await expect(card).toContainText("would allow everything that Bash does");
  await expect(button(card, "Allow once")).toBeDisabled();
  await card.getByRole("textbox", { name: "Text of the rule" }).fill("cargo *");
  await expect(card).toContainText("This rule would not have covered this request.");
  await card.getByRole("textbox", { name: "Text of the rule" }).fill("make *");
  await expect(card).not.toContainText("This rule would not have covered this request.");
  await expect(card, "the words about what is corrected").not.toContainText("would allow everything");
  await expect(card).toContainText("Always allow Bash(make *)");
  await expect(card).toContainText("Allowing remembers the rule, too");
  await card.getByRole("combobox", { name: "Kept in" }).selectOption("localSettings");
  await expect(card).toContainText("This also covers 1 other request that waits");
  await button(card, "Allow once").click();

  const dialog = page.getByRole("dialog", { name: "The rule covers these, too" });
  await expect(dialog.getByRole("row")).toHaveCount(2);
  await expect(dialog).toContainText("make two");
  await expect(dialog).toContainText("Bash(make *)");
  await button(dialog, "Allow it once").click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await server.api("list_processes")).flatMap((one) => one.pending_requests ?? []).length).toBe(1);
  const [kept] = answersOf(page).findLast((answer) => answer.remember?.length).remember;
  expect(kept).toMatchObject({ destination: "localSettings", rules: [{ toolName: "Bash", ruleContent: "make *" }] });
  await expect(transcript(page)).toContainText("Allowed and remembered");
  const settings = () => JSON.parse(server.file(".claude/settings.local.json") ?? "{}");
  await expect.poll(() => settings().permissions?.allow, "where the card said").toEqual(["Bash(make *)"]);
  await page.getByRole("link", { name: /^History/ }).click();
  await page.getByRole("listitem").filter({ hasText: "Allowed and remembered" }).locator("summary").click();
  await expect(page.locator(".history-detail:visible")).toContainText("Remembered: Always allow Bash(make *) in this project, for you");
});

test("one that is being edited is said to run as it was asked, and after all are answered the next is at hand", async ({ inbox: page, server }) => {
  await askInTurn(server, "run: echo one > one.txt", "run: echo two > two.txt", "run: echo three > three.txt");
  await expect(form(page)).toHaveCount(3);
  const card = row(page, "one.txt");
  await isReady(card);
  await button(card, "Edit").click();
  await card.getByRole("textbox", { name: "Edited command" }).fill("echo mine > one.txt");
  await pick(card).check();
  await pick(row(page, "two.txt")).check();
  await button(page, "Review and answer").click();
  const dialog = page.getByRole("dialog");
  const rows = dialog.getByRole("row");
  await expect(rows.nth(1)).toContainText("You have begun to edit this one");
  await expect(rows.nth(2)).not.toContainText("begun to edit");
  await button(dialog, "Allow all 2 once").click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
  await expect(form(page)).toHaveCount(1);
  await expect(form(page)).toBeFocused();
});

test("a allows and d opens the denial, on a card that has the focus", async ({ inbox: page, server }) => {
  await server.startSession("run: echo one > one.txt");
  await isReady(page);
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(1);
  await page.keyboard.press("j");
  await page.keyboard.press("d");
  await expect(form(page).getByRole("textbox", { name: "Reason" })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
});
