// What a card says about a command or a file, after the server has looked into it.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect, open, form, transcript, button, isReady, answersOf } = require("../support.js");

const rows = (page) => form(page).locator(".segments .seg");
const lines = (page) => form(page).locator(".diff .line");
const write = (server, name, text) => fs.writeFileSync(path.join(server.project, name), text);

test("a command stands in its parts, complete, with what is dangerous in words where it is", async ({ page, server }) => {
  const command = "ls -la && rm -rf build | tee out.log";
  const id = await server.startSession(`run: ${command}`);
  await open(page, server.page(id));
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(1).getByRole("listitem")).toContainText("Caution: Deletes recursively");
  await expect(rows(page).nth(0).getByRole("listitem")).toHaveCount(0);
  const parts = await rows(page).evaluateAll((all) =>
    all.map((row) => (row.querySelector(".op.theirs")?.textContent ?? "") + row.querySelector(".command")?.textContent),
  );
  expect(parts.join("")).toBe(command);
  // each of them one line, no more
  const heights = await rows(page).evaluateAll((all) => all.map((row) => Math.round(row.querySelector(".command")?.getBoundingClientRect().height ?? 0)));
  expect(new Set(heights).size, String(heights)).toBe(1);
  await button(form(page), "Allow once").click();
  await expect(form(page)).toHaveCount(0);
  expect(answersOf(page)).toMatchObject([{ decision: "allow" }]);
});

test("what stands inside a loop has rows of its own, and the mark is where it is earned", async ({ page, server }) => {
  const command = 'echo start && for f in build/*; do rm -rf "$f"; done; ls | while read f; do echo "$f"; done';
  const id = await server.startSession(`run: ${command}`);
  await open(page, server.page(id));
  const marked = rows(page).filter({ has: page.getByRole("listitem") });
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText('rm -rf "$f"');
  await expect(marked).not.toContainText("echo start");
  const parts = await rows(page).evaluateAll((all) =>
    all.map((row) => (row.querySelector(".op.theirs")?.textContent ?? "") + row.querySelector(".command")?.textContent),
  );
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.join("")).toBe(command);
});

test("a command that does not parse says so", async ({ page, server }) => {
  const id = await server.startSession('run: echo "never closed');
  await open(page, server.page(id));
  await expect(form(page)).toContainText("This command does not parse");
  await expect(form(page)).toContainText('echo "never closed');
});

test("hidden characters are still chips, and still have to be seen", async ({ page, server }) => {
  const id = await server.startSession("run: echo a\u200bb && ls");
  await open(page, server.page(id));
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(0).locator(".chip")).toHaveText("U+200B");
  await isReady(page);
  await expect(button(form(page), "Allow once")).toBeDisabled();
  await form(page).getByRole("checkbox", { name: "I have seen the hidden characters" }).check();
  await expect(button(form(page), "Allow once")).toBeEnabled();
});

test("a card the server could not look into shows the request as it is, and says that nothing is marked", async ({ page, server, guard }) => {
  guard.expected.push(/status of 500/);
  await page.route("**/api/insight", (route) => route.fulfill({ status: 500, json: { code: "internal", message: "No." } }));
  const id = await server.startSession("run: rm -rf build");
  await open(page, server.page(id));
  await isReady(page);
  await expect(form(page).locator(".command")).toHaveText("rm -rf build");
  await expect(rows(page)).toHaveCount(0);
  await expect(form(page)).toContainText("nothing is marked. Read it with care. No.");
  await expect(button(form(page), "Allow once")).toBeEnabled();
});

test("an edit has the lines of the file, side by side on request, and says when it no longer fits", async ({ page, server }) => {
  const before = Array.from({ length: 40 }, (_, line) => `line ${line + 1}`).join("\n");
  write(server, "countersign-demo.md", `${before}\nMood: curious\n`);
  const id = await server.startSession("edit a file");
  await open(page, server.page(id));
  await expect(form(page).locator(".stat")).toHaveText("+1 −1");
  await expect(lines(page).filter({ hasText: "removed: Mood: curious" }).locator(".n.old")).toHaveText("41");
  await expect(lines(page).filter({ hasText: "added: " }).locator(".n").nth(1)).toHaveText("41");
  await expect(lines(page).filter({ hasText: "line 2" })).toHaveCount(0);
  await button(form(page), "Show 37 unchanged lines").click();
  await expect(lines(page).filter({ hasText: "line 25" })).toHaveCount(1);
  await button(form(page), "Side by side").click();
  await expect(form(page).locator(".diff .pair").filter({ hasText: "curious" })).toContainText("content");

  write(server, "countersign-demo.md", "Something else.\n");
  await page.reload();
  await expect(form(page)).toContainText("The text to replace is not in the file.");
});

