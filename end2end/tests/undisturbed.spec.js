// Whoever writes is left alone, whatever is asked meanwhile, here or elsewhere.
const { test, expect, open, form, message, inboxLink, button, isReady, reason, transcript, answersOf, holdAnswers } = require("../support.js");

const title = (page, count) => expect(page).toHaveTitle(new RegExp(`^\\(${count}\\) `));

test("a request of another session leaves someone alone who writes a message", async ({ page, server }) => {
  const [id, other] = [await server.startSession("help"), await server.startSession("help")];
  await open(page, server.page(id));
  await message(page).click();
  await page.keyboard.type("half a ");
  await server.send(other, "run a command");
  await title(page, 1);
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+1\b/);
  await expect(message(page)).toBeFocused();
  await page.keyboard.type("message, 1 of many");
  await expect(message(page)).toHaveValue("half a message, 1 of many");
  expect(await server.pending(other)).toHaveLength(1);
});

/** A session that asks, and a way to make it ask for more while it waits. */
async function askingForMore(server, api) {
  if (api) {
    const helper = "[[background Note the time: <<hold more>>+<<bash date > time.txt>>]]";
    return { id: await server.startSession(`${helper}[[bash echo one > one.txt]]`), more: () => api.release("more") };
  }
  // a helper asks when the turn is over: the session takes another message meanwhile
  const id = await server.startSession("a background subagent");
  return { id, more: () => server.send(id, "run a command") };
}

const BOXES = [
  ["a note", "Allow with a note", "Note"],
  ["a reason", "Deny", "Reason"],
  ["an edit", "Edit", "Edited command"],
];

for (const [what, opener, label] of BOXES) {
  test(`further requests of this session and of another leave someone alone who writes ${what}`, async ({ page, server, api }) => {
    const other = await server.startSession("help");
    const { id, more } = await askingForMore(server, api);
    await open(page, server.page(id));
    await isReady(page);
    const before = await server.pending(id);
    await button(form(page), opener).click();
    const box = form(page).getByRole("textbox", { name: label });
    await expect(box).toBeFocused();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("half a ");

    await more();
    await expect(form(page)).toContainText("1 of 2");
    await expect(box).toBeFocused();
    await page.keyboard.type("word, ");
    await server.send(other, "run: echo other > other.txt");
    await title(page, 3);
    await expect(box).toBeFocused();
    await page.keyboard.type("2 a d y");
    await expect(box).toHaveValue("half a word, 2 a d y");
    await expect(form(page)).toContainText("1 of 2");
    const after = await server.pending(id);
    expect(after).toHaveLength(2);
    expect(after[0].request_id).toBe(before[0].request_id);
    expect(await server.pending(other)).toHaveLength(1);
  });
}

test("letters do nothing on a card that took the focus by itself, nor on one that was turned to", async ({ page, server }) => {
  const id = await server.startSession("ask a question then run: touch by-letter.txt");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).focus();
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await expect(form(page)).toContainText("wants to run a command");
  await isReady(page);
  await expect(form(page)).toBeFocused();
  for (const words of ["also yd", "yes but not now"]) {
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await expect(form(page)).toContainText("What you type goes nowhere");
    await expect(form(page).getByRole("textbox")).toHaveCount(0);
    await form(page).locator("header").click();
    await form(page).focus();
    await expect(form(page)).not.toContainText("What you type goes nowhere");
  }
  expect(await server.pending(id)).toHaveLength(1);
  expect(answersOf(page)).toHaveLength(1);
  await page.keyboard.press("Enter");
  await expect.poll(() => server.file("by-letter.txt")).toBe("");
});

test("words typed at a card of a session answer nothing, nor does the Enter behind them, until one turns to it", async ({ page, server }) => {
  const id = await server.startSession("run: touch typed-at.txt");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).focus();
  await page.keyboard.type("that Did go wrong, do not");
  await page.keyboard.press("Enter");
  await expect(form(page)).toContainText("What you type goes nowhere");
  await page.keyboard.press("Enter");
  // corrections are of writing, too; and the window behind another one is still where the words go
  for (const key of ["ArrowLeft", "Backspace", "Home"]) await page.keyboard.press(key);
  await form(page).evaluate((card) => card.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
  await page.keyboard.press("Enter");
  await page.keyboard.type("yes");
  await page.keyboard.press("Enter");
  expect(answersOf(page)).toEqual([]);
  await expect(form(page).getByRole("textbox")).toHaveCount(0);
  // Esc leads out of the words, then to the box, and the words go there
  await page.keyboard.press("Escape");
  await expect(form(page)).not.toContainText("What you type goes nowhere");
  await page.keyboard.press("Escape");
  await expect(reason(page)).toBeFocused();
  await page.keyboard.type("use printf");
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(0);
  await expect(transcript(page)).toContainText("use printf");
  expect(server.file("typed-at.txt")).toBeUndefined();
});

test("words typed at a choice neither answer nor choose, and the card says so, until one turns to it", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await isReady(page);
  const checks = form(page).getByRole("group", { name: "Which checks should run before a merge?" });
  const format = checks.getByRole("checkbox", { name: "Format" });
  await format.click();
  await expect(format).toBeFocused();
  await expect(format).toBeChecked();
  await page.keyboard.type("but only on main");
  await page.keyboard.press("Enter");
  await expect(form(page)).toContainText("What you type goes nowhere");
  await expect(format).toBeFocused();
  await expect(format, "three blanks").toBeChecked();
  expect(answersOf(page)).toEqual([]);
  // Tab turns to the next choice, and the keys work again
  await page.keyboard.press("Tab");
  await expect(form(page)).not.toContainText("What you type goes nowhere");
  await page.keyboard.press("Space");
  await expect(checks.getByRole("checkbox", { name: "Lints" })).toBeChecked();
  expect(await server.pending(id)).toHaveLength(1);
});

