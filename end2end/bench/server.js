// A server with the agent that measures, and how numbers are judged.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const TOKEN = "bench-token-bench-token-bench-token-bench";
const target = process.env.CARGO_TARGET_DIR ?? path.join(__dirname, "../../target");
const server = process.env.COUNTERSIGN_BIN ?? path.join(target, "release/countersign");
const agent = path.join(target, "release/examples/bench_agent");

async function start() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-bench-"));
  const notes = path.join(directory, "notes");
  const child = spawn(server, ["--addr", "127.0.0.1:0", "--data-dir", path.join(directory, "data"), "--agent", agent, "--project", directory, "--log", "warn"], {
    env: { ...process.env, COUNTERSIGN_TOKEN: TOKEN, COUNTERSIGN_DEMO_BENCH: notes, COUNTERSIGN_DEMO_BENCH_PAUSE_MS: "120" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data))));
  const link = line.trim().split(" at ")[1];
  const base = link.split("/#")[0];
  const call = async (name, body) => {
    const response = await fetch(`${base}/api/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  return { child, link, base, call, notes, directory };
}

const percentile = (times, percent) => {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
};
const judge = (name, value, goal) =>
  console.log(`${name.padEnd(52)} ${value.toFixed(1).padStart(8)}   goal ≤ ${goal}: ${value <= goal ? "reached" : "MISSED"}`);

module.exports = { start, percentile, judge };
