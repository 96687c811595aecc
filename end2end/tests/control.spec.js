// What a person does with a session besides answering: queue and take back, send again, choose a model, commands, fork.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect, open, form, message, sidebar, transcript, button, say, isReady } = require("../support.js");

const model = (page) => page.getByRole("combobox", { name: "Model" });
const commands = (page) => page.getByRole("listbox", { name: "Commands" });
/** Its turn is over, and the conversation is kept. */
const isDone = (page) => expect(page.locator(".session-head")).toContainText("your turn");
const process = async (server, id) => (await server.api("list_sessions")).find((known) => known.session_id === id)?.process;

test("a queued message is taken back: its words are in the message input again", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await server.send(id, "and tell me a story");
  await expect(transcript(page)).toContainText("Queued: the agent takes it when it is ready");
  await button(transcript(page), "Cancel").click();
  await expect(transcript(page)).toContainText("Taken back: the agent never saw it");
  await button(form(page), "Allow once").click();
  await expect(message(page)).toHaveValue("and tell me a story");
});

test("what was queued when the process ended is said to be unread, and is sent again with one press", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await server.send(id, "run: echo later > later.txt");
  await expect(transcript(page)).toContainText("Queued");
  await server.api("kill", { session_id: id });
  await expect(transcript(page)).toContainText("Not read: the agent ended before it read this");
  await button(transcript(page), "Send again").click();
  await isReady(page);
  await expect(form(page)).toContainText("echo later");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  await expect(transcript(page)).toContainText("Not read; sent again below");
  expect(server.file("later.txt")).toBe("later\n");
});

test("what is pressed in the transcript stays under the pointer while a draft gives up its place", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await button(page, "Write a message").click();
  const draft = page.getByRole("textbox", { name: "Draft" });
  await draft.fill("help");
  await page.keyboard.press("Enter");
  await expect(transcript(page).locator(".said.queued")).toHaveCount(1);
  await expect(draft).toBeFocused();
  const cancel = button(transcript(page), "Cancel");
  const { x, y, width, height } = await cancel.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await expect(draft).not.toBeFocused();
  await page.mouse.up();
  await expect(transcript(page).locator(".said.queued")).toHaveCount(0);
});

test("what is queued when the agent is stopped does not begin, and is sent again with one press", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await button(page, "Write a message").click();
  await page.getByRole("textbox", { name: "Draft" }).fill("help");
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("Queued: the agent takes it when it is ready");
  await button(page, "Stop").click();
  await expect(transcript(page)).toContainText("Not read: the agent ended before it read this");
  await isDone(page);
  await expect(transcript(page).locator(".said").last()).toContainText("help");
  await button(transcript(page), "Send again").click();
  await expect(transcript(page).locator(".said").last()).not.toContainText("Not read");
  await isDone(page);
});

test("Escape asks once more before it stops the agent", async ({ page, server }) => {
  const id = await server.startSession("run: tail -f /dev/null > on.txt");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(form(page)).toHaveCount(0);
  await message(page).focus();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("status", { name: "Stopping" })).toHaveText("Press Esc once more to stop the agent.");
  await page.keyboard.type("a");
  await expect(page.getByRole("status", { name: "Stopping" })).toBeEmpty();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await isDone(page);
  await expect(message(page)).toHaveValue("a");
});

test("a message that was queued stands where the agent took it", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await server.send(id, "help");
  await expect(transcript(page).locator(".said.queued")).toHaveCount(1);
  await button(form(page), "Allow once").click();
  await isDone(page);
  await expect(transcript(page).locator(".said.queued")).toHaveCount(0);
  const order = transcript(page).locator(":scope > .said, :scope > .call");
  await expect(order.nth(0)).toContainText("run a command");
  await expect(order.nth(1)).toHaveClass(/call/);
  await expect(order.nth(2)).toContainText("help");
  await page.reload();
  await expect(order.nth(2)).toContainText("help");
});

test("whoever writes on while a message is sent does not send its words twice", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  let go = () => {};
  const held = new Promise((resolve) => (go = () => resolve(undefined)));
  await page.route("**/api/send_message", async (route) => {
    await held;
    await route.continue();
  });
  await message(page).fill("tell me a story");
  await message(page).press("Enter");
  await message(page).pressSequentially(" and then more");
  go();
  await expect(message(page)).toHaveValue("and then more");
  await expect(transcript(page).locator(".said")).toHaveText([/help/, /^You: tell me a story$/]);
});

