// So many requests at once that one loses count: the page does not.
const { test, expect, open, isLive, form, message, transcript, inboxLink, button, isReady } = require("../support.js");

// fifty of anything take their time on a busy machine
test.describe.configure({ timeout: 180_000 });

/** What each card on screen is about, in the words of its heading. */
const subjects = (page) => form(page).getByRole("heading", { level: 2 });
const next = (page) => button(form(page), "Next request");
const previous = (page) => button(form(page), "Previous request");

/** Exactly these, in this order. */
async function listed(page, files) {
  await expect(form(page)).toHaveCount(files.length);
  await expect(subjects(page)).toContainText(files);
}

/** A session that asks for so many files at once, and the files in the order of the asking. */
async function askFor(server, count) {
  const id = await server.startSession(`${count} at once`);
  await expect.poll(() => server.pending(id)).toHaveLength(count);
  const files = (await server.pending(id)).map((request) => request.tool_input.file_path);
  expect(new Set(files).size).toBe(count);
  return { id, files };
}

test("five requests of one session are answered one after the other, each once, in the order they were asked", async ({ page, server }) => {
  const { id, files } = await askFor(server, 5);
  await open(page, server.page(id));
  for (const [index, file] of files.entries()) {
    await expect(subjects(page)).toContainText(file);
    const left = files.length - index;
    await expect(inboxLink(page)).toHaveAccessibleName(new RegExp(`^Inbox\\s+${left}\\b`));
    if (left > 1) await expect(form(page)).toContainText(`1 of ${left}`);
    else await expect(form(page)).not.toContainText(" of ");
    expect((await server.pending(id)).map((request) => request.tool_input.file_path)).toEqual(files.slice(index));
    await button(form(page), "Allow once").click();
  }
  await expect(message(page)).toBeVisible();
  await expect(transcript(page)).toContainText("All 5 are read.");
  await expect(inboxLink(page)).toHaveAccessibleName("Inbox");
});

test("fifty requests of one session are counted and walked from the first to the last and back", async ({ page, server }) => {
  const { id, files } = await askFor(server, 50);
  await open(page, server.page(id));
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+50\b/);
  await expect(previous(page)).toBeDisabled();
  for (const [index, file] of files.entries()) {
    await expect(form(page)).toContainText(`${index + 1} of 50`);
    await expect(subjects(page)).toContainText(file);
    if (index < 49) await next(page).click();
  }
  await expect(form(page)).toHaveCount(1);
  await expect(next(page)).toBeDisabled();
  for (const index of [48, 47, 46]) {
    await previous(page).click();
    await expect(form(page)).toContainText(`${index + 1} of 50`);
    await expect(subjects(page)).toContainText(files[index]);
  }
});

test("of fifty, an answer leads to the next one and leaves the others in their order", async ({ page, server }) => {
  const { id, files } = await askFor(server, 50);
  await open(page, server.page(id));
  for (const index of [0, 1]) {
    await expect(subjects(page)).toContainText(files[index]);
    await button(form(page), "Allow once").click();
    await expect(form(page)).toContainText(`1 of ${49 - index}`);
  }
  await expect(subjects(page)).toContainText(files[2]);
  await next(page).click();
  await expect(subjects(page)).toContainText(files[3]);
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(form(page)).toContainText("2 of 47");
  await expect(subjects(page)).toContainText(files[4]);
  const left = files.filter((_, index) => ![0, 1, 3].includes(index));
  await expect.poll(async () => (await server.pending(id)).map((request) => request.tool_input.file_path)).toEqual(left);
  await page.reload();
  await isLive(page);
  await expect(form(page)).toContainText("1 of 47");
  await expect(subjects(page)).toContainText(left[0]);
});

test("the inbox lists all of fifty in the order they were asked, and keeps it while they are answered and after a reload", async ({ inbox: page, server }) => {
  const { id, files } = await askFor(server, 50);
  await listed(page, files);
  await expect(form(page).first()).toContainText("1 of 50");
  await expect(form(page).last()).toContainText("50 of 50");
  const card = (index) => form(page).filter({ has: page.getByRole("heading", { name: files[index] }) });
  for (const index of [20, 49, 0]) {
    await expect(card(index)).not.toHaveClass(/\bfresh\b/);
    await button(card(index), "Allow once").click();
    await expect(card(index)).toHaveCount(0);
  }
  const left = files.filter((_, index) => ![20, 49, 0].includes(index));
  await listed(page, left);
  await expect(form(page).last()).toContainText("47 of 47");
  await page.reload();
  await isLive(page);
  await listed(page, left);
  await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+47\b/);
  expect(await server.pending(id)).toHaveLength(47);
});
