// Who gets in, and what agents write: it is shown, it never runs.
const { test, expect, open, isLive, form, transcript, sidebar, inboxLink, button, say } = require("../support.js");
const { execFileSync } = require("node:child_process");
const path = require("node:path");

test("without a login every page leads to the login, and nothing is told", async ({ browser, server }) => {
  const id = await server.startSession("run: echo a-secret-command");
  await expect.poll(() => server.pending(id)).toHaveLength(1);
  const stranger = await (await browser.newContext()).newPage();
  for (const address of [server.origin, server.page(id), `${server.origin}/history`, `${server.origin}/no-such-page`]) {
    await stranger.goto(address);
    await expect(stranger).toHaveURL(/\/login$/);
    await expect(stranger.getByRole("textbox", { name: "Login code" })).toBeVisible();
    expect(await stranger.content()).not.toContain("a-secret-command");
  }
  for (const address of [`${server.origin}/ws`, `${server.origin}/api/list_sessions`]) {
    const response = await fetch(address, { method: address.endsWith("/ws") ? "GET" : "POST" });
    expect(response.status).toBe(401);
  }
  await stranger.context().close();
});

test("the printed link logs in once and leaves no code behind; used again, it says so", async ({ browser, server }) => {
  const [first, second] = [await (await browser.newContext()).newPage(), await (await browser.newContext()).newPage()];
  await first.goto(server.link);
  await isLive(first);
  await expect(first).toHaveURL(`${server.origin}/`);
  await second.goto(server.link);
  await expect(second).toHaveURL(`${server.origin}/login?error=used`);
  await expect(second.getByRole("alert")).toHaveText(/already used: each works once/);
  // the first one is still in
  await first.reload();
  await isLive(first);
  for (const page of [first, second]) await page.context().close();
});

test("the login needs no program: the printed link is through before it is loaded", async ({ browser, server }) => {
  const page = await (await browser.newContext()).newPage();
  /** @type {{ from: string, address: string }[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push({ from: new URL(request.headers().referer ?? server.origin).pathname, address: new URL(request.url()).pathname }));
  await page.goto(server.link);
  await isLive(page);
  expect(loaded.map(({ address }) => address)).toContain("/login");
  const programs = loaded.filter(({ address }) => address.endsWith(".wasm"));
  expect(programs, "once, by the page that follows").toHaveLength(1);
  expect(programs[0].from).toBe("/");
  // neither the address bar nor a way back has the code
  await page.goBack();
  expect(page.url()).not.toContain("code=");
  await page.context().close();
});

test("a wrong code is refused in words, the right one typed by hand is taken, also without script", async ({ browser, server }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(server.origin);
  await page.getByRole("textbox", { name: "Login code" }).fill("guess");
  await button(page, "Log in").click();
  await expect(page.getByRole("alert")).toHaveText(/login code is not known/);
  await page.getByRole("textbox", { name: "Login code" }).fill(server.link);
  await button(page, "Log in").click();
  await expect(page).toHaveURL(`${server.origin}/plain`);
  await expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible();
  await page.context().close();
});

test("a second link can be had from the running server", async ({ inbox: page, browser, server }) => {
  const binary = String(process.env.COUNTERSIGN_BIN);
  const link = execFileSync(binary, ["login-link", "--data-dir", path.join(server.root, "data")], { encoding: "utf8" }).trim();
  expect(link).not.toBe(server.link);
  const phone = await (await browser.newContext()).newPage();
  await phone.goto(link);
  await isLive(phone);
  await page.reload();
  await isLive(page);
  await phone.context().close();
});

const HOSTILE = `echo '<img src=x onerror="window.ran=1"><script>window.ran=2</script>' # [go](javascript:window.ran=3)`;

test("a hostile command is shown as the text it is, before, during and after", async ({ inbox: page, server }) => {
  const id = await server.startSession(`run: ${HOSTILE}`);
  await expect(form(page)).toContainText(HOSTILE); // the inbox
  await open(page, server.page(id));
  await expect(form(page)).toContainText(HOSTILE);
  await expect(transcript(page)).toContainText(HOSTILE); // the person's own message
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText(`<img src=x onerror="window.ran=1"><script>window.ran=2</script>`);
  await page.reload();
  await isLive(page);
  expect(await page.evaluate(() => window.ran)).toBeUndefined();
  await expect(page.locator("img, script:not([nonce]), iframe, a[href^='javascript:']")).toHaveCount(0);
});

test("hostile text in a file, a reason and a message stays text, as markdown too", async ({ page, server }) => {
  const hostile = `<svg onload=window.ran=1> <iframe src=javascript:window.ran=2> [x](javascript:window.ran=3) ![y](http://127.0.0.1:1/z.png)`;
  const id = await server.startSession(`write evil.md: ${hostile}`);
  await open(page, server.page(id));
  await expect(form(page)).toContainText(hostile);
  await button(form(page), "Deny").click();
  await form(page).getByRole("textbox", { name: "Reason" }).fill(hostile);
  await button(form(page), "Deny").click();
  await expect(transcript(page)).toContainText("Understood, I did not write the file.");
  await expect(transcript(page).getByRole("blockquote")).toContainText("<svg onload=window.ran=1>");
  await say(page, `edit, ${hostile}`);
  await expect(form(page)).toBeVisible();
  expect(await page.evaluate(() => window.ran)).toBeUndefined();
  await expect(page.locator("img, iframe, svg[onload], a[href^='javascript:']")).toHaveCount(0);
});

test("a hostile title does no harm in the sidebar, the tab and the inbox", async ({ inbox: page, server }) => {
  const title = `</title><script>window.ran=1</script>`;
  const id = await server.startSession(`${title} run a command`);
  await expect(form(page)).toBeVisible();
  await open(page, server.page(id));
  await expect(sidebar(page).getByRole("link", { name: title })).toBeVisible();
  expect(await page.title()).toContain("window.ran=1");
  await page.reload();
  await isLive(page);
  expect(await page.evaluate(() => window.ran)).toBeUndefined();
});

test("characters that hide or reorder are named, and seen before the command is allowed", async ({ page, server }) => {
  const id = await server.startSession("run: echo safe\u202e txt.exe\u200b > odd.txt");
  await open(page, server.page(id));
  await expect(form(page).locator("pre")).toContainText("U+202E");
  await expect(form(page).locator("pre")).toContainText("U+200B");
  expect(await form(page).innerText()).not.toMatch(/[\u202e\u200b]/);
  const allow = button(form(page), "Allow once");
  await expect(button(form(page), "Deny")).toBeEnabled();
  await expect(allow).toBeDisabled();
  // by key neither
  await form(page).focus();
  await page.keyboard.press("Enter");
  expect(await server.pending(id)).toHaveLength(1);
  await form(page).getByRole("checkbox", { name: "I have seen the hidden characters" }).check();
  await allow.click();
  await expect(transcript(page)).toContainText("Done. The command ran once, as you allowed.");
  expect(server.file("odd.txt")).toContain("safe");
  await expect(inboxLink(page)).toHaveAccessibleName("Inbox");
});
