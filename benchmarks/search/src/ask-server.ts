import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A tool as a server tells of it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** How a server is started. */
export interface ServerCommand {
  readonly script: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

interface Reply {
  readonly id?: unknown;
  readonly result?: { readonly tools?: readonly ListedTool[]; readonly nextCursor?: string };
  readonly error?: { readonly message?: string };
}

const DEADLINE_MS = 45_000;
const MAX_PAGES = 20;
const SETTINGS = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "aiw-benchmark-search", version: "0.0.0" },
};

/** Starts a server in an empty folder without a network, asks for its tools over stdio, and ends it. */
export async function askServer(command: ServerCommand): Promise<ListedTool[]> {
  const home = await mkdtemp(join(tmpdir(), "aiw-search-"));
  const child = start(command, home);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    return await listTools(child, deadline);
  } finally {
    await end(child);
    await rm(home, { recursive: true, force: true });
  }
}

/** The namespace has no interfaces but a loopback that is down; the process keeps its pid, so killing it ends the server. */
function start({ script, args, env }: ServerCommand, home: string): ChildProcess {
  return spawn("unshare", ["--map-root-user", "--net", process.execPath, script, ...args], {
    cwd: home,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: process.env["PATH"], HOME: home, DO_NOT_TRACK: "1", ...env },
  });
}

async function listTools(child: ChildProcess, deadline: AbortSignal): Promise<ListedTool[]> {
  const ask = openDialogue(child, deadline);
  await ask("initialize", SETTINGS);
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { result } = await ask("tools/list", cursor === undefined ? {} : { cursor });
    tools.push(...(result?.tools ?? []));
    cursor = result?.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

type Ask = (method: string, params: object) => Promise<Reply>;

function openDialogue(child: ChildProcess, deadline: AbortSignal): Ask {
  const waiting = new Map<number, PromiseWithResolvers<Reply>>();
  const fail = (reason: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(reason));
  };
  child.once("error", ({ message }) => fail(message));
  child.once("exit", (code) => fail(`ended with code ${code}`));
  deadline.addEventListener("abort", () => fail(`no answer within ${DEADLINE_MS} ms`));
  child.stdin?.on("error", () => undefined);
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const reply = parseReply(line);
      const asked = typeof reply?.id === "number" ? waiting.get(reply.id) : undefined;
      if (reply === undefined || asked === undefined) return;
      if (reply.error === undefined) asked.resolve(reply);
      else asked.reject(new Error(reply.error.message ?? "refused"));
    });
  }
  let next = 0;
  return (method, params) => {
    const id = (next += 1);
    const answer = Promise.withResolvers<Reply>();
    waiting.set(id, answer);
    if (child.exitCode !== null) answer.reject(new Error(`ended with code ${child.exitCode}`));
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answer.promise.finally(() => waiting.delete(id));
  };
}

/** Servers also print what is no message. */
function parseReply(line: string): Reply | undefined {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    return undefined;
  }
}

/** Ends the server and what it started: they are one process group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once("close", resolve));
  const running = child.exitCode === null && child.signalCode === null;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
  if (running) await gone;
}
