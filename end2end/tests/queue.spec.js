// Several requests of one session: a queue that can be walked and answered in any order.
const { test, expect, open, form, message, transcript, inboxLink, button, reason, isReady } = require("../support.js");

/** What the card on screen is about, in the words of its heading. */
const subject = (page) => form(page).getByRole("heading").first();

test("three requests are counted, walked and answered out of order", async ({ page, server }) => {
  const id = await server.startSession("three things");
  await expect.poll(() => server.pending(id)).toHaveLength(3);
  const paths = (await server.pending(id)).map((request) => request.tool_input.file_path);
  await open(page, server.page(id));

  await expect(form(page)).toHaveCount(1);
  await expect(form(page)).toContainText("1 of 3");
  await expect(subject(page)).toContainText(paths[0]);
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+3\b/);
  await expect(button(form(page), "Previous request")).toBeDisabled();
  await button(form(page), "Next request").click();
  await expect(form(page)).toContainText("2 of 3");
  await expect(subject(page)).toContainText(paths[1]);
  await button(form(page), "Next request").click();
  await expect(form(page)).toContainText("3 of 3");
  await expect(subject(page)).toContainText(paths[2]);
  await expect(button(form(page), "Next request")).toBeDisabled();

  await button(form(page), "Allow once").click(); // the third
  await expect(form(page)).toContainText("1 of 2");
  await expect(subject(page)).toContainText(paths[0]);
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+2\b/);
  await button(form(page), "Next request").click();
  await expect(subject(page)).toContainText(paths[1]);
  await button(form(page), "Previous request").click();
  await expect(subject(page)).toContainText(paths[0]);
  await button(form(page), "Next request").click();

  await button(form(page), "Deny").click(); // the second
  await reason(page).fill("Leave it alone.");
  await button(form(page), "Deny").click();
  await expect(subject(page)).toContainText(paths[0]);
  await expect(form(page)).not.toContainText(" of ");
  await button(form(page), "Allow once").click(); // the first
  await expect(message(page)).toBeVisible();
  await expect(transcript(page)).toContainText("I read 2 and left 1 alone.");
  await expect(transcript(page)).toContainText(`${paths[1]}: you said "Leave it alone."`);
});

test("who passes one over and answers the next goes on with the one after it", async ({ page, server }) => {
  const id = await server.startSession("three things");
  await expect.poll(() => server.pending(id)).toHaveLength(3);
  const paths = (await server.pending(id)).map((request) => request.tool_input.file_path);
  await open(page, server.page(id));
  await button(form(page), "Next request").click();
  await expect(subject(page)).toContainText(paths[1]);
  await button(form(page), "Allow once").click();
  await expect(subject(page)).toContainText(paths[2]);
  await expect(form(page)).toContainText("2 of 2");
  await button(form(page), "Previous request").click();
  await expect(subject(page)).toContainText(paths[0]);
});

test("the inbox shows every request of a queue with its place", async ({ inbox: page, server }) => {
  const id = await server.startSession("three things");
  await expect(form(page)).toHaveCount(3);
  for (const place of [1, 2, 3]) await expect(form(page).nth(place - 1)).toContainText(`${place} of 3`);
  await button(form(page).nth(1), "Allow once").click();
  await expect(form(page)).toHaveCount(2);
  await expect(form(page).nth(1)).toContainText("2 of 2");
  expect(await server.pending(id)).toHaveLength(2);
});

test("the request on screen stays when another one is answered elsewhere", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession("three things");
  await expect.poll(() => server.pending(id)).toHaveLength(3);
  const paths = (await server.pending(id)).map((request) => request.tool_input.file_path);
  const other = await secondBrowser();
  await Promise.all([open(page, server.page(id)), open(other, server.page(id))]);
  await button(form(page), "Next request").click();
  await isReady(page);
  await button(form(page), "Deny").click();
  await reason(page).fill("half a sen");
  await button(form(other), "Allow once").click(); // the first
  await expect(form(page)).toContainText("1 of 2");
  await expect(subject(page)).toContainText(paths[1]);
  await expect(reason(page)).toHaveValue("half a sen");
  await expect(reason(page)).toBeFocused();
});

test("requests of two subagents carry their names", async ({ page, server }) => {
  const id = await server.startSession("subagents");
  await expect.poll(() => server.pending(id)).toHaveLength(2);
  await open(page, server.page(id));
  const commands = { "subagent Count the files": "countersign-demo-count.txt", "subagent Note the time": "countersign-demo-time.txt" };
  const names = [];
  for (const place of [1, 2]) {
    await expect(form(page)).toContainText(`${place} of 2`);
    const name = await form(page).getByText(/^subagent /).innerText();
    await expect(form(page)).toContainText(commands[name]);
    names.push(name);
    if (place === 1) await button(form(page), "Next request").click();
  }
  expect(names.sort()).toEqual(Object.keys(commands));
  await button(form(page), "Allow once").click();
  await expect(form(page)).not.toContainText(" of ");
  await button(form(page), "Allow once").click();
  await expect(message(page)).toBeVisible();
  await expect.poll(() => server.file("countersign-demo-time.txt")).toBeTruthy();
  await expect.poll(() => server.file("countersign-demo-count.txt")).toBeTruthy();
});