test("the arrow keys bring back what was said, and never replace what is being written", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await say(page, "tell me a story");
  await expect(transcript(page).locator(".said")).toHaveCount(2);
  await message(page).press("ArrowUp");
  await expect(message(page)).toHaveValue("tell me a story");
  await message(page).press("ArrowUp");
  await expect(message(page)).toHaveValue("help");
  await message(page).press("ArrowDown");
  await message(page).press("ArrowDown");
  await expect(message(page)).toHaveValue("");
  await message(page).fill("half a thought");
  await message(page).press("ArrowUp");
  await expect(message(page)).toHaveValue("half a thought");
});

test("files of the project are offered after an at sign, and completed by keys alone", async ({ page, server }) => {
  fs.mkdirSync(path.join(server.project, "src"), { recursive: true });
  fs.writeFileSync(path.join(server.project, "src", "harbour.rs"), "fn main() {}\n");
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const files = page.getByRole("listbox", { name: "Files" });
  await message(page).pressSequentially("see @harb");
  await expect(files.getByRole("option")).toHaveText(["src/harbour.rs"]);
  await message(page).press("Tab");
  await expect(message(page)).toHaveValue("see @src/harbour.rs ");
  await expect(message(page)).toBeFocused();
  await expect(files).toHaveCount(0);
  await message(page).pressSequentially("and ada@harb");
  await expect(message(page)).toHaveValue("see @src/harbour.rs and ada@harb");
  await expect(files).toHaveCount(0);
});

test("commands and files are offered in the first message of a new session, too", async ({ page, server }) => {
  fs.writeFileSync(path.join(server.project, "harbour.rs"), "fn main() {}\n");
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await page.getByRole("button", { name: "New session" }).click();
  const dialog = page.getByRole("dialog");
  const first = dialog.getByRole("textbox", { name: "First message" });
  await first.pressSequentially("see @harb");
  await expect(dialog.getByRole("listbox", { name: "Files" }).getByRole("option")).toHaveText(["harbour.rs"]);
  await first.press("Escape");
  await expect(dialog.getByRole("listbox")).toHaveCount(0);
  await expect(dialog, "Escape closed the list, not the dialog").toBeVisible();
  await first.pressSequentially("o");
  await expect(dialog.getByRole("listbox", { name: "Files" }).getByRole("option")).toHaveText(["harbour.rs"]);
  await first.press("Enter");
  await expect(first).toHaveValue("see @harbour.rs ");
  await first.fill("");
  await first.pressSequentially("/comp");
  await expect(dialog.getByRole("listbox", { name: "Commands" }).getByRole("option").first()).toContainText("/compact");
  await first.press("Tab");
  await expect(first).toHaveValue(/^\/compact /);
  await first.fill("tell me a story");
  await first.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(transcript(page)).toContainText("tell me a story");
});

test("a command that begins with an exclamation mark is run by the person, without the agent", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await message(page).fill("!printf 'one\\ntwo\\n' > made.txt && cat made.txt");
  await expect(page.getByText("Enter runs this in the project, as you")).toBeVisible();
  await message(page).press("Enter");
  const ran = transcript(page).locator(".own-command");
  await expect(ran).toHaveCount(1);
  await expect(ran.locator("pre")).toHaveText("one\ntwo");
  await expect(message(page)).toHaveValue("");
  expect(fs.readFileSync(path.join(server.project, "made.txt"), "utf8")).toBe("one\ntwo\n");
  await expect(form(page)).toHaveCount(0);

  await message(page).fill("!exit 4");
  await message(page).press("Enter");
  await expect(ran.nth(1)).toContainText("ended with code 4");
  await message(page).fill("!echo begun; sleep 86396");
  await message(page).press("Enter");
  await page.getByRole("button", { name: "Stop the command" }).click();
  await expect(ran.nth(2)).toContainText("You stopped it.");
  await expect(message(page)).toHaveValue("");
  await message(page).press("ArrowUp");
  await expect(message(page), "it can be called back like what was said").toHaveValue("!echo begun; sleep 86396");
  await page.reload();
  await expect(ran).toHaveCount(3);
});

