// @ts-check
// Writes docs/screenshot.png: a session that waits for an answer, among others. Run by hand: `node end2end/screenshot.js`.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("@playwright/test");
const { use } = require("./playwright.config.js");
const { Countersign } = require("./server.js");

const SIZE = { width: 1280, height: 860 };
async function main() {
  const server = await new Countersign({ root: path.join(os.tmpdir(), "robin"), projects: ["gateway", "handbook", "website"] }).start();
  const browser = await chromium.launch(use.launchOptions);
  try {
    const [gateway, handbook, website] = server.projects;
    const settle = async (session, until) => {
      for (let left = 200; left > 0; left -= 1) {
        const sessions = await server.api("list_sessions");
        const { process } = sessions.find((known) => known.session_id === session);
        if (process && until(process)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error("The scene did not come about.");
    };
    const asks = (process) => process.pending_requests?.length > 0;
    const isDone = (process) => process.state === "user_turn";

    await settle(await server.startSession("Explain what changed since the last release", { project: website }), isDone);
    await settle(await server.startSession("Ask me how the images should be sized", { project: website }), asks);
    await settle(await server.startSession("Plan a kinder introduction", { project: handbook }), asks);
    await settle(await server.startSession("Look for broken links", { project: handbook }), isDone);
    await settle(await server.startSession("Tidy up the changelog", { project: gateway }), isDone);
    const shown = await server.startSession("Create a short note about the release", { project: gateway });
    await settle(shown, asks);
    const [request] = await server.pending(shown);
    await server.api("respond", { session_id: shown, request_id: request.request_id, response: { request_type: "tool_approval", decision: "allow" } });
    await settle(shown, isDone);
    await server.send(shown, "Now run: cargo test --package gateway && git push origin release-note");
    await settle(shown, asks);

    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(server.link);
    await page.locator("[data-state=live]").waitFor();
    await page.goto(server.page(shown));
    await page.locator("[data-state=live]").waitFor();
    await page.locator('form[aria-label="Pending request"]:not(.fresh)').waitFor();
    const docs = path.join(__dirname, "..", "docs");
    fs.mkdirSync(docs, { recursive: true });
    await page.screenshot({ path: path.join(docs, "screenshot.png") });
  } finally {
    await browser.close();
    await server.remove();
  }
}

main();
