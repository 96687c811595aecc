// The inbox worked off by keys alone, and no key too many answers what was not looked at.
const { test, expect, form, button, reason, askInTurn } = require("../support.js");

const rows = (page) => page.getByRole("main").getByRole("listitem").filter({ has: form(page) });

/** Requests in this order, each long enough there to take an answer. */
async function ask(page, server, ...prompts) {
  const ids = await askInTurn(server, ...prompts);
  await expect(form(page)).toHaveCount(prompts.length);
  for (const card of await form(page).all()) await expect(card).not.toHaveClass(/\bfresh\b/);
  return ids;
}

test("after an answer the next request is at hand, and j and a go on with it until nothing waits", async ({ page, server }) => {
  const names = ["one", "two", "three"];
  await ask(page, server, ...names.map((name) => `run: echo ${name} > ${name}.txt`));
  for (const [index, name] of names.entries()) {
    await page.keyboard.press("j");
    await expect(form(page).first()).toBeFocused();
    await expect(form(page).first()).toContainText(`${name}.txt`);
    await page.keyboard.press("a");
    await expect(form(page)).toHaveCount(names.length - index - 1);
    await expect.poll(() => server.file(`${name}.txt`)).toBe(`${name}\n`);
    if (index < names.length - 1) await expect(rows(page).first()).toBeFocused();
  }
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
});

test("a key pressed once too often answers nothing: the next request is entered first", async ({ page, server }) => {
  const [, second] = await ask(page, server, "run: echo one > one.txt", "run: echo two > two.txt");
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(1);
  await expect(rows(page).first()).toBeFocused();
  for (const key of ["a", "Enter", "d", "y", "Escape"]) await page.keyboard.press(key);
  await expect(rows(page).first()).toBeFocused();
  await expect(form(page).getByRole("textbox")).toHaveCount(0);
  await page.keyboard.press("j");
  await expect(form(page)).toBeFocused();
  expect(await server.pending(second)).toHaveLength(1);
  expect(server.file("two.txt")).toBeUndefined();
});

test("every kind of request is answered where it stands, by keys", async ({ page, server }) => {
  const ids = await ask(page, server, "run: echo one > one.txt", "ask a question", "run: echo two > two.txt");
  await page.keyboard.press("j");
  await page.keyboard.press("d");
  await expect(reason(page)).toBeFocused();
  await page.keyboard.type("a bit later, k?");
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(2);
  await expect(rows(page).nth(0)).toBeFocused();

  await page.keyboard.press("j");
  await expect(form(page).nth(0)).toBeFocused();
  await page.keyboard.press("2");
  await expect(form(page).nth(0).getByRole("radio", { name: "Curved" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(1);
  await expect(rows(page).nth(0)).toBeFocused();

  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(0);
  await expect.poll(() => server.file("two.txt")).toBe("two\n");
  expect(server.file("one.txt")).toBeUndefined();
  for (const id of ids) expect(await server.pending(id)).toEqual([]);
});

test("after the last of the list the one before it is at hand", async ({ page, server }) => {
  await ask(page, server, "run: echo one > one.txt", "run: echo two > two.txt");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(form(page).nth(1)).toBeFocused();
  await page.keyboard.press("a");
  await expect(form(page)).toHaveCount(1);
  await expect(rows(page)).toBeFocused();
  await expect(rows(page)).toContainText("one.txt");
  await page.keyboard.press("j");
  await expect(form(page)).toBeFocused();
  await expect(button(form(page), "Allow once")).toBeEnabled();
});