test("the model is chosen in the head of the session", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const before = (await process(server, id)).model;
  await expect(model(page)).toBeVisible();
  const chosen = await model(page).inputValue();
  const values = await model(page).locator("option").evaluateAll((all) => all.map((option) => option.value));
  const other = values.find((value) => value !== chosen && value !== "default");
  await model(page).selectOption(other);
  await say(page, "tell me a story");
  await expect.poll(async () => (await process(server, id)).model).not.toBe(before);
  await page.reload();
  await expect(model(page)).toHaveValue(other);
});

test("commands are offered while their name is typed, and completed by keys alone", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await expect(model(page)).toBeVisible(); // what the agent can do is known
  const options = commands(page).getByRole("option");
  const selected = commands(page).getByRole("option", { selected: true });
  await message(page).pressSequentially("/c");
  const [first, second] = [options.nth(0), options.nth(1)];
  await expect(first).toContainText("/c");
  await expect(first).toHaveAttribute("aria-selected", "true");
  await message(page).press("ArrowDown");
  await expect(second).toHaveAttribute("aria-selected", "true");
  await expect(selected).toHaveCount(1);
  const active = await message(page).getAttribute("aria-activedescendant");
  await expect(second).toHaveAttribute("id", active);
  await message(page).press("Escape");
  await expect(commands(page)).toHaveCount(0);
  await expect(message(page)).toHaveValue("/c");
  await message(page).pressSequentially("lea");
  await expect(selected).toContainText("/clear");
  await message(page).press("Tab");
  await expect(message(page)).toHaveValue("/clear ");
  await expect(message(page)).toBeFocused();
  await message(page).press("Enter");
  await expect(transcript(page)).toContainText("Conversation cleared");
  await expect(message(page)).toHaveValue("");
});

test("a session is forked, and the two go on separately", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(transcript(page)).toContainText("Worked for");
  await isDone(page);
  await page.locator("summary[aria-label=More]").click();
  await button(page, "Fork session").click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(transcript(page)).toContainText("Up to here this is a copy");
  await expect(sidebar(page).getByRole("link", { name: /^Fork: help/i })).toBeVisible();
  await say(page, "run: echo copy > copy.txt");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  await page.goto(server.page(id));
  await expect(transcript(page)).not.toContainText("copy.txt");
});

test("a conversation that another process has open is opened only on purpose", async ({ page, server, guard }) => {
  guard.expected.push(/409 \(Conflict\)/); // the browser writes a refusal to its console
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await server.api("kill", { session_id: id });
  await expect(page.locator(".session-head")).toContainText("Ended by you");
  const register = path.join(server.agentDirectory, "sessions");
  fs.mkdirSync(register, { recursive: true });
  const entry = { pid: global.process.pid, sessionId: id, startedAt: Date.now(), status: "idle" };
  fs.writeFileSync(path.join(register, `${global.process.pid}.json`), JSON.stringify(entry));
  await say(page, "run: echo anyway > anyway.txt");
  const alert = page.locator(".dock").getByRole("alert");
  await expect(alert).toContainText("Another process has this conversation open");
  await expect(message(page)).toHaveValue("run: echo anyway > anyway.txt");
  await button(alert, "Open anyway").click();
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
});

test("without a login the page says what to do, and the message is sent again with one press", async ({ page, server }) => {
  const id = await server.startSession("be not logged in");
  await open(page, server.page(id));
  await expect(page.locator(".session-head .trouble")).toContainText("Run \"claude\" in a terminal on this machine and type /login");
  await expect(transcript(page)).toContainText("not logged in");
  await button(transcript(page), "Try again").click();
  await expect(transcript(page).getByText("be not logged in")).toHaveCount(2);
});

test("doing everything without asking is chosen at the start only, under a warning", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  const mode = page.getByRole("combobox", { name: "Permission mode" });
  await expect(page.locator(".session-head").getByRole("option", { name: "Never ask, allow everything" })).toHaveCount(0);
  await button(page, "New session").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Permission mode" }).selectOption("bypassPermissions");
  await expect(dialog.getByRole("note")).toContainText("Nothing is asked in this mode");
  await dialog.getByRole("textbox", { name: "First message" }).fill("run: echo unasked > unasked.txt");
  await button(dialog, "Start session").click();
  await expect(transcript(page)).toContainText("Worked for");
  await expect.poll(() => server.file("unasked.txt")).toBe("unasked\n");
  await expect(mode).toHaveValue("bypassPermissions");
});

