// @ts-check
// What every test stands on: a server of its own, a logged-in page, and a guard over everything a browser complains about.
const base = require("@playwright/test");
const { Cable } = require("./cable.js");
const { ScriptedApi, withClaude } = require("./claude.js");
const { Countersign } = require("./server.js");

const { expect } = base;

/** Every frame of every socket of a page. @type {WeakMap<object, { sent: any[], received: any[] }>} */
const frames = new WeakMap();

/** @param {import("@playwright/test").Page} page */
function record(page) {
  const kept = { sent: [], received: [] };
  frames.set(page, kept);
  page.on("websocket", (socket) => {
    socket.on("framesent", (frame) => kept.sent.push(JSON.parse(String(frame.payload))));
    socket.on("framereceived", (frame) => kept.received.push(JSON.parse(String(frame.payload))));
  });
}

/** The answers a page has sent. @param {import("@playwright/test").Page} page */
const answersOf = (page) => (frames.get(page)?.sent ?? []).filter(isAnswer);
/** What the server refused a page. @param {import("@playwright/test").Page} page */
const refusalsOf = (page) => (frames.get(page)?.received ?? []).filter((frame) => frame.type === "error");
const isAnswer = (/** @type {any} */ frame) => frame.type === "pending_request_response";

/** Keeps the answers of a page on their way until they are let go. For a page that is not open yet. */
async function holdAnswers(/** @type {import("@playwright/test").Page} */ page) {
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
  const hold = { clicked: 0, letGo };
  await page.routeWebSocket("**/ws", (socket) => {
    const server = socket.connectToServer();
    socket.onMessage(async (frame) => {
      if (isAnswer(JSON.parse(String(frame)))) {
        hold.clicked += 1;
        await held;
      }
      server.send(frame);
    });
  });
  return hold;
}

/** A matter of the browser's clock: said when a machine is so busy that the page starts late, and where no script runs.
 * That the program is used as it was loaded early, and not loaded again, has a test of its own. */
const LATE = /^console warning: The resource \S+\.wasm was preloaded using link preload but not used within a few seconds/;

/** Complaints of all pages of all contexts. One that was not announced fails the test. */
class Guard {
  constructor() {
    /** @type {string[]} */
    this.complaints = [];
    /** @type {RegExp[]} */
    this.expected = [LATE];
  }

