// Every kind of request, answered in every way a person can answer it.
const { test, expect, open, form, message, transcript, sidebar, inboxLink, button, reason, isReady, say, answersOf, holdAnswers } = require("../support.js");

const QUESTION = "Which way should the garden path go?";
const CHECKS = "Which checks should run before a merge?";
const FOUR = ["Which database fits the project?", CHECKS, "How should a greeting look?", "What should the release be called?"];

test("a tool request takes the place of the message input and is marked wherever one looks", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(message(page)).toBeVisible();
  await expect(page).toHaveTitle(/^Help · Countersign$/i);
  await expect(inboxLink(page)).toHaveAccessibleName("Inbox");

  await say(page, "run a command");
  await expect(form(page)).toHaveCount(1);
  await expect(form(page)).toContainText("wants to run a command");
  await expect(form(page)).toContainText("echo Hello from Countersign > countersign-demo.txt");
  await expect(message(page)).toHaveCount(0);
  await expect(button(page, "Send")).toHaveCount(0);
  await expect(sidebar(page).getByRole("link", { name: /Help.*waiting for you/i })).toBeVisible();
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+1\b/);
  await expect(page).toHaveTitle(/^\(1\) Help/i);
  expect(server.file("countersign-demo.txt")).toBeUndefined();
});

test("allowed, the agent goes on: the file is there, the form is gone, the message input is back", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await button(form(page), "Allow once").click();
  await expect(form(page)).toHaveCount(0);
  await expect(message(page)).toBeVisible();
  await expect(transcript(page)).toContainText("Done. The command ran once, as you allowed.");
  await expect(transcript(page)).toContainText("Allowed once · by you");
  expect(server.file("countersign-demo.txt")).toBe("Hello from Countersign\n");
  await expect(sidebar(page).getByRole("link", { name: /waiting for you/ })).toHaveCount(0);
  await expect(inboxLink(page)).toHaveAccessibleName("Inbox");
  await expect(page).toHaveTitle(/^Run a command/i);
});

test("denied with a reason, the agent quotes it and adapts", async ({ page, server }) => {
  const id = await server.startSession("run a command then ask a question");
  await open(page, server.page(id));
  await button(form(page), "Deny").click();
  await reason(page).fill("Not on a Friday.");
  await button(form(page), "Deny").click();
  await expect(transcript(page)).toContainText("Understood, I did not run the command.");
  await expect(transcript(page).getByRole("blockquote")).toContainText("Not on a Friday.");
  await expect(transcript(page)).toContainText("Denied · by you · “Not on a Friday.”");
  expect(server.file("countersign-demo.txt")).toBeUndefined();
  // and it goes on with what comes next
  await expect(form(page).getByRole("group", { name: QUESTION })).toBeVisible();
});

test("denied without a reason, nothing is put in the person's mouth", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await button(form(page), "Deny").click();
  await button(form(page), "Deny").click();
  await expect(transcript(page)).toContainText(/Denied · by you · (< )?\d+ s/);
  await expect(message(page)).toBeVisible();
  expect(answersOf(page)).toMatchObject([{ request_type: "tool_approval", decision: "deny" }]);
  expect(answersOf(page)[0].message ?? null).toBeNull();
});

test("deny and stop ends the turn", async ({ page, server }) => {
  const id = await server.startSession("run a command then ask a question");
  await open(page, server.page(id));
  await button(form(page), "Deny").click();
  await reason(page).fill("Wait for me.");
  await button(form(page), "Deny and stop").click();
  await expect(message(page)).toBeVisible();
  await expect(transcript(page)).toContainText("Denied and stopped · by you · “Wait for me.”");
  await expect(page.locator(".session-head")).toContainText("your turn");
  await expect(transcript(page)).not.toContainText("garden path");
  expect(server.file("countersign-demo.txt")).toBeUndefined();
});

