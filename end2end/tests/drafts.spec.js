// What was typed and not sent survives a reload, in this browser, until it is sent or of no use any more.
const { test, expect, open, isLive, form, isReady, message, transcript, button, reason, say } = require("../support.js");

test("a reason survives a reload and is sent from there", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await button(form(page), "Deny").click();
  await reason(page).fill("Because of the cat.");
  await page.reload();
  await isLive(page);
  await button(form(page), "Deny").click();
  await expect(reason(page)).toHaveValue("Because of the cat.");
  await button(form(page), "Deny").click();
  await expect(transcript(page)).toContainText("Denied · by you · “Because of the cat.”");
});

test("choices and free text of a question survive a reload", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  const group = (question) => form(page).getByRole("group", { name: question });
  await group(/database/).getByRole("textbox", { name: "Other" }).fill("A shoe box");
  await group(/checks/).getByRole("checkbox", { name: "Lints" }).check();
  await page.reload();
  await isLive(page);
  await expect(group(/database/).getByRole("textbox", { name: "Other" })).toHaveValue("A shoe box");
  await expect(group(/checks/).getByRole("checkbox", { name: "Lints" })).toBeChecked();
  await expect(group(/checks/).getByRole("checkbox", { name: "Tests" })).not.toBeChecked();
  await group(/greeting/).getByRole("radio", { name: "Plain" }).check();
  await group(/release/).getByRole("radio", { name: "Lark" }).check();
  await button(form(page), "Submit answers").click();
  await expect(transcript(page).getByRole("definition")).toHaveText(["A shoe box", "Lints", "Plain", "Lark"]);
});

test("an edited command survives a reload", async ({ page, server }) => {
  const id = await server.startSession("run: echo first > first.txt");
  await open(page, server.page(id));
  await button(form(page), "Edit").click();
  await form(page).getByRole("textbox", { name: "Edited command" }).fill("echo second > second.txt");
  await page.reload();
  await isLive(page);
  await expect(form(page)).toContainText("Your unsent edit is kept.");
  await button(form(page), "Edit").click();
  await button(form(page), "Allow once, edited").click();
  await expect(transcript(page)).toContainText("Allowed once · by you · edited");
  await expect.poll(() => server.file("second.txt")).toBe("second\n");
});

test("an edited plan survives a reload, and the card says so", async ({ page, server }) => {
  const id = await server.startSession("make a plan");
  await open(page, server.page(id));
  await button(form(page), "Edit").click();
  await form(page).getByRole("textbox", { name: "Plan" }).fill("1. Have tea.");
  await page.reload();
  await isLive(page);
  await expect(form(page)).toContainText("Your unsent edit is kept. Edit shows it again; Approve plan uses the original.");
  await button(form(page), "Edit").click();
  await expect(form(page).getByRole("textbox", { name: "Plan" })).toHaveValue("1. Have tea.");
  await expect(form(page)).not.toContainText("Your unsent edit is kept.");
});

test("a message survives a reload and another page, and is gone once sent", async ({ page, server }) => {
  const [id, other] = [await server.startSession("help"), await server.startSession("stream markdown")];
  await open(page, server.page(id));
  await message(page).fill("stream markdown, but gently");
  await page.reload();
  await isLive(page);
  await expect(message(page)).toHaveValue("stream markdown, but gently");
  await open(page, server.page(other));
  await expect(message(page)).toHaveValue("");
  await open(page, server.page(id));
  await expect(message(page)).toHaveValue("stream markdown, but gently");
  await button(page, "Send").click();
  await expect(message(page)).toHaveValue("");
  await page.reload();
  await isLive(page);
  await expect(message(page)).toHaveValue("");
});

test("a message typed before a request came is there again after the answer, also after a reload", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await message(page).fill("and another thing");
  await server.send(id, "run a command");
  await expect(form(page)).toBeVisible();
  await page.reload();
  await isLive(page);
  await button(form(page), "Allow once").click();
  await expect(message(page)).toHaveValue("and another thing");
});

test("a message is gone once sent, also when the agent asks before the server has confirmed it", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  let letGo = () => {};
  const asked = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route("**/api/send_message", async (route) => {
    const response = await route.fetch();
    await asked;
    await route.fulfill({ response });
  });
  await say(page, "run a command");
  await expect(form(page)).toBeVisible();
  const confirmed = page.waitForResponse("**/api/send_message");
  letGo();
  await confirmed;
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once");
  await expect(message(page)).toHaveValue("");
  await page.reload();
  await isLive(page);
  await expect(message(page)).toHaveValue("");
});

test("drafts of an answered request are not kept", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await say(page, "run a command");
  await button(form(page), "Deny").click();
  await reason(page).fill("A word");
  await button(form(page), "Deny").click();
  await expect(message(page)).toBeVisible();
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft")))).toEqual([]);
});

test("an edit whose request has ended comes back as words, never as something to be run", async ({ page, server }) => {
  const id = await server.startSession("run: echo first > first.txt");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Edit").click();
  await form(page).getByRole("textbox", { name: "Edited command" }).fill("/clear; echo second > second.txt");
  await server.api("kill", { session_id: id });
  await expect(form(page)).toHaveCount(0);
  await expect(message(page)).toHaveValue("I had changed it to:\n\n/clear; echo second > second.txt");
  await expect(page.getByRole("alert")).toContainText("your answer was not sent");
});
