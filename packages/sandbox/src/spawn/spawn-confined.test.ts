import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { execFile, spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConfinePolicy } from "../policy/confine-policy.ts";
import { probeSandbox } from "../probe/probe-sandbox.ts";
import { spawnConfined, type SpawnConfinedOptions } from "./spawn-confined.ts";

const probe = await probeSandbox();
/** Where nothing confines, the report counts these tests as skipped. */
const isConfining = probe.kind === "bubblewrap";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "aiw-sandbox-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a script of the shell and gives what it printed. */
async function shell(
  script: string,
  policy: Partial<ConfinePolicy> = {},
  options: SpawnConfinedOptions = {},
): Promise<string> {
  const running = await spawnConfined(
    {
      argv: ["/bin/sh", "-c", script],
      readable: [],
      writable: [],
      network: "none",
      env: { PATH: "/usr/bin:/bin" },
      ...policy,
    },
    { ...options, stdio: ["ignore", "pipe", "pipe"] },
  );
  onTestFinished(async () => void (await running.end()));
  let printed = "";
  running.child.stdout?.on("data", (data: Buffer) => (printed += String(data)));
  running.child.stderr?.on("data", (data: Buffer) => (printed += String(data)));
  const closed = new Promise<void>((resolve) => void running.child.once("close", () => resolve()));
  await running.ended;
  await closed;
  return printed;
}

