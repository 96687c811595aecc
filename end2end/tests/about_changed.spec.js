// Permission rules and memory files that a person changes in the dialog about a session.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect, open, isReady, form, message, button, say } = require("../support.js");
const { complaints } = require("../axe.js");

const dialog = (page) => page.getByRole("dialog", { name: "About this session" });
const tab = (page, name) => dialog(page).getByRole("tab", { name, exact: true });
const panel = (page) => dialog(page).getByRole("tabpanel");
const row = (page, words) => panel(page).getByRole("listitem").filter({ hasText: words });
const done = (page) => dialog(page).getByRole("status");
const alert = (page) => dialog(page).getByRole("alert");
const rule = (page) => dialog(page).getByRole("textbox", { name: "Rule" });
const editor = (page) => dialog(page).getByRole("textbox", { name: "CLAUDE.md" });

/** A session that waits for a message, with its dialog open. */
async function opened(page, server, command) {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(page.locator(".session-head")).toContainText("your turn");
  await message(page).fill(command);
  await message(page).press("Enter");
  await expect(panel(page).getByRole("listitem")).not.toHaveCount(0);
}

/** Its rules are there, and the focus is where it goes by itself. */
async function showsRules(page) {
  await expect(tab(page, "Permissions")).toBeFocused();
}

function file(server, name, text) {
  const where = path.join(server.project, name);
  fs.mkdirSync(path.dirname(where), { recursive: true });
  fs.writeFileSync(where, text);
  return where;
}

const text = (where) => fs.readFileSync(where, "utf8");

