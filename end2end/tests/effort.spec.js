// How the model works: how much it thinks, a model that nobody listed, and what has been used up.
const { test, expect, open, message, transcript, button, say, isReady, form } = require("../support.js");

const effort = (page) => page.getByRole("combobox", { name: "Effort" });
const model = (page) => page.getByRole("combobox", { name: "Model" });
const said = (page) => transcript(page).locator(".said");
const state = (page) => page.locator(".session-head .state");
const isDone = (page) => expect(state(page)).toHaveText("your turn");
const hasEnded = (page) => expect(state(page)).toHaveText("ended");

/** The agent has what was chosen. */
const isTold = (select) => expect(select).toHaveAttribute("aria-busy", "false");

/** A session whose turn is over, and whose agent has said what it can do. */
async function begun(page, server) {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await expect(effort(page)).toHaveValue("medium");
  return id;
}

test("the effort that applies is shown, chosen at any time, and kept when the process is started again", async ({ page, server }) => {
  const id = await begun(page, server);
  await effort(page).selectOption("high");
  await isTold(effort(page));
  await expect(effort(page)).toHaveValue("high");
  await say(page, "run a command");
  await isReady(page);
  await effort(page).selectOption("xhigh");
  await isTold(effort(page));
  await button(form(page), "Allow once").click();
  await isDone(page);
  await server.api("kill", { session_id: id });
  await hasEnded(page);
  await expect(effort(page)).toHaveValue("xhigh");
  await say(page, "help");
  await isDone(page);
  await expect(effort(page)).toHaveValue("xhigh");
  await server.api("kill", { session_id: id });
  await hasEnded(page);
  await effort(page).selectOption("max");
  await isTold(effort(page));
  await page.reload();
  await expect(effort(page)).toHaveValue("max");
  await say(page, "help");
  await isDone(page);
  await expect(effort(page)).toHaveValue("max");
  await effort(page).selectOption("default");
  await expect(effort(page), "the level that it stands for").toHaveValue("medium");
  await effort(page).selectOption("default");
  await isTold(effort(page));
  await expect(effort(page)).toHaveValue("medium");
});

test("who chooses by keys keeps the focus: the last choice counts, and no letter goes elsewhere", async ({ page, server }) => {
  await begun(page, server);
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route("**/api/set_effort", async (route) => {
    await held;
    await route.continue();
  });
  await effort(page).focus();
  await page.keyboard.press("ArrowDown");
  await expect(effort(page)).toHaveAttribute("aria-busy", "true");
  await expect(effort(page)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  letGo();
  await isTold(effort(page));
  await expect(effort(page)).toHaveValue("xhigh");
  await expect(effort(page)).toBeFocused();
  await expect(message(page)).toHaveValue("");
  await page.reload();
  await expect(effort(page)).toHaveValue("xhigh");
});

test("/effort with a level is done at once, one that is none is told, and alone it says which there are", async ({ page, server }) => {
  await begun(page, server);
  await say(page, "/effort low");
  await expect(effort(page)).toHaveValue("low");
  await expect(message(page)).toHaveValue("");
  await expect(said(page)).toHaveCount(1);
  await say(page, "/effort");
  await expect(page.getByText("The effort is low. Choose another in the head, or write it behind /effort: low, medium, high, xhigh, max, default.")).toBeVisible();
  await expect(said(page)).toHaveCount(1);
  await say(page, "/effort hihg");
  await expect(page.getByText('There is no effort "hihg". Choose low, medium, high, xhigh, max or default. Enter once more sends it')).toBeVisible();
  await expect(said(page)).toHaveCount(1);
  await message(page).press("Enter");
  await expect(transcript(page)).toContainText("Invalid argument: hihg");
  await expect(effort(page)).toHaveValue("low");
  await message(page).fill("/effort auto");
  await message(page).press("Enter");
  await expect(effort(page)).toHaveValue("medium");
});

test("an effort that a message asks for from elsewhere shows in the head", async ({ page, server }) => {
  const id = await begun(page, server);
  await server.send(id, "/effort high");
  await expect(effort(page)).toHaveValue("high");
});

test("a model that the agent does not list is told, and asked for all the same on a second Enter", async ({ page, server }) => {
  await begun(page, server);
  const before = await model(page).inputValue();
  await say(page, "/model nonsense");
  await expect(page.getByText(/The agent lists no model "nonsense": it has default, .* and \w+\. Enter once more/)).toBeVisible();
  await expect(model(page)).toHaveValue(before);
  await message(page).press("Enter");
  await expect(model(page)).toHaveValue("nonsense");
  await expect(message(page)).toHaveValue("");
  await expect(transcript(page)).toContainText("Set model to “nonsense");
  await expect(transcript(page)).not.toContainText("`");
});

test("a new session begins with an effort, and a model that is not listed is doubted first", async ({ page, server }) => {
  const id = await begun(page, server);
  await button(page, "New session").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "First message" }).fill("help");
  const shown = dialog.getByRole("combobox", { name: "Effort" });
  await shown.selectOption("high");
  const named = dialog.getByRole("combobox", { name: "Model" });
  await named.fill("nonsense");
  await expect(shown, "nobody knows what it can be told").toBeHidden();
  await button(dialog, "Start session").click();
  await expect(dialog.getByRole("alert")).toContainText('The agent lists no model "nonsense"');
  await named.fill("");
  await expect(shown, "what is sent is what is shown").toHaveValue("high");
  await button(dialog, "Start session").click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await isDone(page);
  await expect(effort(page)).toHaveValue("high");
});

test("what is used up stands beside the state, also on a phone, and is marked when the context is nearly full", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  let percent = 38;
  await page.routeWebSocket("**/ws", (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((frame) => {
      const told = JSON.parse(String(frame));
      const processes = told.processes ?? (told.type === "process_state" ? [told] : []);
      for (const process of processes) if (process.spent) process.spent = { context_percent: percent, cost_usd: 1.92 };
      socket.send(JSON.stringify(told));
    });
  });
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  const used = page.locator(".session-head .used");
  await expect(used).toHaveText("38 % context · $1.92");
  await expect(used).toBeInViewport({ ratio: 1 });
  await expect(used).not.toHaveClass(/full/);
  percent = 83;
  await say(page, "help");
  await expect(used).toHaveText("83 % context full · $1.92");
  await expect(used).toHaveClass(/full/);
  await expect(used).toBeInViewport({ ratio: 1 });
  await expect(used).toHaveAttribute("title", /83 % of the context is used\. Send \/compact to make room\./);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(used).toBeInViewport({ ratio: 1 });
});

test("what was said under the message goes with what it was about", async ({ page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await begun(page, server);
  const remark = page.getByRole("status", { name: "Command" });
  await say(page, "/effort");
  await expect(remark).toContainText("The effort is medium.");
  await say(page, "/effort high");
  await expect(effort(page)).toHaveValue("high");
  await expect(remark).toBeEmpty();
  await message(page).fill("!");
  await message(page).press("Enter");
  await expect(remark).toContainText("Write a command behind it");
  await say(page, "/copy");
  await expect(remark).toContainText("in the clipboard");
  await say(page, "help");
  await expect(transcript(page).locator(".turn-end")).toHaveCount(2);
  await expect(remark).toBeEmpty();
});
