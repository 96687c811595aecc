// @ts-check
// Claude Code itself as the agent: the program that npm installed, with a home of its own, a key that is none, and a model
// that does what the prompt says (tests/support/messages_api: scripts, and the demo agent's own words).
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { Countersign } = require("./server.js");

const START_LIMIT = 20_000;

/** The model. */
class ScriptedApi {
  async start() {
    const program = process.env.SCRIPTED_API;
    if (!program || !fs.existsSync(program)) throw new Error(`There is no scripted model at SCRIPTED_API (${program}): run 'make test'.`);
    const child = spawn(program, { stdio: ["ignore", "pipe", "inherit"] });
    this.child = child;
    this.url = await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("The scripted model did not say its address.")), START_LIMIT);
      let text = "";
      child.stdout.on("data", (data) => {
        text += data;
        const ready = text.match(/ready at (http:\/\/\S+)\n/);
        if (!ready) return;
        clearTimeout(late);
        resolve(ready[1]);
      });
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`The scripted model ended with ${code}.`)));
    });
    return this;
  }

  stop() {
    this.child?.kill("SIGKILL");
  }

  /** Lets a `[[hold NAME]]` go on. @param {string} name */
  release(name) {
    return fetch(`${this.url}/release/${name}`, { method: "POST" });
  }

  /** The calls that the model got, oldest first. @returns {Promise<any[]>} */
  async asked() {
    return (await fetch(`${this.url}/asked`)).json();
  }
}

/** @param {ScriptedApi} api @param {{ login?: boolean }} [how] and as for the server itself */
function withClaude(api, { login = true, ...how } = {}) {
  const server = new Countersign({ ...how, agent: "claude" });
  const binaries = server.directory("bin");
  fs.symlinkSync(program(), path.join(binaries, "claude"));
  Object.assign(server.environment, {
    PATH: `${binaries}:${server.environment.PATH}`,
    TMPDIR: server.directory("tmp"),
    CLAUDE_CONFIG_DIR: server.directory("home/claude"),
    ANTHROPIC_BASE_URL: api.url,
    ...(login ? { ANTHROPIC_API_KEY: "sk-ant-scripted-not-a-key" } : {}),
    CLAUDE_CODE_MAX_RETRIES: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    // the lists that an agent keeps: with newer models they are off
    CLAUDE_CODE_ENABLE_TODO_TOOLS: "1",
    // fifty requests at once, not ten
    CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: "60",
    // lets the user of a container choose that nothing is asked
    IS_SANDBOX: "1",
    // whatever it would still like to ask of the world goes nowhere
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1",
  });
  return server;
}

/** The program for this system. */
function program() {
  const packages = path.join(__dirname, "node_modules", "@anthropic-ai");
  const found = ["", "-musl"]
    .map((library) => path.join(packages, `claude-code-${process.platform}-${process.arch}${library}`, "claude"))
    .find((file) => fs.existsSync(file));
  if (!found) throw new Error(`Claude Code is not installed in ${packages}: run 'npm ci' in end2end/.`);
  return found;
}

module.exports = { ScriptedApi, withClaude };
