// What the agent tells of itself, the conversation as a file, and commands that are no message.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect, open, isReady, form, message, transcript, button, say } = require("../support.js");
const { complaints } = require("../axe.js");

const dialog = (page) => page.getByRole("dialog", { name: "About this session" });
const tab = (page, name) => dialog(page).getByRole("tab", { name, exact: true });
const panel = (page) => dialog(page).getByRole("tabpanel");
const row = (page, words) => panel(page).getByRole("listitem").filter({ hasText: words });
const isDone = (page) => expect(page.locator(".session-head")).toContainText("your turn");
const more = (page) => page.locator("summary[aria-label=More]");

/** A project with rules, a hook, a memory file and an MCP server whose program is not there yet. */
function furnish(server) {
  const file = (name, content) => {
    const where = path.join(server.project, name);
    fs.mkdirSync(path.dirname(where), { recursive: true });
    fs.writeFileSync(where, typeof content === "string" ? content : JSON.stringify(content));
    return where;
  };
  const program = path.join(server.root, "clock-server");
  file(".claude/settings.json", {
    permissions: { deny: ["Read(./secret.txt)"], ask: ["Bash(git push:*)"] },
    hooks: { Stop: [{ hooks: [{ type: "command", command: "true", timeout: 5 }] }] },
  });
  file(".mcp.json", { mcpServers: { clock: { command: program, args: [] } } });
  file("CLAUDE.md", "Use tabs.\n");
  return program;
}