test("to be asked nothing is chosen anew for each session, and is seen in it", async ({ inbox: page }) => {
  const dialog = page.getByRole("dialog");
  const mode = dialog.getByRole("combobox", { name: "Permission mode" });
  await button(page, "New session").click();
  await mode.selectOption("bypassPermissions");
  await dialog.getByRole("textbox", { name: "First message" }).fill("ask a question");
  await page.keyboard.press("Enter");
  await expect(page.locator(".session-head").getByRole("combobox", { name: "Permission mode" })).toHaveClass(/\bdanger\b/);
  await button(page, "New session").click();
  await expect(mode).toHaveValue("default");
});

/** A conversation as a terminal keeps it. */
function keepConversation(server, { conversation = "5b0f6d1c-0d3e-4f5a-8a55-3f2f0b9d7c11", said = "Mend the garden gate", title = "" } = {}) {
  const folder = path.join(server.agentDirectory, "projects", server.project.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  fs.mkdirSync(folder, { recursive: true });
  const line = (number, kind, content) => ({
    type: kind, uuid: `00000000-0000-4000-8000-00000000000${number}`, parentUuid: number > 1 ? `00000000-0000-4000-8000-00000000000${number - 1}` : null,
    isSidechain: false, entrypoint: "cli", userType: "external", version: "2.1.325", gitBranch: "main", cwd: server.project, sessionId: conversation,
    timestamp: `2026-11-15T23:40:0${number}.000Z`, message: kind === "user" ? { role: "user", content } : { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5-5", content },
  });
  const named = title ? [{ type: "custom-title", customTitle: title, sessionId: conversation }] : [];
  const lines = [...named, line(1, "user", said), line(2, "assistant", [{ type: "text", text: "The gate is mended." }])];
  fs.writeFileSync(path.join(folder, `${conversation}.jsonl`), lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

test("a conversation from a terminal is found in the dialog, shown whole, and gone on with", async ({ inbox: page, server }) => {
  keepConversation(server);
  await button(page, "New session").click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByText("Go on with an earlier conversation").click();
  await dialog.getByRole("button", { name: "Mend the garden gate" }).click();
  await expect(transcript(page)).toContainText("The gate is mended.");
  await expect(page.locator(".session-head")).toContainText("Mend the garden gate");
  await say(page, "run: echo on > on.txt");
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  expect(server.file("on.txt")).toBe("on\n");
});

test("what is written and chosen in the dialog goes to the conversation that is gone on with", async ({ inbox: page, server }) => {
  keepConversation(server);
  await button(page, "New session").click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByRole("textbox", { name: "First message" }).fill("tell me a story");
  const mode = dialog.getByRole("combobox", { name: "Permission mode" });
  await mode.selectOption("auto");
  await expect(dialog).toContainText("A second model judges every call instead of you");
  await mode.selectOption("acceptEdits");
  await dialog.getByText("Go on with an earlier conversation").click();
  await expect(dialog).toContainText("What you wrote above is sent to the one you choose.");
  await dialog.getByRole("button", { name: "Mend the garden gate" }).click();
  await expect(transcript(page)).toContainText("The gate is mended.");
  await expect(transcript(page).locator(".said").last()).toContainText("tell me a story");
  await expect(page.locator(".session-head").getByRole("combobox", { name: "Permission mode" })).toHaveValue("acceptEdits");
  await isDone(page);
  await expect(message(page)).toHaveValue("");
  await button(page, "New session").click();
  await expect(dialog.getByRole("textbox", { name: "First message" })).toHaveValue("");
});

test("conversations of one name are told apart by how they begin, and stand below what applies to them", async ({ inbox: page, server }) => {
  keepConversation(server, { title: "The gate", said: `Mend the garden gate${", and again".repeat(20)}` });
  keepConversation(server, { conversation: "5b0f6d1c-0d3e-4f5a-8a55-3f2f0b9d7c12", said: "Paint it green", title: "The gate" });
  await button(page, "New session").click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  const list = dialog.getByText("Go on with one of 2 earlier conversations");
  await list.click();
  await expect(dialog.getByRole("button", { name: /^The gate Mend the garden gate/ })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "The gate Paint it green" })).toBeVisible();
  const [content, room] = await dialog.locator(".dialog-body").evaluate((body) => [body.scrollWidth, body.clientWidth]);
  expect(content, "long words are cut").toBeLessThanOrEqual(room);
  const top = async (place) => (await place.boundingBox()).y;
  expect(await top(list)).toBeGreaterThan(await top(dialog.getByRole("combobox", { name: "Permission mode" })));
});

test("what is refused to an earlier conversation is kept, with its files", async ({ inbox: page, server, guard }) => {
  guard.expected.push(/status of 409/);
  keepConversation(server);
  await page.route("**/api/send_message", (route) => route.fulfill({ status: 409, json: { code: "agent_unavailable", message: "Not now." } }), { times: 1 });
  await button(page, "New session").click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByRole("textbox", { name: "First message" }).fill("tell me a story");
  const choosing = page.waitForEvent("filechooser");
  await button(dialog, "Attach").click();
  await (await choosing).setFiles([{ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("three gates\n") }]);
  await expect(dialog.getByRole("list", { name: "Attached files" })).toContainText("notes.txt");
  await dialog.getByText("Go on with an earlier conversation").click();
  await dialog.getByRole("button", { name: "Mend the garden gate" }).click();
  await expect(transcript(page)).toContainText("The gate is mended.");
  await expect(message(page)).toHaveValue("tell me a story");
  await expect(page.locator(".dock").getByRole("list", { name: "Attached files" })).toContainText("notes.txt");
  await button(page, "Send").click();
  await expect(transcript(page).locator(".said").last()).toContainText("notes.txt");
  await isDone(page);
});

test("a command that nobody knows is told before a session begins with it, where an agent has said what it knows", async ({ page, server }) => {
  const dialog = page.getByRole("dialog", { name: "New session" });
  const first = dialog.getByRole("textbox", { name: "First message" });
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await button(page, "New session").click();
  // shown when it is known what the agent can do
  await expect(dialog.getByRole("combobox", { name: "Effort" })).toBeVisible();
  await first.fill("/comapct");
  await first.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("There is no command /comapct. Did you mean /compact?");
  await first.fill("tell me a story");
  await expect(dialog.getByRole("alert")).toBeHidden();
  await first.fill("/comapct");
  await first.press("Enter");
  await expect(page, "it was said once").not.toHaveURL(server.page(id));
  await expect(dialog).toBeHidden();
});

test("Enter takes a command from the list only if what is written is its beginning", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await message(page).pressSequentially("/emory");
  await expect(commands(page).getByRole("option")).toHaveText([/^\/memory/]);
  await message(page).press("Enter");
  await expect(message(page)).toHaveValue("/emory");
  await expect(page.getByRole("status", { name: "Command", exact: true })).toContainText("There is no command /emory.");
  await expect(transcript(page).locator(".said")).toHaveCount(1);
  await message(page).fill("");
  await message(page).pressSequentially("/COMP");
  await message(page).press("Enter");
  await expect(message(page)).toHaveValue("/compact ");
  // Tab means the one that is chosen, wherever the letters are
  await message(page).fill("");
  await message(page).pressSequentially("/emory");
  await message(page).press("Tab");
  await expect(message(page)).toHaveValue("/memory ");
});

test("a turn that failed looks the same in the head and in the sidebar", async ({ page, server, api }) => {
  const id = await server.startSession(api ? "[[error 400]]" : "fail");
  await open(page, server.page(id));
  await expect(page.locator(".session-head .state")).toHaveText("your turn, the last one failed");
  await expect(page.locator(".session-head .dot")).toHaveClass(/\bfailed\b/);
  await expect(sidebar(page).locator(".nav-item .dot.failed")).toHaveCount(1);
});

test("what goes on in the background is stopped by itself", async ({ page, server, api }) => {
  const id = await server.startSession(api ? "[[background Note the time: <<hold more>>+<<bash date > time.txt>>]]" : "a background subagent");
  await open(page, server.page(id));
  const goesOn = transcript(page).getByText("Goes on in the background");
  await expect(goesOn).toBeVisible();
  await button(transcript(page), "Stop it").click();
  await expect(goesOn).toHaveCount(0);
  await isDone(page);
  await expect(form(page)).toHaveCount(0);
});

test("how full the context is, and what it cost, is shown after a turn", async ({ page, server, api }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  // the demo agent costs nothing
  const used = page.locator(".session-head .used").filter({ hasText: api ? /^\d+ % context · \$\d+\.\d\d$/ : /^\d+ % context$/ });
  await expect(used).toBeVisible();
  await expect(used).toHaveAttribute("title", /of the context is used\./);
});

test("a session is renamed, with its process and without", async ({ page, server, guard }) => {
  // browsers write down that a title was refused
  guard.expected.push(/^console error: Failed to load resource: the server responded with a status of 400/);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const rename = async (/** @type {string} */ title) => {
    await page.getByLabel("More", { exact: true }).click();
    await button(page, "Rename").click();
    await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
    await page.getByRole("textbox", { name: "Title" }).fill(title);
    await page.keyboard.press("Enter");
  };
  await rename("Mend the gate");
  await expect(page.getByRole("heading", { name: "Mend the gate" })).toBeVisible();
  await expect(sidebar(page).getByRole("link", { name: "Mend the gate" })).toBeVisible();
  await server.api("kill", { session_id: id });
  await expect(message(page)).toHaveAttribute("placeholder", /resume/);
  await rename("   ");
  await expect(page.getByRole("alert").filter({ hasText: "The title is empty" })).toBeVisible();
  await page.getByRole("textbox", { name: "Title" }).fill("Paint the gate");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Paint the gate" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Paint the gate" })).toBeVisible();
});

