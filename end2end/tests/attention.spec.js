// Being called when something waits and nobody looks: a mark on the tab's icon, a quiet sound, a notification.
const { test, expect, open, isLive, form, message, button } = require("../support.js");

/** What the page does with the desktop and the loudspeaker is written down instead. */
async function listen(context) {
  await context.addInitScript(() => {
    const heard = { notes: 0, loudest: 0, shown: [], closed: [], asked: 0, tries: 0 };
    Object.assign(window, { heard });
    // none on an empty page
    const query = navigator.locks?.query.bind(navigator.locks);
    if (query) {
      navigator.locks.query = async () => {
        const found = await query();
        heard.tries += 1;
        return found;
      };
    }
    Object.defineProperty(document, "hidden", { get: () => sessionStorage.getItem("hidden") === "yes" });
    const param = { value: 0, setValueAtTime: (value) => (heard.loudest = Math.max(heard.loudest, value)), exponentialRampToValueAtTime() {} };
    window.AudioContext = /** @type {any} */ (
      class {
        currentTime = 0;
        destination = {};
        resume = async () => {};
        createOscillator = () => ({ frequency: param, connect() {}, start: () => (heard.notes += 1), stop() {} });
        createGain = () => ({ gain: param, connect() {} });
      }
    );
    window.Notification = /** @type {any} */ (
      class {
        static get permission() {
          return sessionStorage.getItem("permission") ?? "default";
        }
        static async requestPermission() {
          heard.asked += 1;
          const answer = localStorage.getItem("answer") ?? "granted";
          sessionStorage.setItem("permission", answer);
          return answer;
        }
        constructor(title, options) {
          this.tag = options.tag;
          heard.shown.push({ title, body: options.body, tag: options.tag });
        }
        close() {
          heard.closed.push(this.tag);
        }
      }
    );
  });
}

const ASKER = { demo: "The demo agent", claude: "Claude" };
const heard = (page) => page.evaluate(() => /** @type {any} */ (window).heard);
const menu = (page) => page.locator("summary").and(page.getByLabel("Attention"));
const icon = (page) => page.locator("link[rel=icon]");
const hide = (page) =>
  page.evaluate(() => {
    sessionStorage.setItem("hidden", "yes");
    window.dispatchEvent(new Event("visibilitychange"));
  });
/** The tabs that say they are looked at. */
const looked = (page) => page.evaluate(async () => ((await navigator.locks.query()).held ?? []).filter(({ name }) => name?.endsWith("looked-at")).length);

async function switchOn(page, ...names) {
  await menu(page).click();
  for (const name of names) await page.getByRole("checkbox", { name }).check();
  await menu(page).click();
}

test("the tab's icon is marked while something waits", async ({ page, server }) => {
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await expect(icon(page)).toHaveAttribute("href", "/favicon.svg");
  await server.send(id, "run a command");
  await expect(icon(page)).toHaveAttribute("href", "/favicon-waiting.svg");
  expect((await page.request.get(`${server.origin}/favicon-waiting.svg`)).status()).toBe(200);
  await button(form(page), "Allow once").click();
  await expect(icon(page)).toHaveAttribute("href", "/favicon.svg");
});

test("nothing sounds or shows unless it is switched on, and nothing is asked of the browser", async ({ page, context, server }) => {
  await listen(context);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await hide(page);
  await server.send(id, "run a command");
  await expect(form(page)).toBeVisible();
  await button(form(page), "Allow once").click();
  await expect(message(page)).toBeVisible();
  expect(await heard(page)).toMatchObject({ notes: 0, shown: [], asked: 0 });
});

test("a sound, as loud as it was chosen, remembered", async ({ page, context, server }) => {
  await listen(context);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await switchOn(page, "Sound");
  expect((await heard(page)).notes, "a sample of it").toBe(2);
  await page.reload();
  await isLive(page);
  await menu(page).click();
  await expect(page.getByRole("checkbox", { name: "Sound" })).toBeChecked();
  await page.getByRole("slider", { name: "Volume" }).fill("100");
  const { loudest } = await heard(page);
  expect(loudest).toBeCloseTo(0.25);
  const before = (await heard(page)).notes;
  await server.send(id, "run a command");
  await expect.poll(async () => (await heard(page)).notes).toBe(before + 2);
});

test("with several hidden tabs a request shows one notification, and it goes when it is answered anywhere", async ({ page, context, server, agent }) => {
  await listen(context);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await switchOn(page, "Desktop notifications");
  await expect.poll(async () => (await heard(page)).asked).toBe(1);
  const other = await context.newPage();
  await open(other, server.page(id));
  for (const tab of [page, other]) {
    await tab.evaluate(() => sessionStorage.setItem("permission", "granted"));
    await hide(tab);
  }
  await expect.poll(() => looked(page)).toBe(0);
  const before = [await heard(page), await heard(other)].map(({ tries }) => tries);
  await server.send(id, "run a command");
  const shown = async () => [...(await heard(page)).shown, ...(await heard(other)).shown];
  await expect.poll(async () => (await heard(page)).tries).toBe(before[0] + 1);
  await expect.poll(async () => (await heard(other)).tries).toBe(before[1] + 1);
  await expect.poll(async () => (await shown()).length).toBe(1);
  expect(await shown()).toMatchObject([{ title: `${ASKER[agent]} wants to run a command`, body: expect.stringMatching(/^help$/i) }]);
  await expect(form(other)).toBeVisible();
  const [request] = await server.pending(id);
  await server.api("respond", { session_id: id, request_id: request.request_id, response: { request_type: "tool_approval", decision: "allow" } });
  await expect.poll(async () => [...(await heard(page)).closed, ...(await heard(other)).closed]).toEqual([request.request_id]);
  expect((await shown()).length, "still one").toBe(1);
});

test("a tab that is looked at keeps the others quiet", async ({ page, context, server }) => {
  await listen(context);
  const id = await server.startSession("help");
  await open(page, server.page(id));
  await switchOn(page, "Sound", "Desktop notifications");
  const other = await context.newPage();
  await open(other, server.page(id));
  await other.evaluate(() => sessionStorage.setItem("permission", "granted"));
  await hide(other);
  await expect.poll(() => looked(page)).toBe(1);
  const before = (await heard(page)).notes;
  await server.send(id, "run a command");
  await expect.poll(async () => (await heard(page)).notes).toBe(before + 2);
  await expect.poll(async () => (await heard(other)).tries, "it looked whether it should").toBe(1);
  expect(await heard(other)).toMatchObject({ notes: 0, shown: [] });
});

test("a browser that forbids notifications is said so, and the switch goes back", async ({ page, context, server }) => {
  await listen(context);
  await open(page, server.origin);
  await page.evaluate(() => localStorage.setItem("answer", "denied"));
  await menu(page).click();
  await page.getByRole("checkbox", { name: "Desktop notifications" }).click();
  await expect(page.getByText("The browser does not allow notifications here.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Desktop notifications" })).not.toBeChecked();
});
