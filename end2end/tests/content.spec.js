// What a conversation holds besides words: files, pictures, lists, subagents, and what happened long ago.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect, open, form, message, transcript, button, isReady, say } = require("../support.js");

const GIF = Buffer.from("R0lGODlhAQABAIAAAICAgAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");
const picture = (name = "cat.gif") => ({ name, mimeType: "image/gif", buffer: GIF });
const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("one\ntwo\n") };

/** @param {import("@playwright/test").Page | import("@playwright/test").Locator} place */
const attached = (place) => place.getByRole("list", { name: "Attached files" });

/** @param {import("@playwright/test").Page} page @param {import("@playwright/test").Page | import("@playwright/test").Locator} place @param {any[]} files */
async function attach(page, place, files) {
  const chooser = page.waitForEvent("filechooser");
  await button(place, "Attach").click();
  await (await chooser).setFiles(files);
}

/** Pastes or drops a file as a browser does. @param {import("@playwright/test").Locator} target @param {"paste" | "drop"} how @param {string} name */
async function hand(target, how, name) {
  await target.evaluate(
    (element, [how, name, data]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const carried = new DataTransfer();
      carried.items.add(new File([bytes], name, { type: "image/gif" }));
      const about = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        how === "paste" ? new ClipboardEvent("paste", { ...about, clipboardData: carried }) : new DragEvent("drop", { ...about, dataTransfer: carried }),
      );
    },
    [how, name, GIF.toString("base64")],
  );
}

test("files are chosen, pasted and dropped, can be removed, and are in the transcript once sent", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await attach(page, page, [picture(), notes]);
  await hand(message(page), "paste", "pasted.gif");
  await hand(message(page), "drop", "dropped.gif");
  await expect(attached(page).getByRole("listitem")).toHaveText([/cat\.gif/, /notes\.txt/, /pasted\.gif/, /dropped\.gif/]);
  await button(page, "Remove dropped.gif").click();
  await button(page, "Send").click();
  await expect(transcript(page)).toContainText("This came with your message");
  await expect(transcript(page)).toContainText("notes.txt (text/plain, 2 lines)");
  await expect(attached(page)).toHaveCount(0);
  const shown = transcript(page).getByRole("img", { name: /^cat\.gif/ });
  await expect.poll(() => shown.evaluate((image) => image.naturalWidth), "the picture itself").toBe(1);
  await expect(transcript(page).getByRole("link", { name: /notes\.txt/ })).toBeVisible();
  await page.reload();
  await expect(transcript(page).getByRole("img", { name: /^pasted\.gif/ })).toBeVisible();
});

test("a session begins with files, and without words", async ({ inbox: page }) => {
  await button(page, "New session").click();
  const dialog = page.getByRole("dialog");
  await hand(dialog.getByRole("textbox", { name: "First message" }), "paste", "first.gif");
  await expect(attached(dialog)).toContainText("first.gif");
  await button(dialog, "Start session").click();
  await expect(transcript(page).getByRole("img", { name: /^first\.gif/ })).toBeVisible();
  await expect(transcript(page)).toContainText("This came with your message");
  await expect(transcript(page)).toContainText("a picture (image/gif, 43 bytes)");
  await expect(page.getByRole("heading", { level: 1 }), "a title from nothing but a picture").toHaveText(/\w/);
});

test("what cannot be attached is said in words, and neither text nor files are lost", async ({ page, server, guard }) => {
  guard.expected.push(/Failed to load resource: the server responded with a status of 400/);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await message(page).fill("look at this");
  await attach(page, page, [picture(), { name: "huge.bin", mimeType: "", buffer: Buffer.alloc(4_000_000) }]);
  await expect(page.getByRole("alert")).toContainText('"huge.bin" has 4.0 MB');
  await expect(attached(page).getByRole("listitem")).toHaveText([/cat\.gif/]);
  await attach(page, page, [{ name: "tool.exe", mimeType: "", buffer: Buffer.from("MZ\0\0") }]);
  await button(page, "Send").click();
  await expect(page.getByRole("alert")).toContainText('"tool.exe" cannot be attached');
  await expect(message(page)).toHaveValue("look at this");
  await button(page, "Remove tool.exe").click();
  await button(page, "Send").click();
  await expect(transcript(page)).toContainText("a picture (image/gif");
  await expect(message(page)).toHaveValue("");
});

test("files that a reload takes away are named", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await attach(page, page, [picture(), notes]);
  await expect(attached(page).getByRole("listitem")).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "no longer there: cat.gif, notes.txt" })).toBeVisible();
  await attach(page, page, [notes]);
  await expect(page.getByText("no longer there")).toHaveCount(0);
  await button(page, "Send").click();
  await expect(attached(page)).toHaveCount(0);
  await page.reload();
  await expect(message(page)).toBeVisible();
  await expect(page.getByText("no longer there")).toHaveCount(0);
});

test("files wait with the draft while a request is answered or another session is looked at", async ({ page, server }) => {
  const [id, other] = [await server.startSession("help"), await server.startSession("help")];
  await open(page, server.page(id));
  await attach(page, page, [picture()]);
  await expect(attached(page)).toContainText("cat.gif");
  await server.send(id, "run a command");
  await isReady(page);
  await expect(attached(page)).toBeHidden();
  await button(form(page), "Allow once").click();
  await expect(attached(page)).toContainText("cat.gif");
  const links = page.getByRole("navigation", { name: "Sessions" }).getByRole("link");
  await links.and(page.locator(`[href="/session/${other}"]`)).click();
  await expect(page).toHaveURL(server.page(other));
  await expect(attached(page)).toHaveCount(0);
  await links.and(page.locator(`[href="/session/${id}"]`)).click();
  await expect(attached(page)).toContainText("cat.gif");
});