test("a file that changes while its card waits is shown as it is now before it is replaced", async ({ page, server }) => {
  const id = await server.startSession("write note.txt: new");
  await open(page, server.page(id));
  await expect(form(page)).toContainText("New file.");
  write(server, "note.txt", "precious work\n");
  await button(form(page), "Allow once").click();
  await expect(form(page).getByRole("alert")).toContainText("The file has changed since this was shown.");
  await expect(lines(page).filter({ hasText: "removed: precious work" })).toHaveCount(1);
  await expect(button(form(page), "Allow once")).toBeEnabled();
  expect(server.file("note.txt")).toBe("precious work\n");
  expect(await server.pending(id)).toHaveLength(1);
});

test("side by side, each column has the numbers of its own side", async ({ page, server }) => {
  write(server, "note.txt", "first\nsecond\n");
  const id = await server.startSession("write note.txt: new\nfirst\nsecond");
  await open(page, server.page(id));
  await button(form(page), "Side by side").click();
  const pair = form(page).locator(".diff .pair").filter({ hasText: "first" });
  await expect(pair.locator(".n:not(.sign)")).toHaveText(["1", "2"]);
});

test("side by side in a page that becomes narrow: one above the other, and what is the same once", async ({ page, server }) => {
  write(server, "note.txt", "same\nbefore\n");
  const id = await server.startSession("write note.txt: same\nafter");
  await open(page, server.page(id));
  await button(form(page), "Side by side").click();
  const seen = (words) => form(page).locator(".diff .t").filter({ hasText: words, visible: true });
  await expect(seen("same")).toHaveCount(2);
  await page.setViewportSize({ width: 390, height: 740 });
  await expect(seen("same")).toHaveCount(1);
  for (const words of ["before", "after"]) await expect(seen(words)).toHaveCount(1);
});

test("a new file is all new, and what is written is what was shown", async ({ page, server }) => {
  const id = await server.startSession("write note.txt: hello");
  await open(page, server.page(id));
  await expect(form(page)).toContainText("New file.");
  await expect(form(page).locator(".stat")).toHaveText("+1 −0");
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("is written");
  await expect.poll(() => server.file("note.txt")).toBe("hello");
});

test("an edited command is marked again, before it is allowed", async ({ page, server }) => {
  const id = await server.startSession("run: echo hello > note.txt");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Edit").click();
  const editor = form(page).getByRole("textbox", { name: "Edited command" });
  const edited = form(page).getByRole("group", { name: "Your edit" });
  await editor.fill("echo hello > note.txt && sudo rm -rf /tmp/x");
  await expect(edited).toContainText("Danger: Runs as root");
  await editor.fill("echo hello > note.txt && ls");
  await expect(edited).not.toContainText("Danger");
});

test("opening the editor loses no mark, and what was just typed is allowed only when it was looked at", async ({ page, server }) => {
  const id = await server.startSession("run: rm -rf build && echo built > note.txt");
  await open(page, server.page(id));
  await isReady(page);
  await expect(form(page)).toContainText("Deletes recursively");
  await button(form(page), "Edit").click();
  const edited = form(page).getByRole("group", { name: "Your edit" });
  await expect(edited).toContainText("Deletes recursively");
  // the server takes its time
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route("**/api/insight", async (route) => {
    await held;
    await route.continue();
  });
  const editor = form(page).getByRole("textbox", { name: "Edited command" });
  await editor.fill("sudo echo built > note.txt");
  await expect(edited).toContainText("Looking at what you changed");
  await expect(button(form(page), "Allow once, edited")).toBeDisabled();
  await editor.press("Control+Enter");
  expect(await server.pending(id)).toHaveLength(1);
  letGo();
  await expect(edited).toContainText("Danger: Runs as root");
  await expect(form(page)).toContainText("Not sent yet: this is what your version does");
  await expect(button(form(page), "Allow once, edited")).toBeEnabled();
  await editor.fill("echo built > note.txt");
  await expect(edited).toContainText("echo built > note.txt");
  await expect(edited).not.toContainText("Danger");
  await expect(form(page)).not.toContainText("Not sent yet");
  await editor.press("Control+Enter");
  await expect.poll(() => server.file("note.txt")).toBe("built\n");
});

test("an edited change of a file is compared with the file again", async ({ page, server }) => {
  const id = await server.startSession("write note.txt: one");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Edit").click();
  const edited = form(page).getByRole("group", { name: "Your edit" });
  await expect(edited.locator(".stat")).toHaveText("+1 −0");
  await form(page).getByRole("textbox", { name: "Edited content" }).fill("one\ntwo\nthree\n");
  await expect(edited.locator(".stat")).toHaveText("+3 −0");
  await expect(edited).toContainText("three");
  await button(form(page), "Allow once, edited").click();
  await expect.poll(() => server.file("note.txt")).toBe("one\ntwo\nthree\n");
});

test("the request of a subagent carries its name and its colour", async ({ page, server }) => {
  const id = await server.startSession("two subagents");
  await open(page, server.page(id));
  await isReady(page);
  await expect(form(page).locator("header .subagent-chip")).toHaveClass(/\bagent-\d\b/);
  await expect(form(page).locator("header .subagent-chip")).not.toBeEmpty();
});