test("a question is answered, and question and answer stay in the transcript", async ({ page, server }) => {
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  const group = form(page).getByRole("group", { name: QUESTION });
  await expect(group.getByRole("radio")).toHaveCount(3);
  await expect(message(page)).toHaveCount(0);
  await expect(button(form(page), "Submit answers")).toBeDisabled();
  await group.getByRole("radio", { name: "Straight", exact: true }).check();
  await group.getByRole("radio", { name: "Curved", exact: true }).check();
  await button(form(page), "Submit answers").click();
  await expect(form(page)).toHaveCount(0);
  expect(answersOf(page)).toMatchObject([{ request_type: "ask_user_question", answers: { [QUESTION]: "Curved" } }]);
  await expect(message(page)).toBeVisible();
  const kept = transcript(page).getByRole("definition");
  await expect(kept).toHaveText("Curved");
  await expect(transcript(page)).toContainText(`${QUESTION} Curved`);
});

test("four questions: one choice, several joined, a preview, and free text", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  const [database, checks, greeting, name] = FOUR.map((question) => form(page).getByRole("group", { name: question }));
  const submit = button(form(page), "Submit answers");
  await database.getByRole("radio", { name: "SQLite" }).check();
  await checks.getByRole("checkbox", { name: "Tests" }).check();
  await checks.getByRole("checkbox", { name: "Lints" }).check();
  await checks.getByRole("checkbox", { name: "Format" }).check();
  await checks.getByRole("checkbox", { name: "Lints" }).uncheck();
  await greeting.getByRole("radio", { name: "Framed" }).check();
  await expect(greeting).toContainText("| Hello, Robin. |");
  await expect(submit).toBeDisabled();
  await name.getByRole("textbox", { name: "Other" }).fill("Kingfisher");
  await submit.click();
  await expect(transcript(page)).toContainText(`${CHECKS} Format, Tests`);
  await expect(transcript(page)).toContainText(`${FOUR[3]} Kingfisher`);
  await expect(transcript(page).getByRole("definition")).toHaveText(["SQLite", "Format, Tests", "Framed", "Kingfisher"]);
  expect(answersOf(page)[0].answers).toEqual({
    [FOUR[0]]: "SQLite",
    [FOUR[1]]: "Format, Tests",
    [FOUR[2]]: "Framed",
    [FOUR[3]]: "Kingfisher",
  });
});

test("free text replaces a single choice and joins several", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  const [database, checks, greeting, name] = FOUR.map((question) => form(page).getByRole("group", { name: question }));
  await database.getByRole("radio", { name: "SQLite" }).check();
  await database.getByRole("textbox", { name: "Other" }).fill("A text file");
  await expect(database.getByRole("radio", { name: "SQLite" })).not.toBeChecked();
  await checks.getByRole("checkbox", { name: "Lints" }).check();
  await checks.getByRole("textbox", { name: "Other" }).fill("A second pair of eyes");
  await expect(checks.getByRole("checkbox", { name: "Lints" })).toBeChecked();
  await greeting.getByRole("radio", { name: "Plain" }).check();
  // a choice after the free text counts, and the text is not lost
  await name.getByRole("textbox", { name: "Other" }).fill("Kingfisher");
  await name.getByRole("radio", { name: "Heron" }).check();
  await expect(name.getByRole("textbox", { name: "Other" })).toHaveValue("Kingfisher");
  await button(form(page), "Submit answers").click();
  await expect(message(page)).toBeVisible();
  expect(answersOf(page)[0].answers).toEqual({
    [FOUR[0]]: "A text file",
    [FOUR[1]]: "Lints, A second pair of eyes",
    [FOUR[2]]: "Plain",
    [FOUR[3]]: "Heron",
  });
});

test("a question can be skipped on purpose", async ({ page, server }) => {
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  await button(form(page), "Skip and stop").click();
  await expect(message(page)).toBeVisible();
  await expect(transcript(page)).toContainText("Skipped · by you");
});

test("a plan is read as a document and approved", async ({ page, server }) => {
  const id = await server.startSession("make a plan");
  await open(page, server.page(id));
  await expect(form(page).getByRole("heading", { name: "A kinder README" })).toBeVisible();
  await expect(form(page).getByRole("listitem")).toHaveCount(5);
  await button(form(page), "Approve plan").click();
  await expect(transcript(page)).toContainText("The plan is approved.");
  await expect(transcript(page)).toContainText("Plan approved · by you");
  await expect(message(page)).toBeVisible();
});