  /** @param {import("@playwright/test").BrowserContext} context */
  async watch(context) {
    context.on("console", (message) => {
      const isBad = ["error", "warning", "assert"].includes(message.type());
      // a page may go while its card asks what a request would do
      const isMissed = message.location().url.endsWith("/api/insight") && /ERR_ABORTED/.test(message.text());
      if (isBad && !isMissed) this.complain(`console ${message.type()}: ${message.text()}`);
    });
    context.on("weberror", (error) => this.complain(`uncaught: ${error.error().stack ?? error.error()}`));
    context.on("page", (page) => {
      page.on("crash", () => this.complain("the page crashed"));
      record(page);
    });
    await context.addInitScript(() =>
      addEventListener("securitypolicyviolation", (event) =>
        console.error(`CSP violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      ),
    );
  }

  /** @param {string} complaint */
  complain(complaint) {
    this.complaints.push(complaint);
  }

  /** Browsers write every failed load to the console; this announces those of a server or network that is away on purpose. */
  expectLostConnection() {
    const why = "net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INTERNET_DISCONNECTED|EMPTY_RESPONSE|TUNNEL_CONNECTION_FAILED|PROXY_CONNECTION_FAILED|SOCKET_NOT_CONNECTED|CONNECTION_CLOSED)";
    this.expected.push(
      new RegExp(`^console error: Failed to load resource: ${why}$`),
      new RegExp(`^console error: WebSocket connection to 'ws://127\\.0\\.0\\.1:\\d+/ws' failed: (Error in connection establishment: ${why})?$`),
    );
  }

  unexpected() {
    return this.complaints.filter((complaint) => !this.expected.some((known) => known.test(complaint)));
  }
}

const test = base.test.extend({
  /** Who is behind the sessions: "demo", or "claude" for Claude Code itself. */
  agent: ["demo", { option: true }],

  /** The model behind Claude Code; the demo agent has none. */
  api: async ({ agent }, use) => {
    if (agent === "demo") return use(undefined);
    const api = await new ScriptedApi().start();
    await use(api);
    api.stop();
  },

  /** How the server of a test is started. */
  how: [{}, { option: true }],

  guard: [
    async ({ browser }, use) => {
      const guard = new Guard();
      /** @type {Promise<void>[]} */
      const watching = [];
      const watch = (context) => watching.push(guard.watch(context));
      browser.on("context", watch);
      await use(guard);
      browser.off("context", watch);
      await Promise.all(watching);
      expect(guard.unexpected(), "what the browser complained about").toEqual([]);
    },
    { auto: true },
  ],

  /** The server of this test. */
  server: async ({ how, api }, use, testInfo) => {
    const server = await (api ? withClaude(api, how) : new Countersign(how)).start();
    await use(server);
    const log = () => server.log.replace(/\x1b\[[0-9;]*m/g, "");
    try {
      await server.remove();
    } finally {
      if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach("server log", { body: log() });
    }
    expect(log(), "the server's log").not.toMatch(/panicked| ERROR /);
  },

  /** Logged in with the printed code; nothing is open yet. The login page itself has tests of its own (door.spec). */
  page: async ({ context, server, guard: _ }, use) => {
    await logIn(context, server);
    await use(await context.newPage());
    // before the server goes, or each would complain
    for (const page of context.pages()) await page.close();
  },

  /** The same page, on the inbox. */
  inbox: async ({ page, server }, use) => {
    await open(page, server.origin);
    await use(page);
  },

  /** A way to the server that can be cut. */
  cable: async ({}, use) => {
    const cable = new Cable();
    await use(cable);
    cable.remove();
  },

  /** Another browser of the same person: its own storage, the same login. A link works once, so the cookies are copied. */
  secondBrowser: async ({ browser, page }, use) => {
    const contexts = [];
    await use(async (options = {}) => {
      const storageState = { ...(await page.context().storageState()), origins: [] };
      const context = await browser.newContext({ ...options, storageState });
      contexts.push(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

/** What the login page does with the code of the link. @param {import("@playwright/test").BrowserContext} context @param {Countersign} server */
async function logIn(context, server) {
  const [, code] = server.link.split("#code=");
  const answer = await context.request.post(`${server.origin}/login`, { headers: { origin: server.origin }, form: { code }, maxRedirects: 0 });
  expect(answer.headers()["set-cookie"], "a login").toBeTruthy();
}

/** Hydrated and connected: from here on the page answers. @param {import("@playwright/test").Page} page */
async function isLive(page) {
  await expect(connection(page)).toHaveAttribute("data-state", "live", { timeout: 15_000 });
}

/** @param {import("@playwright/test").Page} page @param {string} address */
async function open(page, address) {
  await page.goto(address);
  await isLive(page);
}

// What a person finds on the page, by role and name.
/** @typedef {import("@playwright/test").Page | import("@playwright/test").Locator} Place */
const connection = (/** @type {Place} */ place) => place.getByRole("status", { name: "Connection" });
const form = (/** @type {Place} */ place) => place.getByRole("form", { name: "Pending request" });
const message = (/** @type {Place} */ place) => place.getByRole("textbox", { name: "Message", exact: true });
const transcript = (/** @type {Place} */ place) => place.getByRole("log", { name: "Transcript" });
const sidebar = (/** @type {Place} */ place) => place.getByRole("navigation", { name: "Sessions" });
const inboxLink = (/** @type {Place} */ place) => place.getByRole("link", { name: /^Inbox/ });
const button = (/** @type {Place} */ place, /** @type {string} */ name) => place.getByRole("button", { name, exact: true });
const reason = (/** @type {Place} */ place) => place.getByRole("textbox", { name: "Reason" });

/** A card takes answers a moment after it appeared. @param {Place} place */
async function isReady(place) {
  await expect(form(place)).toBeVisible();
  await expect(form(place)).not.toHaveClass(/\bfresh\b/);
}

/** @param {import("@playwright/test").Page} page @param {string} text */
async function say(page, text) {
  await message(page).fill(text);
  await button(page, "Send").click();
}

/** Sessions that ask one after the other, so that the inbox has them in this order; their ids.
 * @param {import("./server.js").Countersign} server @param {string[]} prompts */
async function askInTurn(server, ...prompts) {
  /** @type {string[]} */
  const ids = [];
  for (const prompt of prompts) {
    const id = await server.startSession(prompt);
    await expect.poll(() => server.pending(id)).toHaveLength(1);
    ids.push(id);
  }
  return ids;
}

module.exports = {
  test,
  expect,
  isLive,
  open,
  connection,
  form,
  message,
  transcript,
  sidebar,
  inboxLink,
  button,
  reason,
  isReady,
  say,
  askInTurn,
  answersOf,
  refusalsOf,
  holdAnswers,
};
