import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { probeSandbox } from "@aiw/sandbox";
import type { ToolLog } from "@aiw/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openIsolated } from "./__fixtures__/open-behaving.ts";
import { startProcess } from "./host/start-process.ts";

const probe = await probeSandbox();
/** Where nothing confines, the report counts tests of confinement as skipped. */
const isConfining = probe.kind === "bubblewrap";
const REQUIRED = { confinement: "required" } as const;

function recordLog(): {
  readonly log: ToolLog;
  readonly lines: { message: string; fields: Record<string, unknown> }[];
} {
  const lines: { message: string; fields: Record<string, unknown> }[] = [];
  const write = (message: string, fields: Record<string, unknown> = {}): void => void lines.push({ message, fields });
  return { log: { debug: write, info: write, warn: write, error: write }, lines };
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "aiw-isolate-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Processes of this machine that run the entry of isolated packages for this test. */
function processesBelow(parent: number): number[] {
  const children = readdirSync("/proc").filter((name) => /^\d+$/u.test(name) && parentOf(name) === parent);
  return children.flatMap((child) => [Number(child), ...processesBelow(Number(child))]);
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return -1;
  }
}

describe("isolatePackages: endings", () => {
  it("stops an endless loop within the time limit, says that nothing goes on, and gives the next call a fresh process", async () => {
    const { tools } = await openIsolated({ executor: { limits: { timeoutMs: 300, graceMs: 10_000 } } });
    const first = await tools.executeTool("loop", {});
    expect(first).toMatchObject({ success: false, status: "timed_out", settled: true });
    expect(await tools.executeTool("give_text", {}, { timeoutMs: 60_000 } as never)).toMatchObject({ success: true });
  });

  it("fails the other calls of a process that had to be ended, as settled", async () => {
    const { tools } = await openIsolated({ executor: { limits: { graceMs: 10_000 } } });
    await tools.executeTool("give_null", {});
    const controller = new AbortController();
    const waiting = tools.executeTool("wait_deaf", {});
    tools.activity.subscribe("tool_output_chunk", ({ data }) => data.chunk === "looping" && controller.abort());
    const looping = tools.executeTool("loop", {}, { signal: controller.signal });
    expect(await looping).toMatchObject({ success: false, status: "cancelled", settled: true });
    expect(await waiting).toMatchObject({
      success: false,
      code: "isolated_process_ended",
      settled: true,
      retryable: true,
      error: expect.stringContaining("@acme/behaving"),
    });
  });

  it.each([
    ["leave", "left with code 7"],
    ["throw_later", "nobody caught an error"],
    ["reject_later", "nobody caught an error"],
  ])("contains a package that does %s, names it, and keeps what it printed for the log", async (name, why) => {
    const { log, lines } = recordLog();
    const { tools } = await openIsolated({ log });
    const result = await tools.executeTool(name, {});
    expect(result).toMatchObject({
      success: false,
      code: "isolated_process_ended",
      error: expect.stringContaining(why),
    });
    expect(JSON.stringify(result)).not.toMatch(/nobody catches|nobody hears|at .*tools\.ts/u);
    const ended = lines.find(({ message }) => message.includes("ended by itself"));
    expect(ended?.fields).toMatchObject({ package: "@acme/behaving" });
    if (name !== "leave") expect(ended?.fields["printed"]).toContain("TypeError");
    expect(await tools.executeTool("give_text", {})).toMatchObject({ success: true });
  });

  it("contains a package that takes too much memory", async () => {
    const { tools } = await openIsolated({ grant: { memoryMb: 64 } });
    const result = await tools.executeTool("eat", {});
    expect(result).toMatchObject({
      success: false,
      code: "isolated_process_ended",
      error: expect.stringContaining("memory"),
    });
  });

  it("reads on while a package floods its standard streams, and keeps little", async () => {
    const { log, lines } = recordLog();
    const { tools } = await openIsolated({ log });
    expect(await tools.executeTool("print", {})).toMatchObject({ success: true, value: "printed" });
    await tools.close();
    const printed = String(lines.find(({ fields }) => "printed" in fields)?.fields["printed"]);
    expect(printed.length).toBeLessThanOrEqual(16 * 1024);
  });

  it("ends a process whose schema never answers", async () => {
    const { tools } = await openIsolated({ isolate: { limitMs: 3000 } });
    await tools.executeTool("give_null", {});
    expect(await tools.executeTool("stuck", { at: "ab" })).toMatchObject({ success: false, settled: true });
    expect(await tools.executeTool("give_text", {})).toMatchObject({ success: true });
  });

  it("keeps state for a conversation, closes it with the conversation, and loses it with the process", async () => {
    const folder = await makeFolder();
    const noted = path.join(folder, "disposed");
    const { tools } = await openIsolated({ grant: { writable: [folder] } });
    expect(await tools.executeTool("count", {})).toMatchObject({ value: { count: 1 } });
    expect(await tools.executeTool("count", {})).toMatchObject({ value: { count: 2 } });
    await tools.executeTool("note_disposal", { at: noted });
    await tools.clearState();
    expect(await readFile(noted, "utf8")).toBe("2");
    expect(await tools.executeTool("count", {})).toMatchObject({ value: { count: 1 } });
    await tools.executeTool("leave", {});
    expect(await tools.executeTool("count", {})).toMatchObject({ value: { count: 1 } });
  });

  it("ends a process that nobody uses, and not one that has state of a conversation", async () => {
    const { tools } = await openIsolated({ isolate: { idleMs: 20 } });
    const pidOf = async (): Promise<unknown> => {
      const result = await tools.executeTool("call_unknown", {});
      return result.success;
    };
    await pidOf();
    await vi.waitFor(() => expect(processesBelow(process.pid).length).toBe(0), 10_000);
    await tools.executeTool("count", {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await tools.executeTool("count", {})).toMatchObject({ value: { count: 2 } });
  });

  it("leaves no process after close", async () => {
    const { tools } = await openIsolated();
    await tools.executeTool("give_null", {});
    expect(processesBelow(process.pid).length).toBeGreaterThan(0);
    const waiting = tools.executeTool("wait_deaf", {});
    await tools.close();
    expect(await waiting).toMatchObject({ success: false, status: "cancelled" });
    expect(processesBelow(process.pid)).toEqual([]);
  });

  it("dies with a host that is killed, even in an endless loop", async () => {
    const folder = await makeFolder();
    const script = path.join(folder, "host.mjs");
    const here = import.meta.dirname;
    await writeFile(
      script,
      `import { ToolRegistry, createEntry } from ${JSON.stringify(path.join(here, "../../../core/src/index.ts"))};
       import { UnifiedToolExecutor } from ${JSON.stringify(path.join(here, "../unified-tool-executor.ts"))};
       import { isolatePackages } from ${JSON.stringify(path.join(here, "isolate-packages.ts"))};
       import { behaving } from ${JSON.stringify(path.join(here, "__fixtures__/behaving-package/tools.ts"))};
       const directory = ${JSON.stringify(path.join(here, "__fixtures__/behaving-package"))};
       const spec = behaving.tools.find((tool) => tool.spec.name === "loop").spec;
       const code = { packageKey: "@acme/behaving", directory, realDirectory: directory, module: "tools.ts", export: "behaving" };
       const entry = createEntry({ id: "@acme/behaving/loop", name: "loop", spec, origin: { source: "package", package: "@acme/behaving" }, resolveCode: async () => code, load: async () => { throw 1; } });
       const registry = new ToolRegistry({ sources: [{ name: "f", list: async () => [entry] }] });
       await registry.readSources();
       const isolation = isolatePackages({ config: () => ({ default: "isolated", grants: { "*": { confinement: "auto" } } }), projectDir: directory });
       const executor = new UnifiedToolExecutor(registry, { isolation, activity: undefined });
       process.on("message", () => undefined);
       executor.execute("loop", {});
       setInterval(() => undefined, 1000);`,
    );
    const child = execFile(process.execPath, ["--conditions=aiw-source", script]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const pid = child.pid ?? 0;
    await vi.waitFor(() => expect(processesBelow(pid).some(isWorking)).toBe(true), 15_000);
    const born = processesBelow(pid);
    child.kill("SIGKILL");
    await vi.waitFor(
      () => expect(born.filter((one) => existsSync(`/proc/${one}`) && !isZombie(one))).toEqual([]),
      10_000,
    );
  });
});

/** True for a process of Node that has computed for a while. */
function isWorking(pid: number): boolean {
  try {
    const [, , , , , , , , , , , , , user] = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("isolated-process") && Number(user) > 100;
  } catch {
    return false;
  }
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

describe("isolatePackages: confinement", () => {
  it.skipIf(!isConfining)("shows a package its own code and nothing of the host", async () => {
    const secret = await makeFolder();
    await writeFile(path.join(secret, "file"), "secret");
    const { tools } = await openIsolated({ grant: { ...REQUIRED, processes: true } });
    const result = await tools.executeTool("look", { at: secret });
    expect(result).toMatchObject({
      success: true,
      value: {
        folder: expect.stringContaining("refused"),
        written: expect.stringContaining("refused"),
        shadow: expect.stringContaining("refused"),
        started: "hi\n",
        cwd: "/",
      },
    });
    const { processes, environment } = (result as { value: { processes: number; environment: string[] } }).value;
    // The first of the namespace, the package, and the one that looks.
    expect(processes).toBe(3);
    expect(
      environment.filter(
        (name) => !["LANG", "LC_ALL", "LC_CTYPE", "TZ", "PATH", "HOME", "TMPDIR", "PWD"].includes(name),
      ),
    ).toEqual([]);
    expect(readdirSync(secret)).toEqual(["file"]);
  });

  it.skipIf(!isConfining)("gives folders that were granted, for reading or for writing", async () => {
    const [readable, writable] = [await makeFolder(), await makeFolder()];
    await writeFile(path.join(readable, "file"), "shown");
    const { tools } = await openIsolated({ grant: { ...REQUIRED, readable: [readable], writable: [writable] } });
    expect(await tools.executeTool("look", { at: readable })).toMatchObject({
      value: {
        folder: ["file"],
        written: expect.stringContaining("refused"),
      },
    });
    expect(await tools.executeTool("look", { at: writable })).toMatchObject({ value: { written: "done" } });
    expect(await readFile(path.join(writable, "written-by-isolated"), "utf8")).toBe("x");
  });

  it.skipIf(!isConfining)("gives the folders of a call only where that was granted", async () => {
    const root = await makeFolder();
    const workspace = { cwd: root, roots: [root] };
    const look = async (grant: object): Promise<unknown> => {
      const { tools } = await openIsolated({ grant: { ...REQUIRED, ...grant }, executor: { workspace } });
      const result = await tools.executeTool("look", { at: root });
      return (result as { value?: { written?: unknown } }).value?.written;
    };
    expect(await look({})).toContain("refused");
    expect(await look({ workspace: "read" })).toContain("refused");
    expect(await look({ workspace: "write" })).toBe("done");
  });

  it.skipIf(!isConfining)("gives the network of the host only where that was granted", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const at = String((server.address() as { port: number }).port);
    const refused = await openIsolated({ grant: REQUIRED });
    expect(await refused.tools.executeTool("reach", { at })).not.toMatchObject({ value: "connected" });
    expect(connections).toBe(0);
    const granted = await openIsolated({ grant: { ...REQUIRED, network: "host" } });
    expect(await granted.tools.executeTool("reach", { at })).toMatchObject({ value: "connected" });
  });

  it("runs nothing where confinement is required and cannot be given, and says what would help", async () => {
    const { tools } = await openIsolated({
      grant: REQUIRED,
      isolate: {
        start: (request) =>
          startProcess(request, { kind: "none", reason: "bubblewrap is not installed.", fix: "Install it." }),
      },
    });
    expect(await tools.executeTool("give_null", {})).toMatchObject({
      success: false,
      code: "isolation_unavailable",
      suggestion: expect.stringContaining("Install it."),
    });
    expect(processesBelow(process.pid)).toEqual([]);
  });

  it.skipIf(!isConfining)("says of a grant that none may have what is wrong, and offers no way around", async () => {
    const { tools } = await openIsolated({ grant: { ...REQUIRED, readable: ["/proc"] } });
    const result = await tools.executeTool("give_null", {});
    expect(result).toMatchObject({
      success: false,
      code: "isolation_unavailable",
      error: expect.stringMatching(/and cannot\. The policy .* nothing in \/proc can be granted\.$/u),
      suggestion: expect.not.stringContaining("confinement"),
    });
  });

  it("says in the log that a process is not confined, and never calls Node's permissions confinement (SEC-NODE-1)", async () => {
    const { log, lines } = recordLog();
    const { tools } = await openIsolated({ grant: { confinement: "off" }, log });
    const result = await tools.executeTool("look", { at: "/etc" });
    expect(result).toMatchObject({
      success: true,
      value: { shadow: expect.stringContaining("refused"), started: expect.stringContaining("refused") },
    });
    expect(lines.map(({ message }) => message)).toContain(
      "A package runs in a process of its own that the operating system does not confine.",
    );
  });
});