test("a plan is approved with edits accepted from then on", async ({ page, server }) => {
  const id = await server.startSession("make a plan");
  await open(page, server.page(id));
  await form(page).getByRole("combobox", { name: "After approval" }).selectOption("acceptEdits");
  await button(form(page), "Approve plan").click();
  await expect(transcript(page)).toContainText("The plan is approved.");
  await expect(page.getByRole("combobox", { name: "Permission mode" })).toHaveValue("acceptEdits");
  await say(page, "write a file");
  await expect(transcript(page)).toContainText("countersign-demo.md is written.");
  expect(server.file("countersign-demo.md")).toContain("Mood: curious");
  expect(answersOf(page)).toHaveLength(1);
});

test("a plan is sent back with feedback, and the next one has it", async ({ page, server }) => {
  const id = await server.startSession("make a plan");
  await open(page, server.page(id));
  await button(form(page), "Keep planning").click();
  await form(page).getByRole("textbox", { name: "Feedback" }).fill("No pictures, please.");
  await button(form(page), "Keep planning").click();
  await expect(transcript(page)).toContainText("Kept planning · by you · “No pictures, please.”");
  await expect(form(page).getByRole("heading", { name: "Changed after your review" })).toBeVisible();
  await expect(form(page).getByRole("blockquote")).toContainText("No pictures, please.");
  await button(form(page), "Approve plan").click();
  await expect(transcript(page)).toContainText("The plan is approved.");
});

test("a plan is changed before it is approved", async ({ page, server }) => {
  const id = await server.startSession("make a plan");
  await open(page, server.page(id));
  await button(form(page), "Edit").click();
  const plan = form(page).getByRole("textbox", { name: "Plan", exact: true });
  await expect(plan).toHaveValue(/^# A kinder README/);
  await plan.fill("# Only one sentence");
  await button(form(page), "Approve plan").click();
  await expect(transcript(page)).toContainText("You rewrote the plan, and I go by your version.");
});

test("what was changed in a plan that is sent back goes with the feedback", async ({ page, server }) => {
  const id = await server.startSession("make a plan");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Edit").click();
  const editor = form(page).getByRole("textbox", { name: "Plan" });
  await editor.fill("1. A step of my own");
  await button(form(page), "Keep planning").click();
  await form(page).getByRole("textbox", { name: "Feedback" }).fill("Shorter, please");
  await expect(form(page)).toContainText("What you changed in the plan is sent along.");
  const [before] = await server.pending(id);
  await button(form(page), "Keep planning").click();
  await expect.poll(async () => (await server.pending(id))[0]?.request_id).not.toBe(before.request_id);
  const history = await server.api("history", { filter: {} });
  const words = JSON.stringify(history);
  expect(words).toContain("Shorter, please");
  expect(words).toContain("A step of my own");
});

test("a command edited before allowing is the one that runs", async ({ page, server }) => {
  const id = await server.startSession("run: echo first > first.txt");
  await open(page, server.page(id));
  await button(form(page), "Edit").click();
  const command = form(page).getByRole("textbox", { name: "Edited command" });
  await expect(command).toHaveValue("echo first > first.txt");
  await command.fill("echo second > second.txt");
  await button(form(page), "Allow once, edited").click();
  await expect(transcript(page)).toContainText("Allowed once · by you · edited");
  await expect(message(page)).toBeVisible();
  await expect.poll(() => server.file("second.txt")).toBe("second\n");
  expect(server.file("first.txt")).toBeUndefined();
});

test("an edit that is closed again is not sent", async ({ page, server }) => {
  const id = await server.startSession("run: echo first > first.txt");
  await open(page, server.page(id));
  await button(form(page), "Edit").click();
  await form(page).getByRole("textbox", { name: "Edited command" }).fill("echo second > second.txt");
  await button(form(page), "Edit").click();
  await expect(form(page)).toContainText("Your unsent edit is kept.");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Done. The command ran once, as you allowed.");
  expect(server.file("first.txt")).toBe("first\n");
  expect(server.file("second.txt")).toBeUndefined();
});

test("a file is shown line by line, then written; then one line of it is changed", async ({ page, server }) => {
  const id = await server.startSession("write a file");
  await open(page, server.page(id));
  await expect(form(page)).toContainText("wants to write countersign-demo.md");
  await expect(form(page)).toContainText("added: Mood: curious");
  await expect(form(page)).toContainText("+5 −0");
  expect(server.file("countersign-demo.md")).toBeUndefined();
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("countersign-demo.md is written.");
  expect(server.file("countersign-demo.md")).toContain("Mood: curious");

  await say(page, "edit a file");
  await expect(form(page)).toContainText("wants to edit countersign-demo.md");
  await expect(form(page)).toContainText("removed: Mood: curious");
  await expect(form(page)).toContainText("added: Mood: content");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("countersign-demo.md is changed");
  expect(server.file("countersign-demo.md")).toContain("Mood: content");
});

test("content edited before allowing is what is written", async ({ page, server }) => {
  const id = await server.startSession("write notes.txt: rough");
  await open(page, server.page(id));
  await button(form(page), "Edit").click();
  await form(page).getByRole("textbox", { name: "Edited content" }).fill("polished");
  await button(form(page), "Allow once, edited").click();
  await expect(transcript(page)).toContainText("notes.txt is written");
  expect(server.file("notes.txt")).toBe("polished");
});

test("after a click only that button turns, and nothing can be pressed until the server says that it is over", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  const hold = await holdAnswers(page);
  await open(page, server.page(id));
  const allow = button(form(page), "Allow once");
  await allow.click();
  await expect(allow).toHaveAttribute("aria-busy", "true");
  for (const name of ["Allow once", "Deny", "Edit"]) await expect(button(form(page), name)).toBeDisabled();
  expect(await server.pending(id)).toHaveLength(1);
  hold.letGo();
  await expect(form(page)).toHaveCount(0);
  await expect(transcript(page)).toContainText("Allowed once · by you");
});

