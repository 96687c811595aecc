// The inbox worked off by keys alone, and no key too many answers what was not looked at.
const { test, expect, form, button, reason, askInTurn } = require("../support.js");

/** Requests in this order, each long enough there to take an answer. */
async function ask(page, server, ...prompts) {
  const ids = await askInTurn(server, ...prompts);
  await expect(form(page)).toHaveCount(prompts.length);
  for (const card of await form(page).all()) await expect(card).not.toHaveClass(/\bfresh\b/);
  return ids;
}

/** The card that has the focus takes an answer again. */
async function isAtHand(card) {
  await expect(card).toBeFocused();
  await expect(card).not.toHaveClass(/\bfresh\b/);
}

test("after an answer the next request is at hand: one key after the other, until nothing waits", async ({ inbox: page, server }) => {
  const names = ["one", "two", "three"];
  await ask(page, server, ...names.map((name) => `run: echo ${name} > ${name}.txt`));
  await page.keyboard.press("j");
  for (const [index, name] of names.entries()) {
    await isAtHand(form(page).first());
    await expect(form(page).first()).toContainText(`${name}.txt`);
    await page.keyboard.press("a");
    await expect(form(page)).toHaveCount(names.length - index - 1);
    await expect.poll(() => server.file(`${name}.txt`)).toBe(`${name}\n`);
  }
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
});

test("a key or a click too many answers nothing: the requests that move up take none for 400 ms", async ({ inbox: page, server }) => {
  const [, second] = await ask(page, server, "run: echo one > one.txt", "run: echo two > two.txt");
  await page.evaluate(() => {
    // the very moment the first is gone: every click and key a hurried person could send the one in its place
    new MutationObserver(() => {
      const cards = document.querySelectorAll('form[aria-label="Pending request"]');
      if (cards.length !== 1) return;
      const [card] = cards;
      if (!window.movedAt) {
        window.movedAt = performance.now();
        for (const pressed of card.querySelectorAll("button")) pressed.click();
        for (const key of ["a", "Enter", "d", "y", "Escape"]) card.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
      const allow = [...card.querySelectorAll("button")].find((button) => button.textContent.startsWith("Allow once"));
      if (allow && !allow.disabled) window.readyAt ??= performance.now();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(1);
  await isAtHand(form(page));
  expect(await page.evaluate(() => window.readyAt - window.movedAt)).toBeGreaterThanOrEqual(399);
  await expect(form(page).getByRole("textbox")).toHaveCount(0);
  expect(await server.pending(second)).toHaveLength(1);
  expect(server.file("two.txt")).toBeUndefined();
});

test("every kind of request is answered where it stands, by keys", async ({ inbox: page, server }) => {
  const ids = await ask(page, server, "run: echo one > one.txt", "ask a question", "run: echo two > two.txt");
  await page.keyboard.press("j");
  await page.keyboard.press("d");
  await expect(reason(page)).toBeFocused();
  await page.keyboard.type("a bit later, k?");
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(2);
  await isAtHand(form(page).nth(0));
  await page.keyboard.press("2");
  await expect(form(page).nth(0).getByRole("radio", { name: "Curved" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(1);
  await isAtHand(form(page));
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("two.txt")).toBe("two\n");
  expect(server.file("one.txt")).toBeUndefined();
  for (const id of ids) expect(await server.pending(id)).toEqual([]);
});

test("what is put off makes room: the next request is at hand", async ({ inbox: page, server }) => {
  await ask(page, server, "run: echo one > one.txt", "run: echo two > two.txt");
  const first = page.locator(".inbox-row").first();
  await button(first, "Not now").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".inbox-row").nth(1)).toContainText("later");
  await isAtHand(form(page).filter({ visible: true }));
  await page.keyboard.press("a");
  await expect.poll(() => server.file("two.txt")).toBe("two\n");
  expect(server.file("one.txt")).toBeUndefined();
});

test("after the last of the list the one before it is at hand", async ({ inbox: page, server }) => {
  await ask(page, server, "run: echo one > one.txt", "run: echo two > two.txt");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(form(page).nth(1)).toBeFocused();
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(1);
  await isAtHand(form(page));
  await expect(form(page)).toContainText("one.txt");
  await expect(button(form(page), "Allow once")).toBeEnabled();
});

test("who opens a session to answer finds its card at hand", async ({ inbox: page, server }) => {
  await ask(page, server, "run: echo one > one.txt");
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  await expect(page).toHaveURL(/\/session\//);
  await isAtHand(form(page));
  await page.keyboard.press("Enter");
  await expect.poll(() => server.file("one.txt")).toBe("one\n");
});