describe.skipIf(!isConfining)("spawnConfined", () => {
  it("shows neither files of the host nor its secrets", async () => {
    const folder = await makeFolder();
    const printed = await shell(`ls / /etc; ls ${folder} /root /home /run /var 2>&1; cat /etc/shadow 2>&1`);
    expect(printed.split("\n").slice(0, 20).join(" ")).not.toMatch(/\b(?:home|root|run|var|work)\b(?!:)/u);
    expect(printed).toMatch(/cannot access .*shadow|shadow: No such file/u);
    expect(printed).toMatch(/cannot access '\/root'/u);
  });

  it("shows what is granted, and lets nothing else be written", async () => {
    const [readable, writable] = [await makeFolder(), await makeFolder()];
    writeFileSync(path.join(readable, "file"), "shown");
    const script = `cat ${readable}/file; echo x > ${readable}/new; echo x > ${writable}/new; echo x > /new; echo x > /usr/new; echo x > /tmp/new && echo private`;
    const printed = await shell(script, { readable: [readable], writable: [writable] });
    expect(printed).toContain("shown");
    expect(printed).toContain("private");
    expect(readdirSync(readable)).toEqual(["file"]);
    expect(readdirSync(writable)).toEqual(["new"]);
    expect(existsSync("/tmp/new") || existsSync("/usr/new") || existsSync("/new")).toBe(false);
  });

  it("protects what git and shells obey before it exists, whatever is tried, and leaves nothing behind (SEC-BOX-6)", async () => {
    const folder = await makeFolder();
    spawnSync("git", ["init", "-q", folder]);
    mkdirSync(path.join(folder, ".git"), { recursive: true });
    writeFileSync(path.join(folder, ".git", "config"), "[core]\n");
    const before = readdirSync(folder).sort();
    const script = `cd ${folder}
      echo '#!/bin/sh' > .git/hooks/post-checkout; echo evil >> .git/config; echo evil > .git/config.worktree
      rm -rf .git/hooks; mv .git/hooks .git/h2; mv .git .git2 && mkdir .git; ln -sfn /tmp .git/hooks
      echo evil > .bashrc; echo evil > .envrc; rm -f .bashrc; mv .bashrc x; mkdir -p .vscode && echo evil > .vscode/settings.json
      echo fine > .git/allowed; echo fine > file`;
    await shell(script, { writable: [folder] });
    expect(readFileSync(path.join(folder, ".git", "config"), "utf8")).toBe("[core]\n");
    expect(existsSync(path.join(folder, ".git", "hooks", "post-checkout"))).toBe(false);
    expect(readFileSync(path.join(folder, ".git", "allowed"), "utf8")).toBe("fine\n");
    expect(readdirSync(folder).sort()).toEqual([...before, "file"].sort());
  });

  it("lets no repository be made where none is (SEC-BOX-6)", async () => {
    const folder = await makeFolder();
    await shell(
      `cd ${folder}; mkdir -p .git/hooks; echo evil > .git/hooks/post-checkout; rmdir .git; mv .git g; echo fine > file`,
      {
        writable: [folder],
      },
    );
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("keeps entries protected for one process when another in the same tree ends", async () => {
    const folder = await makeFolder();
    const waiting = shell(
      `while [ ! -e ${folder}/go ]; do sleep 0.05; done; echo evil > ${folder}/.bashrc; echo done`,
      { writable: [folder] },
    );
    await vi.waitFor(() => expect(existsSync(path.join(folder, ".bashrc"))).toBe(true), 10_000);
    await shell("true", { writable: [folder] });
    writeFileSync(path.join(folder, "go"), "");
    expect(await waiting).toContain("done");
    expect(existsSync(path.join(folder, ".bashrc"))).toBe(false);
  });

  it("gives no network, abstract sockets of the host included, unless granted", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`;
    const argv = ["/bin/bash", "-c", connect];
    expect(await shell("", { argv })).not.toContain("connected");
    expect(connections).toBe(0);
    expect(await shell("", { argv, network: "host" })).toContain("connected");
  });

  it("shows no process and no descriptor of the host (SEC-BOX-5)", async () => {
    const printed = await shell(
      "ls /proc | grep -cE '^[0-9]+$'; ls -l /proc/self/fd | grep -v /proc | grep -vE ' (0|1|2) ->' | grep -v /dev/null",
    );
    // The first of the namespace, the shell, ls and grep.
    expect(Number(printed.split("\n")[0])).toBeLessThanOrEqual(4);
    expect(printed.split("\n").slice(1).join("").replace("total 0", "")).toBe("");
  });

  it("drops capabilities and forbids further namespaces", async () => {
    const printed = await shell("grep CapEff /proc/self/status; unshare -U true 2>&1; mount -t tmpfs none /tmp 2>&1");
    expect(printed).toMatch(/CapEff:\s+0+\n/u);
    expect(printed).toMatch(/unshare failed|unshare: /u);
    expect(printed).toMatch(/mount: |permission denied/iu);
  });

  it("gives the environment of the policy and nothing else", async () => {
    vi.stubEnv("AIW_SECRET", "hush");
    onTestFinished(() => void vi.unstubAllEnvs());
    const printed = await shell("env", { env: { PATH: "/usr/bin:/bin", GIVEN: "yes" } });
    expect(
      printed.split("\n").filter((line) => line !== "" && !/^(?:PATH|GIVEN|PWD|OLDPWD|SHLVL|_)=/u.test(line)),
    ).toEqual([]);
    expect(printed).toContain("GIVEN=yes");
  });

  it("follows paths through links to what is granted", async () => {
    const folder = await makeFolder();
    mkdirSync(path.join(folder, "real"));
    writeFileSync(path.join(folder, "real", "file"), "shown");
    symlinkSync(path.join(folder, "real"), path.join(folder, "link"));
    expect(await shell(`cat ${folder}/link/file`, { readable: [path.join(folder, "link")] })).toBe("shown");
  });

  it("asks a process to end, and ends what does not, with all it started (SEC-BOX-1)", async () => {
    const polite = await spawnConfined(
      {
        argv: ["/bin/sh", "-c", "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.05; done"],
        readable: [],
        writable: [],
        network: "none",
        env: {},
      },
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    let printed = "";
    polite.child.stdout?.on("data", (data: Buffer) => (printed += String(data)));
    await vi.waitFor(() => expect(printed).toContain("up"), 10_000);
    expect(await polite.end(10_000)).toMatchObject({ code: 3 });
    expect(printed).toContain("bye");

    const deaf = await spawnConfined(
      {
        argv: ["/bin/sh", "-c", "trap '' TERM; setsid sleep 12345.678 & echo up; while :; do sleep 0.05; done"],
        readable: [],
        writable: [],
        network: "none",
        env: { PATH: "/usr/bin:/bin" },
      },
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    await new Promise<void>((resolve) => void deaf.child.stdout?.once("data", () => resolve()));
    await vi.waitFor(() => expect(isRunning("12345.678")).toBe(true), 10_000);
    await deaf.end(50);
    await vi.waitFor(() => expect(isRunning("12345.678")).toBe(false), 10_000);
  });

  it.each(["required", "off"] as const)("ends with a host that is killed hard (%s)", async (mode) => {
    const mark = mode === "off" ? "22345.678" : "32345.678";
    const folder = await makeFolder();
    const script = path.join(folder, "host.mjs");
    writeFileSync(
      script,
      `import { spawnConfined } from ${JSON.stringify(path.join(import.meta.dirname, "spawn-confined.ts"))};
       await spawnConfined({ argv: ["/bin/sleep", "${mark}"], readable: [], writable: [], network: "none", env: {} }, { mode: "${mode}" });
       setInterval(() => undefined, 1000);`,
    );
    const host = execFile(process.execPath, [script]);
    onTestFinished(() => void host.kill("SIGKILL"));
    await vi.waitFor(() => expect(isRunning(mark)).toBe(true), 15_000);
    host.kill("SIGKILL");
    await vi.waitFor(() => expect(isRunning(mark)).toBe(false), 10_000);
  });

  it("bounds memory", async () => {
    const hungry = "x=y; while :; do x=$x$x; done";
    const running = await spawnConfined(
      {
        argv: ["/bin/sh", "-c", hungry],
        readable: [],
        writable: [],
        network: "none",
        env: {},
        memoryBytes: 64 * 1024 * 1024,
      },
      {},
    );
    expect(running.memoryBounded).toBe(true);
    expect(await running.ended).not.toMatchObject({ code: 0 });
  });
});

describe("spawnConfined without confinement", () => {
  const none = { kind: "none", reason: "It is not there.", fix: "Install it." } as const;
  const policy: ConfinePolicy = {
    argv: [process.execPath, "-e", "0"],
    readable: [],
    writable: [],
    network: "none",
    env: {},
  };

  it("starts nothing where it is required (SEC-BOX-2)", async () => {
    await expect(spawnConfined(policy, { probe: none })).rejects.toMatchObject({ code: "sandbox_unavailable" });
    await expect(spawnConfined(policy, { probe: none, mode: "maybe" as never })).rejects.toMatchObject({
      code: "sandbox_policy_invalid",
    });
  });

  it("starts it and says that it is not confined where that is allowed", async () => {
    const running = await spawnConfined(policy, { probe: none, mode: "auto" });
    expect(running).toMatchObject({ sandboxed: false, reason: "It is not there." });
    expect(await running.ended).toEqual({ code: 0, signal: null });
  });

  it("rejects for a program that is not there", async () => {
    const running = await spawnConfined({ ...policy, argv: ["/absent/program"] }, { mode: "off" });
    expect(
      await running.ended.then(
        ({ code }) => code !== 0,
        () => true,
      ),
    ).toBe(true);
  });
});

function isRunning(mark: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .some((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return command[0]?.endsWith("sleep") === true && command[1] === mark;
      } catch {
        return false;
      }
    });
}
