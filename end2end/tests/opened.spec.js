// What opens on demand, a menu, a dialog, an editor, a box for words, has no fault that axe would find either.
const { test, expect, open, form, message, button, isReady } = require("../support.js");
const { complaints, SAME_NAMES } = require("../axe.js");

// axe looks at every element, several times per test
test.describe.configure({ timeout: 120_000 });

const summary = (page, name) => page.locator("summary").and(page.getByLabel(name, { exact: true }));

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`${colorScheme}: the menu with the policies has no fault`, async ({ page, server }) => {
      const id = await server.startSession("run a command");
      await open(page, server.page(id));
      await button(form(page), "Allow once").click();
      await expect(message(page)).toBeVisible();
      await summary(page, "More").click();
      await button(page, "Policies").click();
      await expect(page.getByRole("group", { name: "Policies of this session" }).getByRole("combobox")).toHaveCount(4);
      expect(await complaints(page), "as in the settings").toEqual([]);
      await page.getByRole("combobox", { name: "Time limit" }).selectOption("5 minutes");
      await expect.poll(async () => (await server.api("policies", { session_id: id })).own.timeout_seconds).toBe(300);
      await expect(page.getByRole("combobox", { name: "Time limit" })).toBeEnabled();
      expect(await complaints(page), "with a limit of its own").toEqual([]);
      await button(page, "End process").click();
      await expect(button(page, "End it")).toBeVisible();
      expect(await complaints(page), "the end of the process, asked back").toEqual([]);
    });

    test(`${colorScheme}: the bell's menu has no fault`, async ({ inbox: page }) => {
      await summary(page, "Attention").click();
      await expect(page.getByRole("slider", { name: "Volume" })).toBeDisabled();
      expect(await complaints(page), "all off").toEqual([]);
      await page.getByRole("checkbox", { name: "Sound" }).check();
      await expect(page.getByRole("slider", { name: "Volume" })).toBeEnabled();
      expect(await complaints(page), "with sound").toEqual([]);
      await page.getByRole("checkbox", { name: "Desktop notifications" }).click();
      await expect(page.getByText("The browser does not allow notifications here.")).toBeVisible();
      expect(await complaints(page), "refused by the browser").toEqual([]);
    });

    test(`${colorScheme}: the dialog that answers several at once has no fault, before and after`, async ({ inbox: page, server }) => {
      const gone = await server.startSession("run: echo one > one.txt");
      await server.startSession("run: echo two > two.txt && rm -rf gone");
      await expect(form(page)).toHaveCount(2);
      for (const pick of await page.getByRole("checkbox", { name: "Select, to answer several at once" }).all()) await pick.check();
      await button(page, "Review and answer").click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByRole("row")).toHaveCount(3);
      await expect(dialog).toContainText("Deletes recursively");
      // what has just appeared takes no answer, and looks so
      await expect(dialog.getByRole("button", { name: /^Deny all/ })).toBeEnabled();
      await expect(dialog.getByRole("button", { name: /^Deny all/ })).toHaveCSS("opacity", "1");
      expect(await complaints(page, SAME_NAMES), "the table").toEqual([]);
      await server.api("kill", { session_id: gone });
      await expect(dialog.getByRole("status").filter({ hasText: "No longer waits" })).toHaveCount(1);
      expect(await complaints(page, SAME_NAMES), "with one that is over").toEqual([]);
    });

    test(`${colorScheme}: a card has no fault while its input is edited, nor with an edit that cannot be used`, async ({ page, server }) => {
      for (const [prompt, editor, text] of [
        ["run: echo hello", "Edited command", "echo hello && sudo rm -rf /tmp/x"],
        ["three things", "Edited input", "{"],
      ]) {
        const id = await server.startSession(prompt);
        await open(page, server.page(id));
        await isReady(page);
        await button(form(page), "Edit").click();
        const area = form(page).getByRole("textbox", { name: editor });
        await expect(area).toBeFocused();
        expect(await complaints(page), `${prompt}: as it was asked`).toEqual([]);
        await area.fill(text);
        if (text === "{") await expect(area).toHaveAttribute("aria-invalid", "true");
        else await expect(form(page).getByRole("group", { name: "Your edit" })).toContainText("Danger: Runs as root");
        expect(await complaints(page), `${prompt}: edited`).toEqual([]);
      }
    });

    test(`${colorScheme}: the boxes for a note, a reason and feedback have no fault, empty and filled`, async ({ page, server }) => {
      for (const [prompt, opener, label] of [
        ["run: echo hello", "Allow with a note", "Note"],
        ["run: echo hello", "Deny", "Reason"],
        ["make a plan", "Keep planning", "Feedback"],
      ]) {
        const id = await server.startSession(prompt);
        await open(page, server.page(id));
        await isReady(page);
        await button(form(page), opener).click();
        const box = form(page).getByRole("textbox", { name: label });
        await expect(box).toBeFocused();
        expect(await complaints(page), `${label}, empty`).toEqual([]);
        await box.fill("A few words");
        expect(await complaints(page), `${label}, filled`).toEqual([]);
      }
    });
  });
}