/** As much of one as a client needs to be content. */
const SERVER = `#!/usr/bin/env node
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "clock", version: "1" } },
    "tools/list": { tools: [{ name: "now", inputSchema: { type: "object" } }] },
  }[method] ?? {};
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;

test("what the agent tells of itself is shown part by part, with the keyboard alone", async ({ page, server }) => {
  furnish(server);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await more(page).press("Enter");
  await button(page, "About this session").press("Enter");
  await expect(tab(page, "Agent")).toBeFocused();
  await expect(row(page, "Version")).toBeVisible();
  await expect(row(page, server.project)).not.toHaveCount(0);
  expect(await complaints(page)).toEqual([]);

  await page.keyboard.press("ArrowDown");
  await expect(tab(page, "Context")).toBeFocused();
  await expect(panel(page)).toContainText(/tokens are used, \d+ %\./);
  await expect(row(page, "Free space")).toBeVisible();
  expect(await complaints(page)).toEqual([]);

  await page.keyboard.press("ArrowDown");
  await expect(panel(page)).toContainText(`The project’s settings ${server.project}/.claude/settings.json`);
  await expect(row(page, "Read(./secret.txt)")).toContainText("Deny");
  await expect(row(page, "Bash(git push:*)")).toContainText("Ask");
  await expect(row(page, "Works in")).toContainText(server.project);

  await tab(page, "Hooks").click();
  await expect(row(page, "at most 5 s")).toContainText("true");
  await tab(page, "Memory").click();
  await expect(row(page, path.join(server.project, "CLAUDE.md"))).toBeVisible();
  await tab(page, "Commands").click();
  await expect(row(page, "/compact")).toBeVisible();
  await expect(row(page, "/hooks")).toContainText("Countersign shows the hooks");
  expect(await complaints(page)).toEqual([]);
  // before the first comes the last, and after it the first
  await page.keyboard.press("ArrowDown");
  await expect(tab(page, "Agent")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(tab(page, "Commands")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(more(page)).toBeFocused();
});

test("an MCP server that failed is connected again, and switched off and on", async ({ page, server, guard }) => {
  // the agent refuses while its program is not there
  guard.expected.push(/status of 400 \(Bad Request\)$/);
  const program = furnish(server);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await say(page, "/mcp");
  await expect(tab(page, "MCP servers")).toHaveAttribute("aria-selected", "true");
  await expect(message(page)).toHaveValue("");
  await expect(row(page, "clock")).toContainText("Failed");
  await expect(row(page, "clock")).toContainText("ENOENT");
  await button(dialog(page), "Reconnect clock").click();
  await expect(dialog(page).getByRole("alert")).toContainText("ENOENT");

  fs.writeFileSync(program, SERVER, { mode: 0o755 });
  await button(dialog(page), "Reconnect clock").click();
  await expect(row(page, "clock")).toContainText("Connected");
  await expect(dialog(page).getByRole("alert")).toBeHidden();
  await button(dialog(page), "Switch off clock").click();
  await expect(row(page, "clock")).toContainText("Off");
  await button(dialog(page), "Switch on clock").click();
  await expect(row(page, "clock")).toContainText("Connected");
  expect(await complaints(page)).toEqual([]);
});

test("commands that need a terminal open what they would show, and cost no turn", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const said = transcript(page).locator(".said");
  await expect(said).toHaveCount(1);
  await message(page).pressSequentially("/stat");
  await expect(page.getByRole("option", { name: /^\/status/ })).toContainText("Countersign shows what the agent says of itself");
  await message(page).press("Tab");
  for (const [command, part] of Object.entries({ status: "Agent", permissions: "Permissions", hooks: "Hooks", memory: "Memory", help: "Commands" })) {
    await message(page).fill(`/${command}`);
    await message(page).press("Enter");
    await expect(tab(page, part)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(message(page)).toBeFocused();
    await expect(message(page)).toHaveValue("");
  }
  await expect(said).toHaveCount(1);
});

test("a session without a process says that a message starts it", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await server.api("kill", { session_id: id });
  await expect(page.locator(".session-head")).toContainText("Ended by you");
  await say(page, "/status");
  await expect(panel(page)).toContainText("A message starts it.");
  await tab(page, "Commands").click();
  await expect(row(page, "/export")).toBeVisible();
});

test("a command that nobody knows is told before it is sent, and sent by a second Enter", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const doubt = page.getByRole("status", { name: "Command" });
  const said = transcript(page).locator(".said");
  await message(page).fill("/claer");
  await message(page).press("Enter");
  await expect(doubt).toContainText("There is no command /claer. Did you mean /clear?");
  await expect(message(page)).toHaveValue("/claer");
  await message(page).fill("/frobnicate");
  await expect(doubt).toBeEmpty();
  await message(page).press("Enter");
  await expect(doubt).toContainText("There is no command /frobnicate. Enter once more sends it");
  await expect(said).toHaveCount(1);
  await message(page).press("Enter");
  await expect(said).toHaveCount(2);
  await isDone(page);
  await say(page, "/etc/hosts is broken");
  await expect(said).toHaveCount(3);
});

test("/model with a name shows in the head at once", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const model = page.getByRole("combobox", { name: "Model" });
  await expect(model).toBeVisible();
  const chosen = await model.inputValue();
  const values = await model.locator("option").evaluateAll((all) => all.map((option) => /** @type {HTMLOptionElement} */ (option).value));
  const other = values.find((value) => value !== chosen && value !== "default");
  await say(page, `/model ${other}`);
  await expect(model).toHaveValue(other);
  await expect(message(page)).toHaveValue("");
  await expect(transcript(page).locator(".said")).toHaveCount(1);
});

test("a conversation is saved as a text, from the menu and by /export", async ({ page, server }) => {
  const id = await server.startSession("run: echo one > one.txt");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  await isDone(page);
  const saved = async (begin) => {
    const [download] = await Promise.all([page.waitForEvent("download"), begin()]);
    return [download.suggestedFilename(), fs.readFileSync(await download.path(), "utf8")];
  };
  await more(page).click();
  const [name, text] = await saved(() => page.getByRole("link", { name: "Save as text" }).click());
  expect(name).toMatch(/^run-echo-one-one-txt\.md$/i);
  expect(text).toContain("## You · ");
  expect(text).toContain("```\necho one > one.txt\n```");
  expect(text).toContain("Asked, and decided: Allowed once · by you");
  const [, again] = await saved(() => say(page, "/export"));
  expect(again).toBe(text);
  await expect(message(page)).toHaveValue("");
});

test("what a compacted conversation goes on with can be read", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await say(page, "/compact");
  const summary = transcript(page).locator("details", { hasText: "Summary: what the agent knows" });
  await expect(summary).toBeVisible();
  await summary.locator("summary").click();
  await expect(summary).toContainText("This session is being continued from a previous conversation");
});