test("a rule is added, removed and brought back, with the keyboard alone", async ({ page, server }) => {
  const settings = file(server, ".claude/settings.json", '{\n  "zeta": 1,\n  "permissions": {\n    "deny": [\n      "Read(./secret.txt)"\n    ]\n  },\n  "alpha": 2\n}\n');
  const before = text(settings);
  await opened(page, server, "/permissions");
  expect(await complaints(page)).toEqual([]);
  await expect(tab(page, "Permissions")).toBeFocused();
  // the panel, what the rule does, the rule
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("d");
  await page.keyboard.press("Tab");
  await expect(rule(page)).toBeFocused();
  await page.keyboard.type("Bash(npm publish:*)");
  await page.keyboard.press("Enter");
  await expect(done(page)).toContainText("Added Bash(npm publish:*) to ");
  await expect(row(page, "Bash(npm publish:*)")).toContainText("Deny");
  await expect(panel(page)).toContainText("settings.local.json");
  await expect(rule(page)).toBeFocused();
  await expect(rule(page)).toHaveValue("");
  const local = path.join(server.project, ".claude/settings.local.json");
  expect(JSON.parse(text(local))).toEqual({ permissions: { deny: ["Bash(npm publish:*)"] } });

  await button(dialog(page), "Remove Read(./secret.txt)").press("Enter");
  await expect(done(page)).toContainText("Removed Read(./secret.txt) from ");
  await expect(row(page, "Read(./secret.txt)")).toHaveCount(0);
  await expect(panel(page)).toBeFocused();
  expect(text(settings)).toBe(before.replace('[\n      "Read(./secret.txt)"\n    ]', "[]"));
  expect(await complaints(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(button(dialog(page), "Undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(row(page, "Read(./secret.txt)")).toContainText("Deny");
  await expect(button(dialog(page), "Undo")).toBeHidden();
  expect(text(settings)).toBe(before);
});

test("a folder that was added is taken back", async ({ page, server }) => {
  fs.mkdirSync(path.join(server.project, "../beside"), { recursive: true });
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(page.locator(".session-head")).toContainText("your turn");
  await say(page, "/add-dir ../beside");
  await expect(page.getByRole("log")).toContainText("may also work in");
  await say(page, "/permissions");
  await showsRules(page);
  await expect(row(page, "beside")).toContainText("This session, until its process is ended");
  await row(page, "beside").getByRole("button", { name: "Take back" }).press("Enter");
  await expect(done(page)).toContainText("is taken back.");
  await expect(row(page, "beside")).toHaveCount(0);
  await expect(panel(page)).toBeFocused();
});

test("what was allowed for this session stays while a request waits, is taken back at rest, and is asked about again", async ({ page, server, guard }) => {
  guard.expected.push(/status of 400 \(Bad Request\)$/);
  const id = await server.startSession("run: touch one.txt");
  await open(page, server.page(id));
  await isReady(page);
  await form(page).getByRole("switch", { name: /Always allow Bash/ }).check();
  await form(page).getByRole("combobox", { name: "Kept in" }).selectOption("session");
  await button(form(page), "Allow once").click();
  await expect(page.locator(".session-head")).toContainText("your turn");
  await say(page, "run: mkdir two");
  await isReady(page);
  await button(page, "Write a message").click();
  await page.getByRole("textbox", { name: "Draft" }).fill("/permissions");
  await page.keyboard.press("Enter");
  await showsRules(page);
  const taken = row(page, "Bash(touch").getByRole("button", { name: "Take back" });
  await taken.press("Enter");
  await expect(alert(page)).toContainText("is still allowed");
  await expect(taken).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(form(page)).toBeFocused();
  await button(form(page), "Allow once").click();
  await expect(page.locator(".session-head")).toContainText("your turn");

  await say(page, "/permissions");
  await showsRules(page);
  await taken.press("Enter");
  await expect(done(page)).toContainText("is taken back.");
  await page.keyboard.press("Escape");
  await say(page, "run: touch one.txt");
  await expect(form(page)).toContainText("touch one.txt");
});

test("a rule that is begun while another is being written is not lost", async ({ page, server }) => {
  await opened(page, server, "/permissions");
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route("**/api/change_rule", async (route) => {
    await held;
    await route.continue();
  });
  await rule(page).fill("Bash(npm test:*)");
  await page.keyboard.press("Enter");
  await rule(page).fill("Bash(npm run");
  // not before the one before it is done
  await page.keyboard.press("Enter");
  letGo();
  await expect(done(page)).toContainText("Added Bash(npm test:*) to ");
  await expect(rule(page)).toHaveValue("Bash(npm run");
});

test("whoever goes on while the rules are asked for anew keeps the focus", async ({ page, server }) => {
  await opened(page, server, "/permissions");
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route("**/api/about_session", async (route) => {
    await held;
    await route.continue();
  });
  await rule(page).fill("Bash(npm test:*)");
  await page.keyboard.press("Enter");
  await expect(done(page)).toContainText("Added Bash(npm test:*) to ");
  await expect(rule(page)).toHaveValue("");
  await tab(page, "Hooks").focus();
  letGo();
  await expect(row(page, "Bash(npm test:*)")).toHaveCount(1);
  await expect(tab(page, "Hooks")).toBeFocused();
});

test("a rule with a slip stays to be corrected, and a broken settings file stays as it is", async ({ page, server, guard }) => {
  guard.expected.push(/status of 400 \(Bad Request\)$/);
  const local = path.join(server.project, ".claude/settings.local.json");
  await opened(page, server, "/permissions");
  await rule(page).fill("Bash(npm test");
  await button(dialog(page), "Add rule").click();
  await expect(alert(page)).toContainText("The parenthesis is not closed");
  await expect(rule(page)).toHaveValue("Bash(npm test");
  await expect(rule(page)).toBeFocused();
  // also when the dialog was closed meanwhile
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await say(page, "/permissions");
  await showsRules(page);
  await expect(rule(page)).toHaveValue("Bash(npm test");
  file(server, ".claude/settings.local.json", "{ broken");
  await dialog(page).getByRole("combobox", { name: "What the rule does" }).selectOption("Ask");
  await rule(page).fill("Bash(npm test:*)");
  await page.keyboard.press("Enter");
  await expect(alert(page)).toContainText("was left as it is: it is not valid JSON");
  await expect(rule(page)).toHaveValue("Bash(npm test:*)");
  expect(text(local)).toBe("{ broken");
  // elsewhere it can be kept
  await dialog(page).getByRole("combobox", { name: "Where the rule is kept" }).selectOption("All my projects");
  await rule(page).press("Enter");
  await expect(row(page, "Bash(npm test:*)")).toContainText("Ask");
  await expect(panel(page)).toContainText("Your settings");
});

test("a memory file is created, changed and never lost, with the keyboard alone", async ({ page, server }) => {
  const where = path.join(server.project, "CLAUDE.md");
  await opened(page, server, "/memory");
  const create = button(dialog(page), `Create ${where}`);
  await expect(row(page, where)).toContainText("Not there yet");
  expect(await complaints(page)).toEqual([]);
  await create.press("Enter");
  await expect(editor(page)).toBeFocused();
  expect(await complaints(page)).toEqual([]);
  // nothing was typed: nothing is lost
  await page.keyboard.press("Escape");
  await expect(editor(page)).toHaveCount(0);
  await expect(dialog(page)).toBeVisible();
  expect(fs.existsSync(where)).toBe(false);

  await create.press("Enter");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type("Use tabs.\n");
  for (let again = 0; again < 3; again++) {
    await page.keyboard.press("Escape");
    await expect(alert(page)).toContainText("not saved yet");
    await expect(editor(page)).toBeFocused();
    await expect(editor(page)).toHaveValue("Use tabs.\n");
  }
  // nor by another part, nor by the button that closes the dialog
  await tab(page, "Hooks").click();
  await expect(editor(page)).toBeHidden();
  await button(dialog(page), "Close").click();
  await expect(alert(page)).toContainText("not saved yet");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(done(page)).toContainText(`Saved ${where}.`);
  await expect(panel(page)).toBeFocused();
  expect(text(where)).toBe("Use tabs.\n");

  await button(dialog(page), `Edit ${where}`).press("Enter");
  await expect(editor(page)).toHaveValue("Use tabs.\n");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type("Never: ");
  await button(dialog(page), "Cancel").click();
  await expect(alert(page)).toContainText("not saved yet");
  await button(dialog(page), "Discard").click();
  await expect(editor(page)).toHaveCount(0);
  expect(text(where)).toBe("Use tabs.\n");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(message(page)).toBeFocused();
});

test("while a memory file is saved nothing more is typed into it, and it cannot be discarded", async ({ page, server }) => {
  const where = file(server, "CLAUDE.md", "One\n");
  await opened(page, server, "/memory");
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route("**/api/save_memory", async (route) => {
    await held;
    await route.continue();
  });
  await button(dialog(page), `Edit ${where}`).click();
  await editor(page).fill("Two\n");
  // whoever was warned, and saves then
  await page.keyboard.press("Escape");
  await expect(button(dialog(page), "Discard")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(button(dialog(page), "Saving…")).toBeVisible();
  await page.keyboard.type("lost");
  await expect(editor(page)).toHaveValue("Two\n");
  await page.keyboard.press("Escape");
  await expect(done(page)).toContainText("is being saved");
  await expect(alert(page)).toBeHidden();
  await expect(button(dialog(page), "Cancel")).toBeDisabled();
  letGo();
  await expect(done(page)).toContainText(`Saved ${where}.`);
  await expect(editor(page)).toHaveCount(0);
  await expect(panel(page)).toBeFocused();
  expect(text(where)).toBe("Two\n");
});

test("a memory file that was changed meanwhile is shown beside what was typed", async ({ page, server, guard }) => {
  guard.expected.push(/status of 409 \(Conflict\)$/);
  const where = file(server, "CLAUDE.md", "One\r\nTwo\r\n");
  await opened(page, server, "/memory");
  await button(dialog(page), `Edit ${where}`).click();
  await expect(editor(page)).toHaveValue("One\nTwo\n");
  await editor(page).fill("One\nMine\n");
  fs.writeFileSync(where, "Theirs\r\n");
  await button(dialog(page), "Save").click();
  await expect(alert(page)).toContainText("was changed by someone else");
  await expect(dialog(page).getByRole("region", { name: "What the file holds now" })).toContainText("Theirs");
  await expect(editor(page)).toHaveValue("One\nMine\n");
  expect(text(where)).toBe("Theirs\r\n");
  expect(await complaints(page)).toEqual([]);
  await expect(dialog(page)).toContainText("Ctrl+Enter saves over it");
  await button(dialog(page), "Save over it").click();
  await expect(done(page)).toContainText(`Saved ${where}.`);
  expect(text(where)).toBe("One\r\nMine\r\n");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test("rules and memory files are changed, too", async ({ page, server }) => {
    const where = file(server, "CLAUDE.md", "Use tabs.\n");
    await opened(page, server, "/permissions");
    await dialog(page).getByRole("combobox", { name: "What the rule does" }).selectOption("Deny");
    await rule(page).fill("Read(./a-folder-with-a-long-name/and-another-one/**)");
    await button(dialog(page), "Add rule").click();
    const removing = button(dialog(page), "Remove Read(./a-folder-with-a-long-name/and-another-one/**)");
    await removing.click();
    await expect(button(dialog(page), "Undo")).toBeVisible();
    const isWide = (element) => element.scrollWidth > element.clientWidth + 1;
    expect(await panel(page).evaluate(isWide)).toBe(false);
    await tab(page, "Memory").click();
    await button(dialog(page), `Edit ${where}`).click();
    await editor(page).fill("Use spaces.\n");
    await button(dialog(page), "Save").click();
    await expect(done(page)).toContainText("Saved");
    expect(text(where)).toBe("Use spaces.\n");
    expect(await panel(page).evaluate(isWide)).toBe(false);
  });
});
