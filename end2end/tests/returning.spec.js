// What was begun for a request is there again when one comes back to it, from wherever one went meanwhile.
const { test, expect, open, isLive, form, message, transcript, sidebar, inboxLink, button, reason, isReady } = require("../support.js");

const note = (page) => form(page).getByRole("textbox", { name: "Note" });
const command = (page) => form(page).getByRole("textbox", { name: "Edited command" });

/** There and back by the links of the page, which is not loaded anew. */
async function visitAnotherSession(page, server, id, other) {
  await sidebar(page).getByRole("link", { name: /^Help\b/i }).click();
  await expect(page).toHaveURL(server.page(other));
  await expect(message(page)).toBeVisible();
  await sidebar(page).getByRole("link", { name: /waiting for you/ }).click();
  await expect(page).toHaveURL(server.page(id));
  await isReady(page);
}

async function visitInbox(page, server, id, whileThere) {
  await inboxLink(page).click();
  await expect(page).toHaveURL(`${server.origin}/`);
  await isReady(page);
  await whileThere();
  await sidebar(page).getByRole("link", { name: /waiting for you/ }).click();
  await expect(page).toHaveURL(server.page(id));
  await isReady(page);
}

/** Everywhere a person may go and come back from; `isThere` looks at the card each time. */
async function goEverywhere(page, server, id, other, isThere) {
  await visitAnotherSession(page, server, id, other);
  await isThere();
  await visitInbox(page, server, id, isThere);
  await isThere();
  await page.reload();
  await isLive(page);
  await isReady(page);
  await isThere();
}

/** A page on a session that waits with `prompt`, and another session beside it. */
async function begin(page, server, prompt) {
  const other = await server.startSession("help");
  const id = await server.startSession(prompt);
  await open(page, server.page(id));
  await isReady(page);
  return [id, other];
}

test("a reason is there again after another session, the inbox and a reload, and is sent from there", async ({ page, server }) => {
  const [id, other] = await begin(page, server, "run a command");
  await button(form(page), "Deny").click();
  await reason(page).fill("Because of the cat.");
  await goEverywhere(page, server, id, other, async () => {
    await button(form(page), "Deny").click();
    await expect(reason(page)).toHaveValue("Because of the cat.");
  });
  await button(form(page), "Deny").click();
  await expect(transcript(page)).toContainText("Denied · by you · “Because of the cat.”");
});

test("an edit is there again after another session, the inbox and a reload, and is used from there", async ({ page, server }) => {
  const [id, other] = await begin(page, server, "run: echo first > first.txt");
  await button(form(page), "Edit").click();
  await command(page).fill("echo second > second.txt");
  await goEverywhere(page, server, id, other, async () => {
    await expect(form(page)).toContainText("Your unsent edit is kept.");
    await button(form(page), "Edit").click();
    await expect(command(page)).toHaveValue("echo second > second.txt");
  });
  await button(form(page), "Allow once, edited").click();
  await expect.poll(() => server.file("second.txt")).toBe("second\n");
  expect(server.file("first.txt")).toBeUndefined();
});

test("a note is there again after another session, the inbox and a reload", async ({ page, server }) => {
  const [id, other] = await begin(page, server, "run: echo one > one.txt");
  await button(form(page), "Allow with a note").click();
  await note(page).fill("but quietly");
  await goEverywhere(page, server, id, other, async () => {
    await expect(form(page)).toContainText("Your note is kept.");
    await button(form(page), "Allow with a note").click();
    await expect(note(page)).toHaveValue("but quietly");
  });
});

test("answers to questions are there again after another session, the inbox and a reload, and are sent from there", async ({ page, server }) => {
  const [id, other] = await begin(page, server, "four questions");
  const group = (question) => form(page).getByRole("group", { name: question });
  await group(/database/).getByRole("textbox", { name: "Other" }).fill("A shoe box");
  await group(/checks/).getByRole("checkbox", { name: "Lints" }).check();
  await group(/greeting/).getByRole("radio", { name: "Plain" }).check();
  await goEverywhere(page, server, id, other, async () => {
    await expect(group(/database/).getByRole("textbox", { name: "Other" })).toHaveValue("A shoe box");
    await expect(group(/checks/).getByRole("checkbox", { name: "Lints" })).toBeChecked();
    await expect(group(/checks/).getByRole("checkbox", { name: "Tests" })).not.toBeChecked();
    await expect(group(/greeting/).getByRole("radio", { name: "Plain" })).toBeChecked();
  });
  await group(/release/).getByRole("radio", { name: "Lark" }).check();
  await button(form(page), "Submit answers").click();
  await expect(transcript(page).getByRole("definition")).toHaveText(["A shoe box", "Lints", "Plain", "Lark"]);
});

test("feedback to a plan and its edited text are there again after another session, the inbox and a reload", async ({ page, server }) => {
  const [id, other] = await begin(page, server, "make a plan");
  await button(form(page), "Edit").click();
  await form(page).getByRole("textbox", { name: "Plan", exact: true }).fill("1. Rest.");
  await button(form(page), "Keep planning").click();
  await form(page).getByRole("textbox", { name: "Feedback" }).fill("Shorter");
  await goEverywhere(page, server, id, other, async () => {
    await button(form(page), "Edit").click();
    await expect(form(page).getByRole("textbox", { name: "Plan", exact: true })).toHaveValue("1. Rest.");
    await button(form(page), "Keep planning").click();
    await expect(form(page).getByRole("textbox", { name: "Feedback" })).toHaveValue("Shorter");
  });
});

test("each request of a queue keeps what was begun for it while one steps through the others", async ({ page, server }) => {
  const id = await server.startSession("three things");
  await expect.poll(() => server.pending(id)).toHaveLength(3);
  await open(page, server.page(id));
  await isReady(page);
  const step = async (name, place) => {
    await button(form(page), name).click();
    await expect(form(page)).toContainText(`${place} of 3`);
    await isReady(page);
  };
  const edited = form(page).getByRole("textbox", { name: "Edited input" });
  await button(form(page), "Deny").click();
  await reason(page).fill("The first one, no.");
  await step("Next request", 2);
  await expect(reason(page)).toHaveCount(0);
  await button(form(page), "Deny").click();
  await expect(reason(page)).toHaveValue("");
  await reason(page).fill("Nor the second.");
  await step("Next request", 3);
  await button(form(page), "Edit").click();
  await edited.fill('{"file_path": "/etc/motd"}');

  await step("Previous request", 2);
  await button(form(page), "Deny").click();
  await expect(reason(page)).toHaveValue("Nor the second.");
  await step("Previous request", 1);
  await expect(form(page)).not.toContainText("Your unsent edit is kept.");
  await button(form(page), "Deny").click();
  await expect(reason(page)).toHaveValue("The first one, no.");
  await step("Next request", 2);
  await step("Next request", 3);
  await expect(form(page)).toContainText("Your unsent edit is kept.");
  await button(form(page), "Edit").click();
  await expect(edited).toHaveValue('{"file_path": "/etc/motd"}');
});
