// Going back to before a message: what is asked, what is taken back, and that the words come back to be changed.
const { test, expect, open, form, message, transcript, button, say, isReady } = require("../support.js");
const { complaints } = require("../axe.js");

const way = (page) => transcript(page).getByRole("button", { name: "Go back to before this message" });
const choice = (page) => page.getByRole("region", { name: "Go back to before this message" });
const isDone = (page) => expect(page.locator(".session-head")).toContainText("your turn");

/** A session with two messages, the second of which wrote a file. */
async function talked(page, server) {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await say(page, "write a file");
  await isReady(page);
  await button(form(page), "Allow once").click();
  await isDone(page);
  return id;
}

test("one goes back with the files: both are as they were, and the words are in the message input", async ({ page, server }) => {
  await talked(page, server);
  const bubble = transcript(page).locator(".said", { hasText: "write a file" });
  await bubble.hover();
  await bubble.getByRole("button", { name: "Go back to before this message" }).click();
  await expect(choice(page)).toContainText("1 file as it was then");
  const name = await choice(page).locator("li code").innerText();
  expect(server.file(name)).toBeTruthy();
  expect(await complaints(page)).toEqual([]);
  await choice(page).getByRole("checkbox", { name: /^Files/ }).check();
  await button(choice(page), "Go back").click();
  await expect(transcript(page)).toContainText("You went back: the agent has forgotten what came after this");
  await expect(transcript(page)).toContainText(`1 file is as it was: ${name}`);
  await expect(message(page)).toHaveValue("write a file");
  await expect(message(page)).toBeFocused();
  expect(server.file(name)).toBeUndefined();
  // what was taken back is still there for whoever looks
  await expect(bubble).toBeHidden();
  await transcript(page).getByText("Taken back").click();
  await expect(bubble).toBeVisible();
  await expect(bubble.getByRole("button", { name: "Go back to before this message" })).toHaveCount(0);
  await page.reload();
  await expect(transcript(page)).toContainText("You went back");
  await expect(bubble).toBeHidden();
});

test("with the keyboard alone: Esc twice, and the conversation only", async ({ page, server }) => {
  await talked(page, server);
  await message(page).focus();
  await page.keyboard.press("Escape");
  await expect(page.locator(".composer-hint")).toContainText("Press Esc once more to go back");
  await page.keyboard.press("Escape");
  await expect(choice(page)).toContainText("1 file as it was then");
  await expect(choice(page).getByRole("combobox", { name: "Message" })).toBeFocused();
  const name = await choice(page).locator("li code").innerText();
  // one who thinks better of it
  await page.keyboard.press("Escape");
  await expect(choice(page)).toHaveCount(0);
  await expect(message(page)).toBeFocused();
  await message(page).fill("/rewind");
  await page.keyboard.press("Enter");
  await expect(choice(page)).toContainText("1 file as it was then");
  await expect(choice(page).getByRole("checkbox", { name: /^Files/ }), "chosen by nobody").not.toBeChecked();
  await button(choice(page), "Go back").press("Enter");
  await expect(message(page)).toHaveValue("write a file");
  await expect(transcript(page)).not.toContainText("as it was:");
  expect(server.file(name)).toBeTruthy();
  // and it goes on from there
  await message(page).fill("help");
  await page.keyboard.press("Enter");
  await isDone(page);
  await expect(transcript(page).locator(".said:visible")).toHaveText([/help/, /help/]);
});

test("there is no way back while the agent works", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  await expect(way(page)).toHaveCount(0);
  await button(page, "Write a message").click();
  await page.getByRole("textbox", { name: "Draft" }).fill("/rewind");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("A request waits. Answer it");
  await page.getByRole("textbox", { name: "Draft" }).fill("");
  await button(form(page), "Allow once").click();
  await expect(page.getByRole("alert"), "it is over").toHaveCount(0);
  await expect(way(page)).toHaveCount(1);
  await expect(choice(page), "it does not open later").toHaveCount(0);
});

test("there is no way back to before a summary: the agent would know no more than it", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await isDone(page);
  await say(page, "/compact");
  await expect(transcript(page).getByText("Summary")).toBeVisible();
  await isDone(page);
  const said = (text) => transcript(page).locator(".said", { hasText: text });
  await expect(said("help").getByRole("button")).toHaveCount(1);
  await expect(said("/compact").getByRole("button")).toHaveCount(0);
});

test("any message can be chosen from the list, Enter goes back to before it, and nothing lies over the panel", async ({ page, server }) => {
  await page.setViewportSize({ width: 900, height: 480 });
  await talked(page, server);
  await message(page).fill("/rewind");
  await page.keyboard.press("Enter");
  const list = choice(page).getByRole("combobox", { name: "Message" });
  await expect(list).toBeFocused();
  await expect(list.getByRole("option")).toHaveText(["write a file", "help"]);
  await expect(list.getByRole("option", { selected: true })).toHaveText("write a file");
  expect(await complaints(page)).toEqual([]);
  await page.locator(".transcript > .scroll").evaluate((scroller) => (scroller.scrollTop = 0));
  const jump = page.locator(".transcript > .jump");
  await expect(jump).toBeAttached();
  await expect(jump).toBeHidden();
  await list.selectOption({ label: "help" });
  await expect(choice(page)).toContainText("1 file as it was then");
  // nobody presses what they do not see
  await expect(button(choice(page), "Go back")).toBeInViewport({ ratio: 1 });
  await list.press("Enter");
  await expect(message(page)).toHaveValue("help");
  await expect(message(page)).toBeFocused();
  await expect(transcript(page).locator(".said:visible")).toHaveCount(0);
});