test("what a person remembers is not asked again", async ({ page, server }) => {
  const id = await server.startSession("run: touch one.txt");
  await open(page, server.page(id));
  const remember = form(page).getByRole("switch").first();
  await expect(remember).not.toBeChecked();
  await remember.check();
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Allowed and remembered · by you");
  const done = transcript(page).getByText("Done. The command ran once, as you allowed.");
  // said earlier, it would be part of the same turn
  await expect(done).toHaveCount(1);
  await say(page, "run: touch one.txt");
  await expect(done).toHaveCount(2);
  await expect(form(page)).toHaveCount(0);
});

test("a note that is written last goes along, and Ctrl+Enter sends from a text", async ({ page, server }) => {
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  await isReady(page);
  const group = form(page).getByRole("group").first();
  await group.getByRole("radio").first().check();
  await button(group, "Add a note").click();
  await group.getByRole("textbox", { name: "Note" }).fill("a dark one");
  await group.getByRole("textbox", { name: "Note" }).fill("a darker one");
  await button(form(page), "Submit answers").click();
  await expect(transcript(page)).toContainText("(a darker one)");

  const other = await server.startSession("ask a question");
  await open(page, server.page(other));
  await isReady(page);
  await form(page).getByRole("textbox", { name: "Other" }).fill("None of these");
  await form(page).getByRole("textbox", { name: "Other" }).press("Control+Enter");
  await expect(form(page)).toHaveCount(0);
  await expect(transcript(page).locator(".answered dd")).toHaveText("None of these");
});

test("one of several questions is skipped on purpose, another has a note, and both are in the transcript", async ({ page, server }) => {
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await isReady(page);
  const groups = form(page).getByRole("group");
  const submit = button(form(page), "Submit answers");
  await groups.nth(0).getByRole("radio").first().check();
  await button(groups.nth(0), "Add a note").click();
  await expect(groups.nth(0).getByRole("textbox", { name: "Note" })).toBeFocused();
  await page.keyboard.type("if it rains");
  for (const index of [1, 2]) await button(groups.nth(index), "Skip this one").click();
  await expect(submit).toBeDisabled();
  await button(groups.nth(3), "Skip this one").click();
  await expect(submit).toBeEnabled();
  await page.reload();
  await isReady(page);
  await expect(submit).toBeEnabled();
  await submit.click();
  await expect(transcript(page)).toContainText("(if it rains)");
  await expect(transcript(page).locator(".answered dd").filter({ hasText: /^skipped$/ })).toHaveCount(3);
});
