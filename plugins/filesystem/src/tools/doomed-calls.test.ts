import { ToolError, type Assessment, type Tool } from "@aiw/core";
import { fakeContext } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { filesystemOptions } from "../options.ts";
import { applyPatch } from "./apply-patch.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** What a host that asks about every change hears before it asks. */
async function assess<Input, Output, Options>(
  bench: Bench,
  tool: Tool<Input, Output, Options>,
  given: object,
  roots = bench.fake.context.workspace,
): Promise<Assessment | undefined> {
  const parsed = await tool.parseInput?.(given);
  if (parsed?.issues !== undefined || parsed === undefined) throw new Error("the arguments are wrong");
  const { session } = bench.fake.environment;
  if (session === undefined) throw new Error("the bench has no session");
  const { context } = fakeContext({ workspace: roots, session, options: filesystemOptions.parse({}) });
  return await tool.assess?.(parsed.value, context as never);
}

/** Why nobody is asked; `undefined` where a person would be. */
async function spared(assessing: Promise<Assessment | undefined>): Promise<string | undefined> {
  try {
    const failure = (await assessing)?.failure;
    return ToolError.is(failure) ? failure.code : undefined;
  } catch (error) {
    if (ToolError.is(error)) return error.code;
    throw error;
  }
}

const TWICE = "one\ntwo\none\ntwo\n";
const ofEdit = (path: string, old_text: string): object => ({ path, edits: [{ old_text, new_text: "new" }] });

describe("a call that cannot succeed asks nobody", () => {
  it.each<[string, Tool, object]>([
    ["ambiguous_match", edit as Tool, ofEdit("a.txt", "one")],
    ["no_match", edit as Tool, ofEdit("a.txt", "three")],
    ["not_found", edit as Tool, ofEdit("gone.txt", "one")],
    ["unread_target", edit as Tool, { path: "a.txt", edits: [{ old_text: "one", new_text: "1", replace_all: true }] }],
    ["outside_root", edit as Tool, ofEdit("../a.txt", "one")],
    ["protected_path", edit as Tool, ofEdit(".git/config", "one")],
    ["unread_target", write as Tool, { path: "a.txt", content: "new", mode: "overwrite" }],
    ["already_exists", write as Tool, { path: "a.txt", content: "new" }],
    ["omission_placeholder", write as Tool, { path: "b.ts", content: "a\n// ... rest of the code ...\n" }],
    ["protected_path", write as Tool, { path: ".git/hooks/pre-commit", content: "new" }],
    ["invalid_patch", applyPatch as Tool, { patch: "nothing" }],
    ["ambiguous_match", applyPatch as Tool, { patch: "@@\n-one\n+1", path: "a.txt" }],
    ["not_found", applyPatch as Tool, { patch: "@@\n-one\n+1", path: "gone.txt" }],
    ["unread_target", applyPatch as Tool, { patch: "@@ -3,1 +3,1 @@\n-one\n+1", path: "a.txt" }],
    ["protected_path", applyPatch as Tool, { patch: "--- /dev/null\n+++ b/.git/x\n@@ -0,0 +1 @@\n+x\n" }],
  ])("%s", async (code, tool, input) => {
    await using bench = await openBench({ "a.txt": TWICE, ".git/config": "one\n" });
    expect(await spared(assess(bench, tool, input))).toBe(code);
    expect(await bench.fail(tool, input)).toMatchObject({ code });
    expect(await bench.folder.read("a.txt")).toBe(TWICE);
  });

  it("in a root that is read-only, and of a path that is denied, dry run or not", async () => {
    await using bench = await openBench({ "a.txt": "one\n", "secret.txt": "one\n" });
    await bench.ok(read, { file_paths: ["a.txt", "secret.txt"] });
    const { cwd, roots } = bench.fake.context.workspace;
    const readOnly = { cwd, roots, readOnly: roots };
    const denied = { cwd, roots, deny: ["**/secret.txt"] };
    for (const dry_run of [false, true]) {
      for (const [tool, input] of [
        [edit, { ...ofEdit("secret.txt", "one"), dry_run }],
        [write, { path: "secret.txt", content: "new", mode: "append", dry_run }],
        [applyPatch, { patch: "@@\n-one\n+1", path: "secret.txt", dry_run }],
        [applyPatch, { patch: "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n", dry_run, partial: true }],
      ] as [Tool, object][]) {
        expect(await spared(assess(bench, tool, input, readOnly))).toBe("denied_by_policy");
        if (!JSON.stringify(input).includes("b/new"))
          expect(await spared(assess(bench, tool, input, denied))).toBe("denied_by_policy");
      }
    }
  });

  it("says what does not depend on the files at once, and the rest only for where somebody is asked", async () => {
    await using bench = await openBench({ "a.txt": TWICE });
    expect((await assess(bench, edit, ofEdit("later.txt", "x")))?.failure).toMatchObject({ code: "not_found" });
    await expect(assess(bench, applyPatch, { patch: "nothing" })).rejects.toMatchObject({ code: "invalid_patch" });
  });

  it("tries no file above 4 MiB beforehand", async () => {
    await using bench = await openBench({ "big.txt": "one\n".repeat(1024 * 1024 + 1) });
    expect(await assess(bench, edit, ofEdit("big.txt", "three"))).not.toHaveProperty("failure");
    expect(await assess(bench, applyPatch, { patch: "@@\n-x\n+y", path: "big.txt" })).not.toHaveProperty("failure");
  });

  it("shows the change to whoever is asked, and makes none", async () => {
    await using bench = await openBench({ "a.txt": "one\ntwo\n", "b.txt": "b\n" });
    expect((await assess(bench, edit, ofEdit("a.txt", "two")))?.preview).toEqual([
      "--- a.txt",
      "+++ a.txt",
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "+new",
    ]);
    expect((await assess(bench, write, { path: "c.txt", content: "c\n" }))?.preview).toContain("+c");
    const patch = "*** Begin Patch\n*** Update File: b.txt\n*** Move to: d.txt\n*** End Patch\n";
    expect((await assess(bench, applyPatch, { patch }))?.preview).toEqual(["b.txt → d.txt"]);
    expect(await bench.folder.read("a.txt")).toBe("one\ntwo\n");
    expect(await bench.folder.read("b.txt")).toBe("b\n");
  });
});
