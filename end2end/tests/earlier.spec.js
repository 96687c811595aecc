// /resume offers the earlier conversations of the project, to be chosen with the keyboard alone.
const { test, expect, open, message, transcript, sidebar, button } = require("../support.js");

const dialog = (page) => page.getByRole("dialog", { name: "New session" });
const first = (page) => dialog(page).getByRole("textbox", { name: "First message" });
const kept = (page) => dialog(page).locator(".kept");

/** A conversation that is no session. */
async function earlier(server, prompt) {
  const id = await server.startSession(prompt);
  const state = async () => (await server.api("list_processes")).find((one) => one.session_id === id)?.state;
  await expect.poll(state).toBe("user_turn");
  await server.api("archive_session", { session_id: id });
  await server.api("delete_session", { session_id: id });
}

for (const typed of ["/resume", "/continue"])
  test(`${typed} in a session: an earlier conversation of its project is chosen and opened by keys`, async ({ page, server }) => {
    await earlier(server, "help");
    await earlier(server, "hello");
    const here = await server.startSession("help");
    await open(page, server.page(here));
    await message(page).fill(typed);
    await page.keyboard.press("Enter");
    await expect(kept(page)).toHaveCount(2);
    await expect(kept(page).first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(kept(page).nth(1)).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page).not.toHaveURL(server.page(here));
    await expect(dialog(page)).toBeHidden();
    await expect(transcript(page)).toContainText("Up to here it was held elsewhere.");
    await expect(message(page)).toHaveValue("");
  });

test("where there is none, it says so, and the first message has the focus", async ({ page, server }) => {
  const here = await server.startSession("help");
  await open(page, server.page(here));
  await message(page).fill("/resume");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByText("This project has no earlier conversation but its sessions")).toBeVisible();
  await expect(first(page)).toBeFocused();
});

test("in the dialog /plan and /resume are offered, and /resume opens the list there", async ({ page, server }) => {
  await earlier(server, "help");
  await open(page, server.origin);
  await button(sidebar(page), "New session").click();
  await first(page).pressSequentially("/pl");
  const options = dialog(page).getByRole("option");
  await expect(options.filter({ hasText: "/plan" })).toBeVisible();
  await first(page).fill("");
  await first(page).pressSequentially("/resu");
  await expect(options.filter({ hasText: "/resume" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(first(page)).toHaveValue("/resume ");
  await page.keyboard.press("Enter");
  await expect(kept(page).first()).toBeFocused();
  await expect(first(page)).toHaveValue("");
});

test("in the dialog /resume wants a project that is listed, and the list is there when one is chosen", async ({ page, server }) => {
  await earlier(server, "help");
  await open(page, server.origin);
  await button(sidebar(page), "New session").click();
  await expect(kept(page)).toHaveCount(1);
  const project = dialog(page).getByRole("combobox", { name: "Project" });
  const listed = await project.inputValue();
  await project.selectOption("Another directory…");
  await first(page).fill("/resume");
  await first(page).press("Enter");
  await expect(dialog(page).getByRole("alert")).toContainText("Choose a project first");
  await expect(first(page)).toHaveValue("/resume");
  await expect(first(page)).toBeFocused();
  await project.selectOption(listed);
  await expect(dialog(page).getByRole("alert")).toBeHidden();
  await first(page).press("Enter");
  await expect(kept(page).first()).toBeFocused();
});
