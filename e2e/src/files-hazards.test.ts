import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { useFilesProject } from "./files-project.ts";
import { codesOf } from "./talk.ts";

const files = useFilesProject();

interface Called {
  readonly success: boolean;
  readonly code?: string;
}

async function call(name: string, input: object): Promise<Called> {
  const { stdout } = await files.call(name, input, "--yes", "--json");
  return JSON.parse(stdout) as Called;
}

it("FS-6 lets one of two processes win, and tells the other", async () => {
  const file = join(files.cwd, "a.txt");
  for (let round = 0; round < 3; round += 1) {
    await writeFile(file, `round ${round}\nleft\nright\n`);
    const [read] = await files.say(["read", { file_paths: ["a.txt"] }]);
    const etag = (read?.value?.["files"] as { readonly etag: string }[])[0]?.etag;
    const overwrite = (content: string): Promise<Called> =>
      call("write", { path: "a.txt", content, mode: "overwrite", expected_etag: etag });
    const [left, right] = await Promise.all([overwrite("left\n"), overwrite("right\n")]);
    expect([left, right].filter(({ success }) => success)).toHaveLength(1);
    expect([left, right].find(({ success }) => !success)?.code).toBe("conflict");
    expect(await files.textOf("a.txt")).toBe(left?.success === true ? "left\n" : "right\n");
  }
  await writeFile(file, "left\nright\n");
  const edit = (text: string): Promise<Called> =>
    call("edit", { path: "a.txt", edits: [{ old_text: text, new_text: text.toUpperCase() }] });
  const [left, right] = await Promise.all([edit("left"), edit("right")]);
  for (const { success, code } of [left, right]) expect(success || code === "conflict").toBe(true);
  const expected = [left.success ? "LEFT" : "left", right.success ? "RIGHT" : "right", ""];
  expect(await files.textOf("a.txt")).toBe(expected.join("\n"));
});

it("FS-7 shows what a killed process left half done, and takes it back whole", async () => {
  await writeFile(join(files.cwd, "kept.txt"), "kept\n");
  const added = Array.from({ length: 3000 }, (_, index) => `*** Add File: many/f${index}.txt\n+line ${index}`);
  const input = JSON.stringify({ patch: ["*** Begin Patch", ...added, "*** End Patch"].join("\n") });
  await writeFile(join(files.home, "many.json"), input);
  const args = ["call", "apply_patch", "--yes", "--input", `@${join(files.home, "many.json")}`];
  const { cwd, environment, env } = files.settings;
  const program = join(files.project.dir, "node_modules/.bin/aiw");
  const child = spawn(program, args, { cwd, env: { ...environment, ...env }, stdio: "ignore" });
  const gone = once(child, "close");
  const made = async (): Promise<number> => (await readdir(join(files.cwd, "many")).catch(() => [])).length;
  while ((await made()) < 100 && child.exitCode === null) await delay(2);
  child.kill("SIGKILL");
  expect(await gone).toEqual([null, "SIGKILL"]);
  const half = await made();
  expect(half).toBeGreaterThanOrEqual(100);
  expect(half).toBeLessThan(3000);
  const [listed] = (JSON.parse((await files.aiw("undo", "--list", "--json")).stdout) as Listed).conversations;
  expect(listed?.entries.map(({ state }) => state)).toEqual(Array.from({ length: 3000 }, () => "interrupted"));
  const shown = await files.aiw("undo", "--list");
  expect(shown.stdout).toContain("interrupted");
  expect(shown.stdout.split("\n").length).toBeLessThan(200);
  expect(await files.aiw("undo", "--yes")).toMatchObject({ code: 0, stderr: "" });
  expect(await readdir(files.cwd)).toEqual(["kept.txt"]);
});

interface Listed {
  readonly conversations: readonly { readonly entries: readonly { readonly state: string }[] }[];
}

/** Only root may mount; who is not sees this test skipped. */
it.skipIf(process.platform !== "linux" || process.getuid?.() !== 0 || !isMounting())(
  "FS-8 leaves every file as it was where a full disk stops a call, and undo works there",
  async () => {
    const small = join(files.cwd, "small");
    await mkdir(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", small]);
    try {
      await writeFile(join(small, "a.txt"), "hello\n");
      await writeFile(join(small, "big.txt"), "x".repeat(150_000));
      files.cwd = small;
      const much = "y\n".repeat(100_000);
      const patch = `*** Begin Patch\n*** Add File: c.txt\n+${"z".repeat(300_000)}\n*** End Patch`;
      const answers = await files.say(
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
      expect([await files.textOf("a.txt"), (await files.textOf("big.txt")).length]).toEqual(["hello\n", 150_000]);
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
  const beside = join(files.home, "beside");
  await mkdir(beside);
  await writeFile(join(beside, "a.txt"), "beside\n");
  await mkdir(join(files.project.dir, "vendor"));
  await files.project.write("vendor/a.txt", "vendor\n");
  await files.project.write(".env", "WORD=unguessable-4711\n");
  const rules = { roots: [beside], readOnly: ["vendor"], deny: ["**/.env*"] };
  const config = await files.project.write("aiw.config.json", JSON.stringify({ workspace: rules }));
  files.cwd = files.project.dir;
  try {
    const held = await files.say(
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
    expect((await files.aiw("trust", "--yes")).code).toBe(0);
    const [there] = await files.say(["read_file", { path: join(beside, "a.txt") }]);
    expect(there?.value).toBe("beside\n");
  } finally {
    await rm(config);
  }
});
