// Who asks the system for less motion gets a page on which nothing moves.
const { test, expect, open, form, inboxLink, button, sidebar, isReady } = require("../support.js");

/** Whatever begins to move is written down, also what is over before one looks. */
const watch = (context) =>
  context.addInitScript(() => {
    const moved = [];
    Object.assign(window, { moved });
    const name = (event) => `${event.type} ${event.animationName ?? event.propertyName} of ${event.target.className}`;
    for (const kind of ["animationstart", "transitionrun"]) addEventListener(kind, (event) => moved.push(name(event)), true);
  });

/** All that has moved since the page was opened, and what moves now. */
const motion = (page) =>
  page.evaluate(() => {
    const running = document.getAnimations().map((animation) => /** @type {any} */ (animation).animationName ?? "a transition");
    return [...new Set([...running, .../** @type {any} */ (window).moved])];
  });

/** Through all that appears, opens and changes. After each step `look` sees the page. */
async function walk(page, server, look) {
  const id = await server.startSession("three things");
  await server.startSession("ask a question");
  await expect(form(page)).toHaveCount(4);
  await look("the inbox, as requests come in");
  await page.getByRole("checkbox", { name: "Select, to answer several at once" }).first().check();
  await expect(button(page, "Review and answer")).toBeVisible();
  await look("the inbox, with one picked");
  await button(page, "Review and answer").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look("the dialog that answers several at once");
  await button(page.getByRole("dialog"), "Back").click();
  await open(page, server.page(id));
  await isReady(page);
  await look("a session that waits");
  await button(form(page), "Next request").hover();
  await button(form(page), "Next request").click();
  await button(form(page), "Deny").click();
  await look("the next card, with its reason box");
  await inboxLink(page).click();
  await expect(form(page)).toHaveCount(4);
  await look("the inbox again");
  await sidebar(page).getByRole("link", { name: /waiting for you/ }).first().click();
  await isReady(page);
  await look("a session again");
}

test.describe("with less motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves in a session that waits, nor in the inbox", async ({ page, context, server }) => {
    await watch(context);
    await open(page, server.origin);
    await walk(page, server, async (where) => expect(await motion(page), where).toEqual([]));
  });
});

test("without that wish there is motion to be seen by the same eyes", async ({ page, context, server }) => {
  await watch(context);
  await open(page, server.origin);
  const seen = [];
  await walk(page, server, async () => seen.push((await motion(page)).length));
  expect(Math.min(...seen), "motion at every step").toBeGreaterThan(0);
});