test("a picture that a tool brings is shown", async ({ page, server }) => {
  fs.writeFileSync(path.join(server.project, "cat.gif"), GIF);
  const id = await server.startSession("read cat.gif");
  await open(page, server.page(id));
  const shown = transcript(page).getByRole("img", { name: /^Picture/ });
  await expect.poll(() => shown.evaluate((image) => image.naturalWidth)).toBe(1);
  await expect(transcript(page)).toContainText("1 picture");
});

test("a list is shown with its ticks, the newest one open", async ({ page, server }) => {
  const id = await server.startSession("todo");
  await open(page, server.page(id));
  await expect(transcript(page)).toContainText("All three are ticked off.");
  const list = transcript(page).getByRole("list", { name: "To do" });
  await expect(list).toHaveCount(1);
  await expect(list.getByRole("listitem")).toHaveText([/^✓done: Look/, /^✓done: Note/, /^✓done: Tell/]);
  await expect(transcript(page)).toContainText("3 of 3 done");
  await expect(transcript(page)).not.toContainText("activeForm");
});

test("what subagents do stands under their calls and can be folded", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await say(page, "subagents");
  await expect(form(page)).toBeVisible();
  const work = transcript(page).locator(".subagent-work");
  await expect(work).toHaveCount(2);
  await expect(work.first()).toContainText("waiting for you");
  const inBackground = transcript(page).locator(".call").filter({ hasText: "Note the time" }).first();
  await expect(inBackground.locator(".mark").first(), "its call is over, its work is not").toContainText("running");
  for (const _ of [1, 2]) {
    await isReady(page);
    await button(form(page), "Allow once").click();
  }
  await expect(message(page)).toBeVisible();
  await expect(inBackground.locator(".mark").first()).toContainText("done");
  await expect(work.first().locator(".call").first()).toBeVisible();
  await expect(transcript(page).getByText("Goes on in the background"), "both are done").toHaveCount(0);
  await page.reload();
  await expect(work.first().locator("summary").first()).toContainText("step");
  await expect(work.first().locator(".call").first()).toBeHidden();
  await work.first().locator("summary").first().click();
  await expect(work.first().locator(".call").first()).toBeVisible();
});

test("what happened long ago is shown on demand, and what is read stays where it is", async ({ page, server, agent }) => {
  test.slow();
  const id = await server.startSession("help");
  // about a hundred events each; Claude Code has them in one answer of its model, not one after the other
  const long = {
    demo: Array(9).fill("todo").join(" then "),
    claude: Array(60).fill(`[[read ${server.project}/seen.txt]]`).join("+"),
  };
  fs.writeFileSync(path.join(server.project, "seen.txt"), "one line\n");
  for (let turn = 0; turn < 15; turn += 1) await server.send(id, `${turn} then ${long[agent]}`);
  const state = async () => (await server.api("list_processes")).find((process) => process.session_id === id).state;
  await expect.poll(state, { timeout: 60_000 }).toBe("user_turn");
  await open(page, server.page(id));
  const earlier = button(page, "Show earlier");
  await earlier.scrollIntoViewIfNeeded();
  const first = transcript(page).locator(":scope > *").first();
  const before = await first.elementHandle();
  const place = async () => Math.round((await before?.boundingBox())?.y ?? NaN);
  const was = await place();
  const lines = transcript(page).locator(":scope > *");
  /** One page more. */
  const show = async () => {
    const count = await lines.count();
    await earlier.click();
    await expect.poll(() => lines.count()).toBeGreaterThan(count);
  };
  await show();
  await expect.poll(async () => Math.abs((await place()) - was), "what was read has not moved").toBeLessThan(60);
  while (await earlier.isVisible()) await show();
  await expect(transcript(page)).toContainText("welcome to Countersign");
});

test("a message that is taken back brings its files back, and they are sent with the next one", async ({ page, server }) => {
  const id = await server.startSession("run a command");
  await open(page, server.page(id));
  await isReady(page);
  const attachments = [{ name: "cat.gif", media_type: "image/gif", data: GIF.toString("base64") }];
  await server.api("send_message", { session_id: id, text: "look at this", attachments });
  await button(transcript(page), "Cancel").click();
  await expect(transcript(page)).toContainText("Taken back");
  await button(form(page), "Allow once").click();
  await expect(message(page)).toHaveValue("look at this");
  await expect(attached(page)).toContainText("cat.gif");
  await button(page, "Send").click();
  await expect(attached(page)).toHaveCount(0);
  await expect(transcript(page).getByRole("img", { name: /cat\.gif/ })).toHaveCount(2);
});

test("a message that failed is tried again with its files", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await attach(page, page, [picture()]);
  await say(page, "be not logged in");
  await button(transcript(page), "Try again").click();
  await expect(transcript(page).getByText("be not logged in")).toHaveCount(2);
  await expect(transcript(page).getByRole("img", { name: /cat\.gif/ })).toHaveCount(2);
});

test("a block of code is copied as it is shown", async ({ page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await server.startSession("stream markdown");
  await open(page, server.page(id));
  const block = transcript(page).locator(".code-frame").first();
  const shown = await block.locator("code").innerText();
  await block.hover();
  await button(block, "Copy").click();
  await expect(button(block, "Copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim()).toBe(shown.trim());
});

test("a block of code is copied only where the browser lets it: else it is selected, and says so", async ({ page, server }) => {
  const id = await server.startSession("stream markdown");
  await open(page, server.page(id));
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"))));
  const block = transcript(page).locator(".code-frame").first();
  const shown = await block.locator("code").innerText();
  await block.hover();
  await button(block, "Copy").click();
  await expect(button(block, "Selected")).toBeVisible();
  expect((await page.evaluate(() => String(getSelection()))).trim()).toBe(shown.trim());
});
