// The whole loop by keyboard alone, and typing that is never stolen.
const { test, expect, open, form, message, transcript, button, reason, isReady } = require("../support.js");

/** Presses Tab until the element has the focus. */
async function tabTo(page, locator) {
  await expect(locator).toBeVisible();
  for (let steps = 0; steps < 60; steps += 1) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${locator}`);
}

const hasFocus = (locator) => expect(locator).toBeFocused();

test("a session is started, a request allowed and a message sent without a pointer", async ({ inbox: page, server }) => {
  await tabTo(page, button(page, "New session"));
  await page.keyboard.press("Enter");
  await hasFocus(page.getByRole("textbox", { name: "First message" }));
  await page.keyboard.type("run a command");
  await page.keyboard.press("Enter");
  await isReady(page);
  await expect(page).toHaveURL(/\/session\//);
  await tabTo(page, form(page));
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("Done. The command ran once, as you allowed.");
  expect(server.file("countersign-demo.txt")).toBe("Hello from Countersign\n");

  await tabTo(page, message(page));
  await page.keyboard.type("first line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("stream markdown");
  await expect(message(page)).toHaveValue("first line\nstream markdown");
  await page.keyboard.press("Enter");
  await expect(message(page)).toHaveValue("");
  await expect(transcript(page)).toContainText("first line");
});

test("the dialog closes with Esc and keeps what was typed", async ({ inbox: page }) => {
  await tabTo(page, button(page, "New session"));
  await page.keyboard.press("Enter");
  const first = page.getByRole("textbox", { name: "First message" });
  await hasFocus(first);
  await page.keyboard.type("run a com");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await hasFocus(button(page, "New session"));
  await page.keyboard.press("Enter");
  await expect(first).toHaveValue("run a com");
});

test("Esc opens the deny box with the reason focused, Esc closes it and keeps the text, Enter denies", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await tabTo(page, form(page));
  await page.keyboard.press("Escape");
  await hasFocus(reason(page));
  await page.keyboard.type("Not 1 of these, not yet");
  await page.keyboard.press("Escape");
  await expect(reason(page)).toHaveCount(0);
  await hasFocus(form(page));
  expect(await server.pending(id)).toHaveLength(1);
  await page.keyboard.press("Escape");
  await hasFocus(reason(page));
  await expect(reason(page)).toHaveValue("Not 1 of these, not yet");
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("Denied · by you · “Not 1 of these, not yet”");
  await expect(message(page)).toBeVisible();
});

test("the request is one Tab and one press away, wherever the page begins", async ({ page, server }) => {
  const id = await server.startSession("run: echo here > here.txt");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await isReady(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Go to the request" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(form(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(() => server.file("here.txt")).toBe("here\n");
});

test("a button in the card does what it says, not what the card's key says", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await tabTo(page, form(page));
  await tabTo(page, button(form(page), "Deny"));
  await page.keyboard.press("Enter");
  await hasFocus(reason(page));
  expect(await server.pending(id)).toHaveLength(1);
});

test("a question is answered by number keys, and Esc throws nothing away", async ({ page, server }) => {
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  await isReady(page);
  await tabTo(page, form(page));
  await page.keyboard.press("2");
  await expect(form(page).getByRole("radio", { name: "Curved" })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(form(page)).toBeVisible();
  await expect(form(page).getByRole("radio", { name: "Curved" })).toBeChecked();
  await expect(form(page)).not.toBeFocused();
  expect(await server.pending(id)).toHaveLength(1);
  await tabTo(page, form(page));
  await page.keyboard.press("3");
  await page.keyboard.press("Enter");
  await expect(transcript(page).getByRole("definition")).toHaveText("Stepping stones");
});

test("four questions are answered one after the other by number keys, 0 begins the free text", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await isReady(page);
  await tabTo(page, form(page));
  await page.keyboard.press("2"); // PostgreSQL
  await page.keyboard.press("1"); // Format
  await page.keyboard.press("2"); // several may be chosen here: the next number stays with this question
  await page.keyboard.press("Enter"); // goes on to the next one without an answer
  await page.keyboard.press("3"); // Two lines
  await page.keyboard.press("Enter"); // and to the last
  await page.keyboard.press("0");
  await page.keyboard.type("Wren 10");
  await tabTo(page, button(form(page), "Submit answers"));
  await page.keyboard.press("Enter");
  await expect(transcript(page).getByRole("definition")).toHaveText(["PostgreSQL", "Format, Lints", "Two lines", "Wren 10"]);
});

test("a number is for a question that is seen: the next one comes into sight, and one that is not in sight is shown first", async ({ page, server }) => {
  await page.setViewportSize({ width: 900, height: 560 });
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).focus();
  const groups = form(page).locator(".question-group");
  const chosen = form(page).locator(".option.on");
  await expect(groups.nth(0)).toHaveClass(/\bnext\b/);
  await groups.nth(3).scrollIntoViewIfNeeded();
  await expect(groups.nth(0).locator("legend")).not.toBeInViewport();
  await page.keyboard.press("2");
  await expect(groups.nth(0).locator("legend")).toBeInViewport();
  await expect(chosen).toHaveCount(0);
  await page.keyboard.press("2");
  await expect(chosen).toHaveText(/PostgreSQL/);
  await expect(groups.nth(1)).toHaveClass(/\bnext\b/);
  await expect(form(page).locator(".question-group.next")).toHaveCount(1);
  await expect(groups.nth(1).locator("legend")).toBeInViewport();
  await expect(groups.nth(1).locator(".option").nth(1)).toBeInViewport();
});

test("among options that have the focus a number takes it along, with the preview, and then on to the next question", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).focus();
  await page.keyboard.press("1"); // SQLite
  await page.keyboard.press("1"); // Format
  await page.keyboard.press("Enter"); // to the greeting: its first option has the focus
  const groups = form(page).locator(".question-group");
  const greeting = (name) => groups.nth(2).getByRole("radio", { name });
  await hasFocus(greeting("Plain"));
  await page.keyboard.press("2");
  await expect(greeting("Framed")).toBeChecked();
  await expect(groups.nth(2).locator(".preview-of")).toHaveText("Preview of Framed");
  await expect(groups.nth(3).locator("input:focus"), "on with the next one, as from the card").toHaveCount(1);
  // one that is corrected stays at hand
  await greeting("Plain").focus();
  await page.keyboard.press("3");
  await hasFocus(greeting("Two lines"));
  await expect(groups.nth(2).locator(".preview-of")).toHaveText("Preview of Two lines");
});

test("a plan is sent back and approved by keyboard", async ({ page, server }) => {
  const id = await server.startSession("make a plan");
  await open(page, server.page(id));
  await isReady(page);
  await tabTo(page, form(page));
  await page.keyboard.press("Escape");
  await hasFocus(form(page).getByRole("textbox", { name: "Feedback" }));
  await page.keyboard.type("Shorter");
  await page.keyboard.press("Enter");
  await expect(form(page).getByRole("blockquote")).toContainText("Shorter");
  await isReady(page);
  await tabTo(page, button(form(page), "Approve plan"));
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("The plan is approved.");
});

test("after an answer the next request of the queue has the focus", async ({ page, server }) => {
  const id = await server.startSession("three things");
  await expect.poll(() => server.pending(id)).toHaveLength(3);
  await open(page, server.page(id));
  await isReady(page);
  await tabTo(page, form(page));
  const paths = (await server.pending(id)).map((request) => request.tool_input.file_path);
  for (const next of paths.slice(1)) {
    await page.keyboard.press("Enter");
    await expect(form(page)).toContainText(next);
    await hasFocus(form(page));
    await isReady(page);
  }
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("All 3 are read.");
});

test("the inbox is walked with j and k, and o opens the session", async ({ inbox: page, server }) => {
  const first = await server.startSession("run a command");
  await expect.poll(() => server.pending(first)).toHaveLength(1);
  await server.startSession("ask a question");
  await expect(form(page)).toHaveCount(2);
  await page.keyboard.press("j");
  await hasFocus(form(page).nth(0));
  await page.keyboard.press("j");
  await hasFocus(form(page).nth(1));
  await page.keyboard.press("k");
  await hasFocus(form(page).nth(0));
  await page.keyboard.press("o");
  await expect(page).toHaveURL(server.page(first));
});

test("a request that arrives while someone writes a message takes no key and loses no word", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await message(page).click();
  await page.keyboard.type("half a mess");
  await server.send(id, "run a command");
  await expect(form(page)).toBeVisible();
  await page.keyboard.type("age");
  await expect(page.getByRole("textbox", { name: "Draft" })).toHaveValue("half a message");
  await expect(message(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await isReady(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(form(page)).not.toBeFocused();
  await expect(reason(page)).toHaveCount(0);
  expect(await server.pending(id)).toHaveLength(1);
  await button(form(page), "Allow once").click();
  await expect(message(page)).toHaveValue("half a message");
});

test("a request that arrives while someone types elsewhere leaves the focus and the text alone", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await button(page, "New session").click();
  const first = page.getByRole("textbox", { name: "First message" });
  await first.pressSequentially("run a ");
  await server.send(id, "run a command");
  await expect(page).toHaveTitle(/^\(1\) /);
  await hasFocus(first);
  await page.keyboard.type("1 command");
  await page.keyboard.press("Escape");
  await isReady(page);
  await expect(reason(page)).toHaveCount(0);
  expect(await server.pending(id)).toHaveLength(1);
  await button(page, "New session").click();
  await expect(first).toHaveValue("run a 1 command");
});

test("a second request leaves someone alone who writes a reason for the first", async ({ inbox: page, server }) => {
  await server.startSession("run a command");
  await isReady(page);
  await button(form(page), "Deny").click();
  await reason(page).pressSequentially("not ");
  await server.startSession("ask a question");
  await expect(form(page)).toHaveCount(2);
  await hasFocus(reason(page));
  await page.keyboard.type("1 bit");
  await expect(reason(page)).toHaveValue("not 1 bit");
});

test("Esc leads from the editor and from a button of an open box back to the card", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Edit").click();
  await hasFocus(form(page).getByRole("textbox", { name: "Edited command" }));
  await page.keyboard.press("Escape");
  await hasFocus(form(page));
  await page.keyboard.press("Escape");
  await hasFocus(reason(page));
  await button(form(page), "Deny and stop").focus();
  await page.keyboard.press("Escape");
  await hasFocus(form(page));
  await expect(reason(page)).toHaveCount(0);
});

test("a plan is approved with Enter on its card", async ({ page, server }) => {
  const id = await server.startSession("propose a plan");
  await open(page, server.page(id));
  await isReady(page);
  await tabTo(page, form(page));
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("The plan is approved.");
});

test("Esc leads from a button of the feedback box back to the plan", async ({ page, server }) => {
  const id = await server.startSession("propose a plan");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).focus();
  await page.keyboard.press("Escape");
  await button(form(page), "Keep planning").focus();
  await page.keyboard.press("Escape");
  await hasFocus(form(page));
});

test("a card that has just appeared takes neither clicks nor keys for 400 ms", async ({ page, server }) => {
  await page.addInitScript(() => {
    // the very moment a card is there: every click and key a hurried person could send it
    new MutationObserver(() => {
      const card = document.querySelector('form[aria-label="Pending request"]');
      if (!card) return;
      if (!window.appeared) {
        window.appeared = performance.now();
        card.focus();
        for (const pressed of card.querySelectorAll("button")) pressed.click();
        for (const key of ["Enter", "Escape"]) card.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
      const allow = [...card.querySelectorAll("button")].find((button) => button.textContent.startsWith("Allow once"));
      if (allow && !allow.disabled) window.ready ??= performance.now();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(message(page)).toBeVisible();
  await server.send(id, "run a command");
  await isReady(page);
  expect(await page.evaluate(() => window.ready - window.appeared)).toBeGreaterThanOrEqual(399);
  await expect(reason(page)).toHaveCount(0);
  expect(await server.pending(id)).toHaveLength(1);
  expect(server.file("countersign-demo.txt")).toBeUndefined();
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Allowed once · by you");
});

test("begun with Enter, answered with Enter: what the session asks is at hand, and after it the transcript", async ({ inbox: page, server }) => {
  await button(page, "New session").press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "First message" }).fill("run: echo one > one.txt then run: echo two > two.txt");
  await page.keyboard.press("Enter");
  for (const name of ["one", "two"]) {
    await expect(form(page).locator(".command")).toHaveText(`echo ${name} > ${name}.txt`);
    await isReady(page);
    await expect(form(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect.poll(() => server.file(`${name}.txt`)).toBe(`${name}\n`);
  }
  await expect(form(page)).toHaveCount(0);
  await expect(transcript(page)).toBeFocused();
});

test("a key that is held answers one request, not the next one too", async ({ page, server }) => {
  const id = await server.startSession("run: echo one > one.txt then run: echo two > two.txt");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).focus();
  await page.keyboard.down("Enter");
  // not the words of the card: its head may have the whole message as the title
  await expect(form(page).locator(".command")).toHaveText("echo two > two.txt");
  await isReady(page);
  await expect(form(page)).toBeFocused();
  for (let times = 0; times < 5; times += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect(await server.pending(id)).toHaveLength(1);
  await page.keyboard.press("Enter");
  await expect.poll(() => server.file("two.txt")).toBe("two\n");
});

test("a message written while a request waits is queued and taken after the answer; from an empty one Esc leads to the request", async ({ page, server }) => {
  const id = await server.startSession("run: echo one > one.txt");
  await open(page, server.page(id));
  await isReady(page);
  await button(page, "Write a message").click();
  const draft = page.getByRole("textbox", { name: "Draft" });
  await expect(draft).toBeFocused();
  await page.keyboard.type("help");
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("Queued");
  await expect(draft).toHaveValue("");
  expect(await server.pending(id)).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(form(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
  await expect(transcript(page)).toContainText("welcome to Countersign");
  await expect(transcript(page)).not.toContainText("Queued");
});

test("after a message was sent, Enter leads to the request that comes, and then allows it; no key is shown that does nothing", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(page.locator(".session-head")).toContainText("your turn");
  await message(page).fill("run: echo one > one.txt");
  await page.keyboard.press("Enter");
  await expect(form(page)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Draft" })).toBeFocused();
  await expect(page.locator(".composer-hint")).toContainText("Enter or Esc goes to the request");
  await expect(form(page).locator("kbd").first()).toBeHidden();
  await isReady(page);
  await page.keyboard.press("Enter");
  await expect(form(page)).toBeFocused();
  await expect(form(page).locator("kbd").first()).toBeVisible();
  expect(await server.pending(id)).toHaveLength(1);
  await page.keyboard.press("Enter");
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
});

test("what is typed where nothing takes it goes into the message", async ({ page, server }) => {
  const id = await server.startSession("run: touch one.txt");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).press("Enter");
  await expect(page.locator(".session-head")).toContainText("your turn");
  await expect(message(page)).not.toBeFocused();
  await page.keyboard.type("and then");
  await expect(message(page)).toHaveValue("and then");
  await expect(message(page)).toBeFocused();
});

test("a text of one's own is answered with the keyboard alone, among several questions", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await isReady(page);
  const others = form(page).getByRole("textbox", { name: "Other" });
  await form(page).press("0");
  await expect(others.first()).toBeFocused();
  await page.keyboard.type("A shoe box");
  // Escape leaves the text and nothing else
  await page.keyboard.press("Escape");
  await expect(form(page)).toBeFocused();
  await others.first().focus();
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("or two");
  await page.keyboard.press("Enter");
  await expect(others.first()).toHaveValue("A shoe box\nor two");
  await expect(others.first()).not.toBeFocused();
  // on with the next one
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("0");
  await expect(others.last()).toBeFocused();
  await page.keyboard.type("Kingfisher");
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(0);
  await expect(transcript(page)).toContainText("A shoe box");
  await expect(transcript(page)).toContainText("Kingfisher");
});

test("Escape twice stops a command of one's own, and goes nowhere back", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(page.locator(".session-head")).toContainText("your turn");
  await message(page).fill("!tail -f /dev/null");
  await message(page).press("Enter");
  await expect(button(page, "Stop the command")).toBeVisible();
  await message(page).press("Escape");
  await expect(page.getByRole("status", { name: "Stopping" })).toContainText("stop your command");
  await message(page).press("Escape");
  await expect(transcript(page)).toContainText("You stopped it.");
  await expect(page.getByRole("region", { name: "Go back to before this message" })).toHaveCount(0);
});
