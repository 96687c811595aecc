// The inbox in a browser that runs no script.
const { test, expect, form, button, message, transcript, open } = require("../support.js");

const plainly = (secondBrowser) => secondBrowser({ javaScriptEnabled: false });

test("the inbox lists what waits, and takes answers by plain forms", async ({ page, server, secondBrowser }) => {
  const plain = await plainly(secondBrowser);
  await plain.goto(server.origin);
  await expect(plain).toHaveURL(`${server.origin}/plain`);
  await expect(plain.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();

  const command = await server.startSession("run: echo yes > yes.txt && rm -rf never");
  await open(page, server.page(command));
  await expect(form(page)).toBeVisible();
  await plain.getByRole("link", { name: "Look again" }).click();
  await expect(plain).toHaveTitle("(1) Inbox · Countersign");
  await expect(form(plain)).toContainText("wants to run a command");
  await expect(form(plain)).toContainText("Deletes recursively");
  expect(server.file("yes.txt")).toBeUndefined();
  await button(form(plain), "Allow once").click();
  await expect(plain.getByRole("status")).toHaveText("Your answer was taken.");
  await expect(plain).toHaveURL(`${server.origin}/plain?said=answered`);
  await expect(form(plain)).toHaveCount(0);
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("yes.txt")).toBe("yes\n");
});

test("a denial has its reason, a plan its mode", async ({ page, server, secondBrowser }) => {
  const plain = await plainly(secondBrowser);
  const denied = await server.startSession("run: echo no > no.txt");
  await open(page, server.page(denied));
  await expect(form(page)).toBeVisible();
  await plain.goto(`${server.origin}/plain`);
  await form(plain).getByRole("textbox", { name: "Reason, if you deny it" }).fill("Not today.");
  await button(form(plain), "Deny").click();
  await expect(transcript(page)).toContainText("Denied · by you · “Not today.”");
  expect(server.file("no.txt")).toBeUndefined();

  const planned = await server.startSession("propose a plan");
  await open(page, server.page(planned));
  await expect(form(page)).toBeVisible();
  await plain.goto(`${server.origin}/plain`);
  await form(plain).getByRole("combobox", { name: "Then" }).selectOption("acceptEdits");
  await button(form(plain), "Approve plan").click();
  await expect(transcript(page)).toContainText("Plan approved · by you");
  await expect(page.getByRole("combobox", { name: "Permission mode" })).toHaveValue("acceptEdits");
});

test("questions are answered with options and one's own words; an empty form is told so", async ({ page, server, secondBrowser }) => {
  const plain = await plainly(secondBrowser);
  const id = await server.startSession("four questions");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await plain.goto(`${server.origin}/plain`);
  await button(form(plain), "Submit answers").click();
  await expect(plain.getByRole("status")).toContainText("Nothing is chosen yet");
  await expect(plain.getByRole("status"), "names a button that is there").toContainText('"Skip and stop"');
  await expect(button(form(plain), "Skip and stop")).toBeVisible();
  const groups = form(plain).getByRole("group");
  await expect(groups).toHaveCount(4);
  await groups.nth(0).getByRole("radio").first().check();
  await groups.nth(1).getByRole("textbox", { name: "Other" }).fill("as I say");
  await button(form(plain), "Submit answers").click();
  await expect(plain.getByRole("status")).toContainText("has no answer yet");
  await expect(groups.nth(1).getByRole("textbox", { name: "Other" })).toHaveValue("as I say");
  await form(plain).getByRole("checkbox", { name: "Leave out the questions that have no answer" }).check();
  await button(form(plain), "Submit answers").click();
  await expect(plain.getByRole("status")).toHaveText("Your answer was taken.");
  await expect(transcript(page)).toContainText("as I say");
  await expect(message(page)).toBeVisible();
});

test("an option and one's own words to a single choice both stay until the person keeps one", async ({ page, server, secondBrowser }) => {
  const plain = await plainly(secondBrowser);
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await plain.goto(`${server.origin}/plain`);
  const straight = form(plain).getByRole("radio", { name: /^Straight/ });
  const other = form(plain).getByRole("textbox", { name: "Other" });
  await straight.check();
  await other.fill("past the pond");
  await button(form(plain), "Submit answers").click();
  await expect(plain.getByRole("status")).toHaveText(
    'To "Which way should the garden path go?" you chose "Straight" and also wrote another answer. Keep one of them.',
  );
  await expect(straight).toBeChecked();
  await expect(other).toHaveValue("past the pond");
  expect(await server.pending(id), "nothing was answered").toHaveLength(1);
  await form(plain).getByRole("radio", { name: "None of these" }).check();
  await button(form(plain), "Submit answers").click();
  await expect(plain.getByRole("status")).toHaveText("Your answer was taken.");
  await expect(transcript(page).locator(".answered dd")).toHaveText("past the pond");
});

test("Enter in a line of one's own words sends them", async ({ page, server, secondBrowser }) => {
  const plain = await plainly(secondBrowser);
  const id = await server.startSession("ask a question");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await plain.goto(`${server.origin}/plain`);
  await form(plain).getByRole("textbox", { name: "Other" }).fill("my own way");
  await plain.keyboard.press("Enter");
  await expect(plain.getByRole("status")).toHaveText("Your answer was taken.");
  await expect(transcript(page)).toContainText("my own way");
});

test("hidden characters have to be seen; an answer that comes too late is told why", async ({ page, server, secondBrowser }) => {
  const plain = await plainly(secondBrowser);
  const id = await server.startSession("run: echo a\u200bb > odd.txt");
  await open(page, server.page(id));
  await expect(form(page)).toBeVisible();
  await plain.goto(`${server.origin}/plain`);
  await button(form(plain), "Allow once").click();
  await expect(plain.getByRole("status")).toContainText("tick that you have seen them");
  expect(server.file("odd.txt")).toBeUndefined();
  await server.api("kill", { session_id: id });
  await expect(message(page)).toBeVisible();
  await form(plain).getByRole("checkbox", { name: "I have seen the hidden characters" }).check();
  await button(form(plain), "Allow once").click();
  await expect(plain.getByRole("status")).not.toHaveText("Your answer was taken.");
  await expect(form(plain)).toHaveCount(0);
});

test("a session without a script shows the way to the plain inbox", async ({ inbox: page, server, secondBrowser }) => {
  const id = await server.startSession("help");
  const plain = await plainly(secondBrowser);
  await plain.goto(server.page(id));
  await expect(plain.getByRole("link", { name: "The plain inbox can." })).toBeVisible();
  await expect(page.getByText("The plain inbox can.")).toBeHidden();
});

test.describe("with a time limit", () => {
  test.use({ how: { settings: "[requests]\ntimeout_seconds = 300\n" } });

  test("what is left of it is said, as of when the page was loaded", async ({ server, secondBrowser }) => {
    const plain = await plainly(secondBrowser);
    await server.startSession("run: echo one > one.txt");
    await expect.poll(async () => {
      await plain.goto(`${server.origin}/plain`);
      return form(plain).count();
    }).toBe(1);
    await expect(form(plain)).toContainText(/4:\d\d left when this page was loaded/);
  });
});
