import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { strangersEnvironment } from "./managers.ts";
import { createProject, type Project } from "./project.ts";
import type { Ended, RunOptions } from "./run.ts";
import { codesOf, talk, type Answer, type Step } from "./talk.ts";
import { theWorld } from "./world.ts";

const world = theWorld();
const environment = strangersEnvironment(world.caches);

/** Where people record what they trust, and what undo gives back lies. */
let home: string;
let project: Project;
/** The folder of one test. */
let cwd: string;
let count = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "aiw-files-"));
  project = await createProject(world, "npm");
  await project.install("@aiw/cli", "@aiw/executor", "@aiw/plugin-filesystem");
});

beforeEach(async () => {
  count += 1;
  cwd = join(project.dir, `work${count}`);
  await mkdir(cwd);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

function settings(): Partial<RunOptions> {
  return { cwd, environment, env: { AIW_CONFIG_HOME: join(home, "config"), AIW_STATE_HOME: join(home, "state") } };
}

function say(...steps: readonly Step[]): Promise<Answer[]> {
  return talk(project, steps, settings());
}

function aiw(...args: readonly string[]): Promise<Ended> {
  return project.aiw(args, settings());
}

interface Called {
  readonly success: boolean;
  readonly code?: string;
}

async function call(name: string, input: object): Promise<Called> {
  const { stdout } = await aiw("call", name, "--input", JSON.stringify(input), "--yes", "--json");
  return JSON.parse(stdout) as Called;
}

function textOf(path: string): Promise<string> {
  return readFile(join(cwd, path), "utf8");
}

it("FS-6 lets one of two processes win, and tells the other", async () => {
  const file = join(cwd, "a.txt");
  for (let round = 0; round < 3; round += 1) {
    await writeFile(file, `round ${round}\nleft\nright\n`);
    const [read] = await say(["read", { file_paths: ["a.txt"] }]);
    const etag = (read?.value?.["files"] as { readonly etag: string }[])[0]?.etag;
    const overwrite = (content: string): Promise<Called> =>
      call("write", { path: "a.txt", content, mode: "overwrite", expected_etag: etag });
    const [left, right] = await Promise.all([overwrite("left\n"), overwrite("right\n")]);
    expect([left, right].filter(({ success }) => success)).toHaveLength(1);
    expect([left, right].find(({ success }) => !success)?.code).toBe("conflict");
    expect(await textOf("a.txt")).toBe(left?.success === true ? "left\n" : "right\n");
  }
  await writeFile(file, "left\nright\n");
  const edit = (text: string): Promise<Called> =>
    call("edit", { path: "a.txt", edits: [{ old_text: text, new_text: text.toUpperCase() }] });
  const [left, right] = await Promise.all([edit("left"), edit("right")]);
  for (const { success, code } of [left, right]) expect(success || code === "conflict").toBe(true);
  const expected = [left.success ? "LEFT" : "left", right.success ? "RIGHT" : "right", ""];
  expect(await textOf("a.txt")).toBe(expected.join("\n"));
});

it("FS-7 shows what a killed process left half done, and takes it back whole", async () => {
  await writeFile(join(cwd, "kept.txt"), "kept\n");
  const added = Array.from({ length: 3000 }, (_, index) => `*** Add File: many/f${index}.txt\n+line ${index}`);
  const input = JSON.stringify({ patch: ["*** Begin Patch", ...added, "*** End Patch"].join("\n") });
  await writeFile(join(home, "many.json"), input);
  const args = ["call", "apply_patch", "--yes", "--input", `@${join(home, "many.json")}`];
  const child = spawn(join(project.dir, "node_modules/.bin/aiw"), args, {
    cwd,
    env: { ...environment, ...settings().env },
    stdio: "ignore",
  });
  const gone = once(child, "close");
  const made = async (): Promise<number> => (await readdir(join(cwd, "many")).catch(() => [])).length;
  while ((await made()) < 100 && child.exitCode === null) await delay(2);
  child.kill("SIGKILL");
  expect(await gone).toEqual([null, "SIGKILL"]);
  const half = await made();
  expect(half).toBeGreaterThanOrEqual(100);
  expect(half).toBeLessThan(3000);
  const [listed] = (JSON.parse((await aiw("undo", "--list", "--json")).stdout) as Listed).conversations;
  expect(listed?.entries.map(({ state }) => state)).toEqual(Array.from({ length: 3000 }, () => "interrupted"));
  const shown = await aiw("undo", "--list");
  expect(shown.stdout).toContain("interrupted");
  expect(shown.stdout.split("\n").length).toBeLessThan(200);
  expect(await aiw("undo", "--yes")).toMatchObject({ code: 0, stderr: "" });
  expect(await readdir(cwd)).toEqual(["kept.txt"]);
});

interface Listed {
  readonly conversations: readonly { readonly entries: readonly { readonly state: string }[] }[];
}

/** Only root may mount; who is not sees this test skipped. */
it.skipIf(process.platform !== "linux" || process.getuid?.() !== 0 || !isMounting())(
  "FS-8 leaves every file as it was where a full disk stops a call, and undo works there",
  async () => {
    const small = join(cwd, "small");
    await mkdir(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", small]);
    try {
      await writeFile(join(small, "a.txt"), "hello\n");
      await writeFile(join(small, "big.txt"), "x".repeat(150_000));
      cwd = small;
      const much = "y\n".repeat(100_000);
      const patch = `*** Begin Patch\n*** Add File: c.txt\n+${"z".repeat(300_000)}\n*** End Patch`;
      const answers = await say(
        ["read", { file_paths: ["a.txt", "big.txt"] }],
        ["write", { path: "b.txt", content: much }],
        ["write", { path: "a.txt", content: much, mode: "overwrite" }],
        ["edit", { path: "a.txt", edits: [{ old_text: "hello", new_text: much }] }],
        ["copy", { from: "big.txt", to: "copied.txt" }],
        ["apply_patch", { patch }],
        ["delete", { paths: ["big.txt"] }],
        ["undo", {}],
      );
      expect(codesOf(answers).slice(1)).toEqual([
        "write no_space",
        "write no_space",
        "edit no_space",
        "copy no_space",
        "apply_patch no_space",
        "delete ok",
        "undo ok",
      ]);
      expect((await readdir(small)).toSorted()).toEqual(["a.txt", "big.txt"]);
      expect([await textOf("a.txt"), (await textOf("big.txt")).length]).toEqual(["hello\n", 150_000]);
    } finally {
      execFileSync("umount", [small]);
    }
  },
);

function isMounting(): boolean {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

it("FS-9 holds read-only folders and deny globs at once, and more roots after trust", async () => {
  const beside = join(home, "beside");
  await mkdir(beside);
  await writeFile(join(beside, "a.txt"), "beside\n");
  await mkdir(join(project.dir, "vendor"));
  await project.write("vendor/a.txt", "vendor\n");
  await project.write(".env", "WORD=unguessable-4711\n");
  const rules = { roots: [beside], readOnly: ["vendor"], deny: ["**/.env*"] };
  const config = await project.write("aiw.config.json", JSON.stringify({ workspace: rules }));
  cwd = project.dir;
  try {
    const held = await say(
      ["read_file", { path: "vendor/a.txt" }],
      ["edit", { path: "vendor/a.txt", edits: [{ old_text: "vendor", new_text: "no" }] }],
      ["delete", { paths: ["vendor"], recursive: true }],
      ["copy", { from: "vendor/a.txt", to: "vendor/b.txt" }],
      ["read_file", { path: ".env" }],
      ["write", { path: "work1/.env.local", content: "no" }],
      ["move", { from: ".env", to: "env" }],
      ["grep", { pattern: "unguessable-4711", output_mode: "count", hidden: true, no_ignore: true }],
      ["glob", { patterns: ["**/.env*"], no_ignore: true }],
      ["read_file", { path: join(beside, "a.txt") }],
    );
    expect(codesOf(held)).toEqual([
      "read_file ok",
      "edit denied_by_policy",
      "delete denied_by_policy",
      "copy denied_by_policy",
      "read_file denied_by_policy",
      "write denied_by_policy",
      "move denied_by_policy",
      "grep ok",
      "glob ok",
      "read_file outside_root",
    ]);
    expect(held[7]?.value?.["total_matches"]).toBe(0);
    expect(held[8]?.value?.["total"]).toBe(0);
    expect((await aiw("trust", "--yes")).code).toBe(0);
    const [there] = await say(["read_file", { path: join(beside, "a.txt") }]);
    expect(there?.value).toBe("beside\n");
  } finally {
    await rm(config);
  }
});
