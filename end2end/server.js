// @ts-check
// A real Countersign server, with its own port, data, project and home, and the demo agent unless another is named. Nothing
// outlives `stop`.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const TOKEN = "end-to-end-token-end-to-end-token-end-to-end";
const READY = /^Countersign is ready at (http:\/\/(127\.0\.0\.1:\d+)\/#code=\S+)\n$/;
const START_LIMIT = 20_000;
const STOP_LIMIT = 10_000;

class Countersign {
  /** @param {{ root?: string, speed?: string, agent?: string, env?: Record<string, string>, projects?: string[], settings?: string }} [how] `root` is made, and removed at the end; `settings` is the text of a settings file */
  constructor(how = {}) {
    if (how.root) fs.mkdirSync(how.root);
    this.root = fs.realpathSync(how.root ?? fs.mkdtempSync(path.join(os.tmpdir(), "countersign-e2e-")));
    this.projects = (how.projects ?? ["garden"]).map((name) => this.directory(path.join("code", name)));
    this.project = this.projects[0];
    this.agent = how.agent ?? "demo";
    this.log = "";
    /** @type {Record<string, string>} */
    this.environment = {
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
      HOME: this.directory("home"),
      COUNTERSIGN_TOKEN: TOKEN,
      COUNTERSIGN_DEMO_SPEED: how.speed ?? "0",
      // the agents get it too: this is how they are found if they are left behind
      COUNTERSIGN_DEMO_OF_TEST: this.root,
      ...how.env,
    };
    if (how.settings) {
      this.environment.COUNTERSIGN_CONFIG = path.join(this.root, "settings.toml");
      fs.writeFileSync(this.environment.COUNTERSIGN_CONFIG, how.settings);
    }
    /** @type {import("node:child_process").ChildProcess | undefined} */
    this.child = undefined;
    this.address = "127.0.0.1:0";
    this.link = "";
  }

  /** @param {string} name */
  directory(name) {
    const directory = path.join(this.root, name);
    fs.mkdirSync(directory, { recursive: true });
    return directory;
  }

  /** Where the agent keeps what is its own. */
  get agentDirectory() {
    return this.environment.CLAUDE_CONFIG_DIR ?? path.join(this.root, "data", "demo-agent");
  }

  get origin() {
    return `http://${this.address}`;
  }

  /** Resolves when the ready line is there. Started again, it has the same port and the same data. */
  async start() {
    const binary = process.env.COUNTERSIGN_BIN;
    if (!binary || !fs.existsSync(binary)) throw new Error(`There is no server to test at COUNTERSIGN_BIN (${binary}).`);
    const projects = this.projects.flatMap((directory) => ["--project", directory]);
    const child = spawn(binary, ["--addr", this.address, "--data-dir", path.join(this.root, "data"), "--agent", this.agent, ...projects], {
      cwd: this.root,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // its own process group
    });
    this.child = child;
    child.stderr.on("data", (data) => (this.log += data));
    this.gone = new Promise((resolve) => child.once("exit", resolve));
    this.link = await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No ready line came.\n${this.log}`)), START_LIMIT);
      let line = "";
      child.stdout.on("data", (data) => {
        line += data;
        const ready = line.match(READY);
        if (!ready) return;
        clearTimeout(late);
        this.address = ready[2];
        resolve(ready[1]);
      });
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`The server ended with ${code} before it was ready.\n${this.log}`)));
    });
    return this;
  }

  /** As a person stops it. */
  async stop() {
    if (!this.child) return;
    this.child.kill("SIGTERM");
    const limit = new Promise((resolve) => setTimeout(resolve, STOP_LIMIT, "late").unref());
    const late = (await Promise.race([this.gone, limit])) === "late";
    await this.kill();
    if (late) throw new Error(`The server did not stop within ${STOP_LIMIT} ms.\n${this.log}`);
  }

  /** As a power cut stops it: nothing is said, nothing is finished. */
  async kill() {
    if (!this.child) return;
    try {
      process.kill(-(this.child.pid ?? 0), "SIGKILL");
    } catch {
      // it has ended already
    }
    await this.gone;
    this.child = undefined;
    for (const pid of this.leftBehind()) process.kill(pid, "SIGKILL");
  }

  /** Agents, and what they started: they have process groups of their own. */
  leftBehind() {
    const mark = `COUNTERSIGN_DEMO_OF_TEST=${this.root}`;
    return fs.readdirSync("/proc").flatMap((name) => {
      try {
        const environment = fs.readFileSync(`/proc/${name}/environ`, "latin1").split("\0");
        return /^\d+$/.test(name) && environment.includes(mark) ? [Number(name)] : [];
      } catch {
        return []; // not a process, not ours, or gone
      }
    });
  }

  async restart() {
    await this.kill();
    await this.start();
  }

  /** The end of the test. */
  async remove() {
    try {
      await this.stop();
    } finally {
      fs.rmSync(this.root, { recursive: true, force: true });
    }
  }

  /** A server function, as a script calls it. @param {string} name @param {object} [body] */
  async api(name, body = {}) {
    const response = await fetch(`${this.origin}/api/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** @param {string} prompt @param {object} [more] @returns {Promise<string>} the id of the session */
  async startSession(prompt, more = {}) {
    return (await this.api("start_session", { project: this.project, prompt, ...more })).session_id;
  }

  /** @param {string} session_id @param {string} text */
  send(session_id, text) {
    return this.api("send_message", { session_id, text });
  }

  /** What waits in a session, oldest first. @param {string} session_id */
  async pending(session_id) {
    const processes = await this.api("list_processes");
    return processes.find((process) => process.session_id === session_id)?.pending_requests ?? [];
  }

  /** @param {string} session_id */
  page(session_id) {
    return `${this.origin}/session/${session_id}`;
  }

  /** The text of a file in the project; none while there is no such file. @param {string} name */
  file(name) {
    const file = path.join(this.project, name);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
  }
}

module.exports = { Countersign, TOKEN };
