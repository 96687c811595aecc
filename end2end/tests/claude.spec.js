// Claude Code itself, steered by scripts that the demo agent has no words for.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect, open, form, message, transcript, sidebar, button, reason, isReady, say } = require("../support.js");

test("a command is allowed, another denied with a reason, and Claude Code goes on", async ({ page, server }) => {
  const id = await server.startSession("[[bash echo hello > made.txt]][[bash echo never > never.txt]]");
  await open(page, server.page(id));
  await expect(form(page)).toContainText("echo hello > made.txt");
  expect(server.file("made.txt")).toBeUndefined();
  await isReady(page);
  await button(form(page), "Allow once").click();

  await expect(form(page)).toContainText("echo never > never.txt");
  expect(server.file("made.txt")).toBe("hello\n");
  await isReady(page);
  await button(form(page), "Deny").click();
  await reason(page).fill("Not on a Friday.");
  await button(form(page), "Deny").click();

  await expect(transcript(page)).toContainText("Done. I was told: Not on a Friday.");
  await expect(transcript(page)).toContainText("Allowed once · by you");
  await expect(transcript(page)).toContainText("Denied · by you · “Not on a Friday.”");
  await expect(message(page)).toBeVisible();
  expect(server.file("never.txt")).toBeUndefined();
});

test("four questions are answered, and Claude Code reads the answers", async ({ page, server }) => {
  const id = await server.startSession("[[ask four]]");
  await open(page, server.page(id));
  await isReady(page);
  const group = (/** @type {string} */ name) => form(page).getByRole("group", { name });
  await group("Which colour?").getByRole("radio", { name: "Blue" }).check();
  await group("Which sizes?").getByRole("checkbox", { name: "S", exact: true }).check();
  await group("Which sizes?").getByRole("checkbox", { name: "L", exact: true }).check();
  await group("Which name?").getByRole("textbox", { name: "Other" }).fill("Lin");
  await group("Which day?").getByRole("radio", { name: "Friday" }).check();
  await button(form(page), "Submit answers").click();
  for (const answer of ['"Which colour?"="Blue"', '"Which sizes?"="S, L"', '"Which name?"="Lin"', '"Which day?"="Friday"']) {
    await expect(transcript(page)).toContainText(answer);
  }
});

test("a plan is approved, and Claude Code works on it without asking for edits", async ({ page, server }) => {
  const file = `${server.project}/planned.txt`;
  const id = await server.startSession("[[plan Write a file.]]", { permission_mode: "plan" });
  await open(page, server.page(id));
  await expect(form(page)).toContainText("Write a file.");
  await isReady(page);
  await form(page).getByRole("combobox", { name: "After approval" }).selectOption("acceptEdits");
  await button(form(page), "Approve plan").click();
  await expect(transcript(page)).toContainText("Plan approved · by you");
  await expect(message(page)).toBeVisible();
  await say(page, `[[write ${file} As planned.]]`);
  await expect(transcript(page)).toContainText("Done. I was told: File created");
  expect(server.file("planned.txt")).toBe("As planned.");
});

test("a command that takes long goes on in the background, and is stopped there", async ({ page, server }) => {
  const id = await server.startSession("[[bash while :; do echo on >> ticks.txt; sleep 0.2; done]][[say Meanwhile.]]");
  await open(page, server.page(id));
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect.poll(() => server.file("ticks.txt")).toContain("on");
  await button(transcript(page), "Let it go on in the background").click();
  await expect(transcript(page)).toContainText("Goes on in the background");
  await expect(message(page)).toBeVisible();
  await button(transcript(page), "Stop it").click();
  await expect(transcript(page)).not.toContainText("Goes on in the background");
});

test("a subagent whose request waits for a person does not take long", async ({ page, server }) => {
  const id = await server.startSession("[[agent Helper: <<bash touch one.txt>><<bash until [ -e go.txt ]; do sleep 0.1; done; touch two.txt>>]]");
  await open(page, server.page(id));
  await isReady(page);
  const call = transcript(page).locator(".call").first();
  await expect(call.locator(".elapsed").first()).toHaveText(/^([6-9]|\d\d) s$/);
  await expect(transcript(page)).not.toContainText("Takes long");
  await button(form(page), "Allow once").click();
  await expect(form(page)).toContainText("two.txt");
  await isReady(page);
  await button(form(page), "Allow once").click();
  await expect(transcript(page), "now it is the agent").toContainText("Takes long");
  fs.writeFileSync(`${server.project}/go.txt`, "");
  await expect.poll(() => server.file("two.txt")).toBe("");
});

test("text appears while it is written, and a stop ends it", async ({ page, server, api }) => {
  const id = await server.startSession("[[say The first half.]]+[[hold more]]+[[say The second half.]]");
  await open(page, server.page(id));
  // the prompt holds these words, too, but not alone
  const said = (/** @type {string} */ words) => transcript(page).getByText(words, { exact: true });
  await expect(said("The first half.")).toBeVisible();
  await expect(said("The second half.")).toHaveCount(0);
  await api.release("more");
  await expect(said("The second half.")).toBeVisible();

  await say(page, "[[read /etc/hostname]]+[[read /etc/hosts]]");
  await expect(form(page).first()).toContainText("/etc/hostname");
  await expect(sidebar(page).getByRole("link", { name: /waiting for you/ })).toBeVisible();
  await button(page, "Stop").click();
  await expect(form(page)).toHaveCount(0);
  await expect(message(page)).toBeVisible();
  await say(page, "[[say And on.]]");
  await expect(said("And on.")).toBeVisible();
});