test("a command that is stopped while it runs is said to be stopped, and whoever writes is at the end again", async ({ page, server }) => {
  const id = await server.startSession("run: tail -f /dev/null > on.txt");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(form(page)).toHaveCount(0);
  await button(page, "Stop").click();
  await isDone(page);
  const call = transcript(page).locator(".call").first();
  await expect(call.locator(".mark")).toContainText("stopped");
  await expect(call).not.toContainText("doesn't want to proceed");

  await page.setViewportSize({ width: 900, height: 420 });
  await say(page, "stream markdown");
  await expect(transcript(page)).toContainText("Worked for");
  const scroller = page.locator(".transcript .scroll");
  await scroller.evaluate((element) => element.scrollTo(0, 0));
  await expect(button(page, "Jump to latest")).toBeVisible();
  await say(page, "help");
  await expect(button(page, "Jump to latest")).toBeHidden();
  await isDone(page);
  const left = () => scroller.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
  await expect.poll(left, "nothing is below what is in view").toBeLessThan(2);
});

test("the mode of a session that has ended is chosen for its next process", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await server.api("kill", { session_id: id });
  await expect(message(page)).toHaveAttribute("placeholder", /resume/);
  await page.getByRole("combobox", { name: "Permission mode" }).selectOption("acceptEdits");
  await say(page, "help");
  await expect.poll(async () => (await process(server, id)).state).toBe("user_turn");
  expect((await process(server, id)).permission_mode).toBe("acceptEdits");
});

test("in the dialog /plan plans, and what needs a session is told before it costs a turn", async ({ page, server }) => {
  const dialog = page.getByRole("dialog", { name: "New session" });
  await open(page, server.page(await server.startSession("help")));
  await isDone(page);
  await button(page, "New session").click();
  const first = dialog.getByRole("textbox", { name: "First message" });
  for (const text of ["!pwd", "/permissions"]) {
    await first.fill(text);
    await first.press("Enter");
    await expect(dialog.getByRole("alert")).toContainText("in a session: begin one with a message");
  }
  await first.fill("/plan");
  await first.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("what is to be planned");
  await first.fill("/plan help");
  await first.press("Enter");
  await expect(page.locator(".session-head").getByRole("combobox", { name: "Permission mode" })).toHaveValue("plan");
  await expect(transcript(page).locator(".said")).toHaveText(/help/);
  await expect(transcript(page).locator(".said")).not.toContainText("/plan");
});
