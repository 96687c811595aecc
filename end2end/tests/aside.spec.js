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

  fs.writeFileSync(path.join(server.project, "poem.txt"), "roses\nare red\n");
  git(server, "init", "--quiet");
  git(server, "add", ".");
  git(server, "commit", "--quiet", "--message=first");
  await say(page, "/diff");
  await expect(changes).toContainText("Nothing has changed since the last commit.");
  await page.keyboard.press("Escape");

  fs.writeFileSync(path.join(server.project, "poem.txt"), "roses\nare blue\n");
  fs.writeFileSync(path.join(server.project, "new.txt"), "fresh\n");
  await page.locator("summary[aria-label=More]").press("Enter");
  await button(page, "Changes in the project").press("Enter");
  await expect(changes).toContainText("2 files have changed since the last commit: +2 −1.");
  await expect(changes.locator(".code-block .d")).toHaveText("-are red\n");
  await expect(changes.locator(".code-block .a")).toHaveText(["+are blue\n", "+fresh\n"]);
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

test("the last answer is copied by /copy", async ({ page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await expect(transcript(page).locator(".prose").first()).toBeVisible();
  await say(page, "/copy");
  await expect(doubt(page)).toHaveText("The agent's last answer is in the clipboard.");
  await expect(message(page)).toHaveValue("");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [line] = copied.split("\n").filter(Boolean);
  await expect(transcript(page)).toContainText(line.replaceAll(/[*`#]/g, "").trim().slice(0, 20));
  await message(page).fill("next");
  await expect(doubt(page)).toBeEmpty();
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
