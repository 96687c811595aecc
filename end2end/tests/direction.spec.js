// Letters that run from right to left: what is executed stands in its order all the same, what is only read as its language has it.
const { test, expect, open, form, sidebar, transcript, button, isReady } = require("../support.js");

/** In the order in which they act: what is thrown away, and what is written over. */
const COMMAND = 'echo حذف > قائمة && rm -r "ملف" 2 "مجلد"';
const FIRST = ["echo", "حذف", ">", "قائمة"];
const SECOND = ["rm", "-r", "ملف", "2", "مجلد"];

/** Where each of the words begins and ends, looked for one after the other. @param {import("@playwright/test").Locator} place @param {string[]} words */
const places = (place, words) =>
  place.evaluate((element, words) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let node = /** @type {Text | null} */ (walker.nextNode());
    let from = 0;
    return words.map((word) => {
      for (; node; node = /** @type {Text | null} */ (walker.nextNode()), from = 0) {
        const at = node.data.indexOf(word, from);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        from = at + word.length;
        const { left, right } = range.getBoundingClientRect();
        return { word, left, right };
      }
      throw new Error(`There is no ${word} in ${element.textContent}`);
    });
  }, words);

/** None begins before the one before it has ended. */
async function isInOrder(place, words) {
  const found = await places(place, words);
  for (const [index, one] of found.entries()) {
    if (index > 0) expect(one.left, `${one.word} behind ${found[index - 1].word}`).toBeGreaterThanOrEqual(found[index - 1].right - 0.5);
  }
}

test("a command stands in the order in which it acts, wherever it is shown", async ({ page, server, secondBrowser }) => {
  const id = await server.startSession(`run: ${COMMAND}`);
  await open(page, server.page(id));
  await isReady(page);
  const rows = form(page).locator(".command");
  await expect(rows).toHaveCount(2);
  await isInOrder(rows.nth(0), FIRST);
  await isInOrder(rows.nth(1), SECOND);
  await isInOrder(form(page).locator(".marks"), ["Deletes recursively", "ملف", "مجلد"]);
  await isInOrder(form(page).locator(".why", { hasText: "about this path" }), ["/", "قائمة"]);
  await isInOrder(transcript(page).locator("summary code"), [...FIRST, ...SECOND]);

  // letter for letter in the order of the text: not pretty, and not to be mistaken
  await button(form(page), "Edit").click();
  const box = form(page).getByRole("textbox", { name: "Edited command" });
  await expect(box).toHaveCSS("unicode-bidi", "bidi-override");
  await expect(box).toHaveCSS("direction", "ltr");
  await expect(box).toHaveValue(COMMAND);

  const plain = await secondBrowser({ javaScriptEnabled: false });
  await plain.goto(`${server.origin}/plain`);
  await isInOrder(form(plain).locator(".command").nth(0), FIRST);
  await isInOrder(form(plain).locator(".command").nth(1), SECOND);
});

test("what is moved stands before the place it is moved to", async ({ page, server }) => {
  const id = await server.startSession("run: mv אלף בית");
  await open(page, server.page(id));
  await isReady(page);
  await isInOrder(form(page).locator(".command"), ["mv", "אלף", "בית"]);
  await expect(form(page).locator(".command"), "and nothing else is in it").toHaveText("mv אלף בית");
  await page.goto(`${server.origin}/history`);
  await isInOrder(page.locator(".history-what code").first(), ["mv", "אלף", "בית"]);
});

test("of a title that begins at the right, the beginning is kept", async ({ page, server }) => {
  const title = "שלום עולם זה כותרת ארוכה מאוד שלא נכנסת בסרגל הצד של הדפדפן כלל וכלל לא";
  const id = await server.startSession(title);
  await open(page, server.page(id));
  const row = sidebar(page).locator(`a[href="/session/${id}"] .title`);
  await expect(row).toBeVisible();
  const box = await row.boundingBox();
  const [first, second] = await places(row, ["שלום", "עולם"]);
  for (const word of [first, second]) {
    expect(word.left).toBeGreaterThanOrEqual(box?.x ?? NaN);
    expect(word.right).toBeLessThanOrEqual((box?.x ?? NaN) + (box?.width ?? NaN) + 0.5);
  }
  expect(first.left, "and read as it is written").toBeGreaterThan(second.left);
});