test("a file outside the project is marked, and was not read", async ({ page, server }) => {
  const id = await server.startSession("write ../secret.txt: mine");
  await open(page, server.page(id));
  await expect(form(page).locator(".file")).toContainText("outside the project");
  await expect(form(page)).toContainText("the file was not read");
});

test.describe("without a login", () => {
  test.use({ how: { login: false } });

  test("the page says what to do, and the message is sent again with one press", async ({ page, server }) => {
    const id = await server.startSession("help");
    await open(page, server.page(id));
    await expect(page.locator(".session-head .trouble")).toContainText('Run "claude" in a terminal on this machine and type /login');
    await button(transcript(page), "Try again").click();
    await expect(transcript(page).getByText("help", { exact: true })).toHaveCount(2);
  });
});

test("a folder that is not trusted is trusted from the notice, and its rules count at once", async ({ page, server }) => {
  const settings = path.join(server.project, ".claude", "settings.json");
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  fs.writeFileSync(settings, JSON.stringify({ permissions: { allow: ["Bash(touch one.txt)"], additionalDirectories: ["/elsewhere"] } }));
  const id = await server.startSession("[[say Hello]]");
  await open(page, server.page(id));
  await expect(transcript(page).locator(".notice.warning")).toContainText("has not been trusted");
  await button(transcript(page), "Trust this folder…").click();
  // with the keyboard alone, and not before it is seen what that allows
  const trust = transcript(page).locator(".trust");
  await expect(trust.getByRole("listitem")).toHaveText(["Bash(touch one.txt)", "may work in /elsewhere"]);
  await button(trust, "Not now").click();
  await expect(trust.getByRole("listitem")).toHaveCount(0);
  await button(transcript(page), "Trust this folder…").focus();
  // held, as by someone who does not read
  for (let times = 0; times < 3; times++) await page.keyboard.down("Enter");
  const list = trust.getByRole("group", { name: "What would be allowed" });
  await expect(list).toBeFocused();
  for (let times = 0; times < 3; times++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(list).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(button(trust, "Trust it")).toBeFocused();
  await expect(button(trust, "Trust it")).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("You trust this folder");
  await expect(trust).toBeHidden();
  await say(page, "[[bash touch one.txt]]");
  await expect(transcript(page)).toContainText("Done.");
  expect(server.file("one.txt")).toBe("");
  await page.reload();
  await expect(transcript(page)).toContainText("You trust this folder");
  await expect(button(transcript(page), "Trust this folder…")).toBeHidden();
});

test("a message that is taken back while the agent works can be changed at once", async ({ page, server }) => {
  const id = await server.startSession("[[say Well]]+[[hold for ever]]");
  await open(page, server.page(id));
  await expect(page.locator(".session-head")).toContainText("working");
  await server.send(id, "[[say Then]]");
  await button(transcript(page), "Cancel").press("Enter");
  await expect(message(page)).toHaveValue("[[say Then]]");
  await expect(message(page)).toBeFocused();
});

test("a plan without a word is no empty box", async ({ page, server }) => {
  const id = await server.startSession("[[call ExitPlanMode {}]]", { permission_mode: "plan" });
  await open(page, server.page(id));
  await expect(form(page)).toContainText("The plan is empty.");
  await button(page, "Keep planning").click();
});

test("a list that could not be written is no empty box: the error is shown", async ({ page, server }) => {
  const id = await server.startSession('[[call TodoWrite {"todos":"none"}]]');
  await open(page, server.page(id));
  const call = transcript(page).locator("details.tool");
  await expect(call).toContainText("failed");
  await call.locator("summary").click();
  await expect(call.locator(".result.failed")).toBeVisible();
  await expect(call.locator(".todos")).toBeHidden();
});

test("what began since and still runs in the background is ended with it, and stays in sight for who leaves it", async ({ page, server }) => {
  const way = transcript(page).getByRole("button", { name: "Go back to before this message" });
  const id = await server.startSession("[[say Hello.]]");
  await open(page, server.page(id));
  await expect(way).toHaveCount(1);
  const choice = page.getByRole("region", { name: "Go back to before this message" });
  const begins = async () => {
    await say(page, '[[call Bash {"command":"tail -f /dev/null","run_in_background":true,"description":"Tail"}]]');
    await isReady(page);
    await button(form(page), "Allow once").click();
    await expect(goesOn).toBeVisible();
    await expect(way).toHaveCount(2);
  };
  const goesOn = transcript(page).getByText("Goes on in the background");
  await begins();
  await way.last().click();
  const ended = choice.getByRole("checkbox", { name: /^Background/ });
  await expect(ended).toBeChecked();
  await button(choice, "Go back").click();
  await expect(transcript(page)).toContainText("You went back");
  await expect(goesOn).toHaveCount(0);
  await message(page).fill("");
  await begins();
  await way.last().click();
  await ended.uncheck();
  await button(choice, "Go back").click();
  await expect(transcript(page).getByText("You went back")).toHaveCount(2);
  await expect(goesOn).toBeVisible();
  await button(transcript(page), "Stop it").click();
  await expect(goesOn).toHaveCount(0);
});
