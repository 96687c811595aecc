// What is asked for beside the conversation: changes in the project, a question by the way, the last answer as text.
const fs = require("node:fs");
const path = require("node:path");
const { execFileSync } = require("node:child_process");
const { test, expect, open, isReady, form, message, transcript, button, say } = require("../support.js");
const { complaints } = require("../axe.js");

const dialog = (page, name) => page.getByRole("dialog", { name });
const isDone = (page) => expect(page.locator(".session-head")).toContainText("your turn");
const doubt = (page) => page.getByRole("status", { name: "Command" });

function git(server, ...words) {
  const name = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
  execFileSync("git", [...name, ...words], { cwd: server.project, stdio: "pipe" });
}

test("what changed since the last commit is shown by /diff and from the menu", async ({ page, server, guard }) => {
  // before git keeps the project
  guard.expected.push(/status of 400 \(Bad Request\)$/);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await message(page).fill("/diff");
  await message(page).press("Enter");
  const changes = dialog(page, "Changes in the project");
  await expect(changes.getByRole("alert")).toContainText("git does not keep this project");
  await page.keyboard.press("Escape");
  await expect(changes).toBeHidden();
  await expect(message(page)).toBeFocused();

  fs.writeFileSync(path.join(server.project, "poem.txt"), "roses\n-- red\n");
  git(server, "init", "--quiet");
  git(server, "add", ".");
  git(server, "commit", "--quiet", "--message=first");
  await say(page, "/diff");
  await expect(changes).toContainText("Nothing has changed since the last commit.");
  await page.keyboard.press("Escape");
  await expect(changes).toBeHidden();
  await expect(message(page)).toBeFocused();

  fs.writeFileSync(path.join(server.project, "poem.txt"), "roses\n++ blue\n");
  fs.writeFileSync(path.join(server.project, "new.txt"), "fresh\n");
  await page.locator("summary[aria-label=More]").press("Enter");
  await button(page, "Changes in the project").press("Enter");
  await expect(changes).toContainText("2 files have changed since the last commit: +2 −1.");
  // they look like the names of files above a comparison, and are changed lines
  await expect(changes.locator(".code-block .d")).toHaveText("--- red\n");
  await expect(changes.locator(".code-block .a")).toHaveText(["+++ blue\n", "+fresh\n"]);
  expect(await complaints(page)).toEqual([]);
  await button(changes, "Close").click();
  await expect(page.locator("summary[aria-label=More]")).toBeFocused();
  await expect(transcript(page).locator(".said")).toHaveCount(1);
});

test("a question by the way is answered beside the conversation", async ({ page, server }) => {
  const id = await server.startSession("run: touch one.txt");
  await open(page, server.page(id));
  await isReady(page);
  // the request waits meanwhile
  await button(page, "Write a message").click();
  const draft = page.getByRole("textbox", { name: "Draft" });
  // with the mode the agent would take the request back
  await draft.press("Alt+m");
  await expect(doubt(page)).toContainText("A request waits");
  await draft.fill("/plan the garden");
  await expect(doubt(page)).toBeEmpty();
  await page.keyboard.press("Enter");
  await expect(doubt(page)).toContainText("A request waits, and would be taken back with the mode.");
  await expect(draft).toHaveValue("/plan the garden");
  await expect(form(page)).toBeVisible();
  await draft.fill("/btw why is the sky blue?");
  await page.keyboard.press("Enter");
  const aside = dialog(page, "By the way");
  await expect(aside.locator(".asked")).toHaveText("why is the sky blue?");
  await expect(aside.locator(".prose")).not.toBeEmpty();
  expect(await complaints(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(aside).toBeHidden();
  await expect(form(page)).toBeFocused();
  await expect(transcript(page)).not.toContainText("sky");
  await button(form(page), "Allow once").click();
  await isDone(page);
  await expect(transcript(page).locator(".said")).toHaveCount(1);

  await say(page, "/btw");
  await expect(page.getByRole("alert")).toContainText("Write your question behind it");
  await expect(message(page)).toHaveValue("/btw");
});

test("a question by the way that is refused is in the message input again", async ({ page, server, guard }) => {
  guard.expected.push(/status of 409/);
  await page.route("**/api/ask_aside", (route) => route.fulfill({ status: 409, json: { code: "agent_unavailable", message: "Not now." } }));
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await message(page).fill("/btw why is the sky blue?");
  await page.keyboard.press("Enter");
  const aside = dialog(page, "By the way");
  await expect(aside.getByRole("alert")).toContainText("Not now.");
  await page.keyboard.press("Escape");
  await expect(aside).toBeHidden();
  await expect(message(page)).toHaveValue("/btw why is the sky blue?");
  await expect(message(page)).toBeFocused();
});

test("the last answer is copied by /copy", async ({ page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await say(page, "run a command");
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  await isDone(page);
  await say(page, "/copy");
  await expect(doubt(page)).toHaveText("The agent's last answer is in the clipboard.");
  await expect(message(page)).toHaveValue("");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^Done\. The command ran once/);
  await message(page).fill("next");
  await expect(doubt(page)).toBeEmpty();
});

test("what the browser does not let a page copy is not said to be copied", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"))));
  await say(page, "/copy");
  await expect(page.getByRole("alert")).toContainText("The browser did not let this page copy.");
  await expect(doubt(page)).toBeEmpty();
  await expect(message(page)).toHaveValue("/copy");
});

test("Alt+M goes from mode to mode, and loses nothing that is written", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const mode = page.locator(".session-head").getByRole("combobox", { name: "Permission mode" });
  await message(page).fill("/status");
  for (const [value, words] of [
    ["acceptEdits", "Accept edits: Files of the project are changed without asking"],
    ["plan", "It looks around and shows you a plan"],
    ["default", "Ask before edits: You are asked"],
  ]) {
    await message(page).press("Alt+m");
    await expect(mode).toHaveValue(value);
    await expect(doubt(page)).toContainText(words);
  }
  await expect(message(page)).toHaveValue("/status");
  // what was said of the mode is no doubt about the command
  await message(page).press("Enter");
  await expect(dialog(page, "About this session")).toBeVisible();
});

test("Alt+M is the letter, wherever its key is, and once however long it is held", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const mode = page.locator(".session-head").getByRole("combobox", { name: "Permission mode" });
  const told = [];
  page.on("request", (request) => request.url().endsWith("/api/set_permission_mode") && told.push(request.postData()));
  // the comma of a French keyboard is where M is elsewhere
  await message(page).dispatchEvent("keydown", { key: ",", code: "KeyM", altKey: true });
  await message(page).dispatchEvent("keydown", { key: "m", code: "Semicolon", altKey: true });
  await expect(mode).toHaveValue("acceptEdits");
  await expect(doubt(page)).toContainText("Accept edits");
  await message(page).focus();
  await page.keyboard.down("Alt");
  for (let times = 0; times < 3; times++) await page.keyboard.down("m");
  await page.keyboard.up("m");
  await page.keyboard.up("Alt");
  await expect(mode).toHaveValue("plan");
  await expect(doubt(page)).toContainText("shows you a plan");
  expect(told).toHaveLength(2);
});