test("an option that is chosen with the mouse is not sent by the Enter behind words that were meant for elsewhere", async ({ page, server }) => {
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).getByRole("radio").first().click();
  await expect(button(form(page), "Submit answers")).toBeEnabled();
  await page.keyboard.type("but not in the tests");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await expect(form(page)).toContainText("What you type goes nowhere");
  expect(answersOf(page)).toEqual([]);
  // a click turns to it: Enter is meant for it then
  await form(page).getByRole("radio").first().click();
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(0);
  expect(answersOf(page)).toHaveLength(1);
});

test("words typed while a button of the card has the focus do not press it, until one turns to it", async ({ page, server }) => {
  const id = await server.startSession("run: touch by-button.txt");
  await open(page, server.page(id));
  await isReady(page);
  for (const name of ["Allow once", "Allow with a note", "Deny"]) {
    await button(form(page), name).focus();
    await page.keyboard.type("use tabs");
    await page.keyboard.press("Enter");
    await page.keyboard.down("Enter");
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await expect(form(page)).toContainText("What you type goes nowhere");
    await expect(button(form(page), name)).toBeFocused();
    await expect(form(page).getByRole("textbox")).toHaveCount(0);
    // away and back, by Tab
    await page.keyboard.press("Shift+Tab");
    await expect(form(page)).not.toContainText("What you type goes nowhere");
  }
  expect(answersOf(page)).toEqual([]);
  expect(await server.pending(id)).toHaveLength(1);
  await button(form(page), "Allow once").focus();
  await page.keyboard.press("Space");
  await expect.poll(() => server.file("by-button.txt")).toBe("");
});

for (const words of ["2", "?", "1.5"]) {
  test(`an answer to something else that has no letter (${words}) does not allow, nor does the click that turns to the card miss`, async ({ page, server }) => {
    const id = await server.startSession("run: touch no-letter.txt");
    await open(page, server.page(id));
    await isReady(page);
    await form(page).focus();
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await expect(form(page)).toContainText("What you type goes nowhere");
    expect(answersOf(page)).toEqual([]);
    // the words beneath the buttons go when it is let go, not before
    const place = await button(form(page), "Deny").boundingBox();
    await page.mouse.move(place.x + place.width / 2, place.y + 4);
    await page.mouse.down();
    await page.mouse.up();
    await expect(reason(page)).toBeFocused();
    await expect(form(page)).not.toContainText("What you type goes nowhere");
    expect(await server.pending(id)).toHaveLength(1);
  });
}

test("a number in words typed at a question chooses nothing, and Esc leads out of the words first", async ({ page, server }) => {
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).focus();
  await page.keyboard.type("take option 3 please");
  await page.keyboard.press("Enter");
  await expect(form(page)).toContainText("What you type goes nowhere");
  await expect(form(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(form(page)).not.toContainText("What you type goes nowhere");
  await expect(form(page)).toBeFocused();
  await page.keyboard.press("3");
  await expect(form(page).getByRole("radio", { checked: true })).toHaveCount(1);
  // now it leads out of the card, to where the keys scroll
  await page.keyboard.press("Escape");
  await expect(transcript(page)).toBeFocused();
  await expect(form(page).getByRole("radio", { checked: true })).toHaveCount(1);
  expect(answersOf(page)).toEqual([]);
});

test("an answer that the server does not take at once is said to be on its way", async ({ secondBrowser, server }) => {
  const id = await server.startSession("run: touch late.txt");
  const page = await secondBrowser();
  const hold = await holdAnswers(page);
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(form(page).getByRole("status").filter({ hasText: "has not taken it yet" })).toBeVisible();
  hold.letGo();
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("late.txt")).toBe("");
});

test("a word that began while the card was fresh does not end in an answer", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(message(page)).toBeVisible();
  await server.send(id, "run: touch too-early.txt");
  await form(page).waitFor();
  await form(page).focus();
  await page.keyboard.type("yes but");
  await isReady(page);
  await page.keyboard.press("Enter");
  await expect(form(page)).toContainText("What you type goes nowhere");
  expect(answersOf(page)).toEqual([]);
  // a click turns to it
  await form(page).locator("header").click();
  await form(page).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => server.file("too-early.txt")).toBe("");
});

test("who comes from the draft with Esc and types a reason has not answered", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await message(page).fill("run: touch from-draft.txt");
  await message(page).press("Enter");
  await isReady(page);
  await expect(page.getByRole("textbox", { name: "Draft" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(form(page)).toBeFocused();
  await page.keyboard.type("you should use printf");
  await page.keyboard.press("Enter");
  await expect(form(page)).toContainText("What you type goes nowhere");
  await expect(form(page).getByRole("textbox")).toHaveCount(0);
  expect(answersOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(reason(page)).toBeFocused();
});

test("what was being written when the request was answered elsewhere is not lost", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Deny").click();
  await page.keyboard.type("not before the release");
  const other = await secondBrowser();
  await open(other, server.page(id));
  await isReady(other);
  await button(form(other), "Allow once").click();
  const notice = page.getByRole("alert").filter({ hasText: "is over" });
  await expect(notice).toContainText("your answer was not sent");
  await expect(notice).toContainText("not before the release");
  await expect(message(page)).toHaveValue("not before the release");
});
