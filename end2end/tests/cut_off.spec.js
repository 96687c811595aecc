// After a crash of the server the inbox says what was cut off, until somebody has looked.
const { complaints } = require("../axe.js");
const { test, expect, open, isLive, transcript, inboxLink, button, askInTurn } = require("../support.js");

const cutOff = (page) => page.getByRole("region", { name: "Cut off when the server stopped" });

test("what was asked when the server went away is told in the inbox until its session is opened", async ({ inbox: page, context, server, guard }) => {
  guard.expectLostConnection();
  const [first] = await askInTurn(server, "run: echo one > one.txt", "run: echo two > two.txt");
  await expect(cutOff(page)).toHaveCount(0);
  await server.restart();
  await isLive(page);
  const rows = cutOff(page).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  expect(await complaints(page)).toEqual([]);
  await expect(rows.first()).toContainText("wanted to run a command");
  await expect(rows.first()).toContainText("echo one > one.txt");
  await expect(page, "nothing waits").toHaveTitle("Inbox · Countersign");
  await expect(inboxLink(page).first()).toHaveText("Inbox");
  await page.reload();
  await isLive(page);
  await expect(rows).toHaveCount(2);

  const other = await context.newPage();
  await open(other, server.origin);
  await cutOff(other).getByRole("link", { name: /echo one/ }).click();
  await expect(other).toHaveURL(server.page(first));
  await expect(transcript(other)).toContainText("Countersign was stopped");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("echo two");
  await button(cutOff(page), "Dismiss").click();
  await expect(cutOff(page)).toHaveCount(0);
  await page.reload();
  await isLive(page);
  await expect(cutOff(page)).toHaveCount(0);
});
