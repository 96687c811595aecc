// "Yes, but …": a call is allowed with a note, and the agent reads the note right after.
const { test, expect, open, isLive, isReady, form, message, transcript, button, answersOf, holdAnswers } = require("../support.js");

const note = (page) => form(page).getByRole("textbox", { name: "Note" });

test("allowed with a note, the call runs and the note stands in the transcript as the person's message", async ({ page, server }) => {
  const id = await server.startSession("run: echo one > one.txt");
  await open(page, server.page(id));
  await button(form(page), "Allow with a note").click();
  await expect(note(page)).toBeFocused();
  await expect(button(form(page), "Allow with a note")).toBeDisabled();
  await note(page).fill("help");
  await button(form(page), "Allow with a note").click();
  await expect(transcript(page)).toContainText("Allowed once · by you · with a note");
  await expect(transcript(page).locator(".said").last()).toHaveText(/^You: help/);
  await expect(message(page)).toBeVisible();
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
  expect(answersOf(page)).toMatchObject([{ request_type: "tool_approval", decision: "allow", note: "help" }]);
  await open(page, `${server.origin}/history`);
  await page.locator(".history-row summary").click();
  await expect(page.locator(".history-row")).toContainText("Allowed with the note:help");
});

test("in the inbox by keys alone: y opens the note, Enter allows, Esc keeps the words", async ({ page, server }) => {
  await server.startSession("run: echo one > one.txt");
  await open(page, server.origin);
  await isReady(page);
  await form(page).focus();
  await page.keyboard.press("y");
  await expect(note(page)).toBeFocused();
  await page.keyboard.type("stay calm");
  await page.keyboard.press("Escape");
  await expect(form(page)).toBeFocused();
  await expect(note(page)).toHaveCount(0);
  await expect(form(page)).toContainText("Your note is kept.");
  await page.keyboard.press("y");
  await expect(note(page)).toHaveValue("stay calm");
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(0);
  expect(answersOf(page)).toMatchObject([{ decision: "allow", note: "stay calm" }]);
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
});

test("a note survives a reload, and Allow once does not send it", async ({ page, server }) => {
  const id = await server.startSession("run: echo one > one.txt");
  await open(page, server.page(id));
  await button(form(page), "Allow with a note").click();
  await note(page).fill("help");
  await page.reload();
  await isLive(page);
  await expect(form(page)).toContainText("Your note is kept.");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText(/Allowed once · by you · (< )?\d+ s/);
  expect(answersOf(page)[0].note).toBeUndefined();
});

test("a note that came too late is not sent and not lost", async ({ page, context, server }) => {
  const id = await server.startSession("run: echo one > one.txt");
  const late = await context.newPage();
  const hold = await holdAnswers(late);
  await open(late, server.page(id));
  await button(form(late), "Allow with a note").click();
  await note(late).fill("help me, please");
  await button(form(late), "Allow with a note").click();
  await expect.poll(() => hold.clicked).toBe(1);
  await open(page, server.page(id));
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Allowed once · by you");
  hold.letGo();
  await expect(late.getByText(/Your note was not sent: “help me, please”/)).toBeVisible();
  await expect(message(late)).toHaveValue("help me, please");
  await expect(transcript(late).getByText("help me, please")).toHaveCount(0);
});
