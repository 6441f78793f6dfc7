import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FILE_TOOLS } from "./file-tools.ts";
import { useFilesProject } from "./files-project.ts";
import { codesOf, type Step } from "./talk.ts";

const files = useFilesProject();

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
-export const host = "here";
+export const host = "there";
*** Add File: src/b.ts
+export {};
*** End Patch`;

it("FS-1 does the work of every tool in one conversation, and takes all of it back", async () => {
  const answers = await files.say(
    ["write", { path: "src/a.ts", content: 'export const port = 80;\nexport const host = "here";\n' }],
    ["read", { file_paths: ["src/a.ts"] }],
    ["edit", { path: "src/a.ts", edits: [{ old_text: "port = 80", new_text: "port = 8080" }] }],
    ["apply_patch", { patch: PATCH }],
    ["read_file", { path: "src/a.ts" }],
    ["list", { path: "src" }],
    ["tree", {}],
    ["glob", { patterns: ["src/*.ts"], sort: "path" }],
    ["grep", { pattern: "(80){2}", output_mode: "matches" }],
    ["copy", { from: "src", to: "lib", recursive: true }],
    ["move", { from: "src/b.ts", to: "src/c.ts" }],
    ["delete", { paths: ["lib", "src/c.ts"], recursive: true }],
    ["undo", {}],
    ["redo", {}],
    ["history", {}],
    ["undo", { count: 20 }],
  );
  expect(answers.filter(({ code }) => code !== "ok")).toEqual([]);
  expect([...new Set(answers.map(({ tool }) => tool))].toSorted()).toEqual(FILE_TOOLS);
  const [written, , edited, patched, whole, listed, , globbed, grepped] = answers;
  expect(written?.value).toMatchObject({ created: true, undo_id: expect.any(String) as unknown });
  expect(edited?.value?.["diff"]).toContain("-export const port = 80;\n+export const port = 8080;");
  expect(patched?.value?.["files"]).toMatchObject([{ op: "update" }, { op: "add" }]);
  expect(whole?.value).toBe('export const port = 8080;\nexport const host = "there";\n');
  expect(listed?.value?.["total"]).toBe(2);
  expect(globbed?.value?.["paths"]).toEqual(["src/a.ts", "src/b.ts"]);
  expect(grepped?.value?.["matches"]).toMatchObject([{ path: "src/a.ts", line: 1, text: "export const port = 8080;" }]);
  expect(existsSync(join(files.cwd, "src"))).toBe(false);
  expect(existsSync(join(files.cwd, "lib"))).toBe(false);
});

it("FS-2 calls every tool by name", async () => {
  await files.write("a.txt", "one\n");
  const inputs: Record<(typeof FILE_TOOLS)[number], object> = {
    apply_patch: { patch: "*** Begin Patch\n*** Add File: b.txt\n+two\n*** End Patch" },
    copy: { from: "a.txt", to: "copied.txt" },
    delete: { paths: ["copied.txt"] },
    edit: { path: "a.txt", edits: [{ old_text: "one", new_text: "1" }] },
    glob: { patterns: ["*.txt"] },
    grep: { pattern: "two" },
    history: {},
    list: {},
    move: { from: "b.txt", to: "c.txt" },
    read: { file_paths: ["a.txt", "c.txt"] },
    read_file: { path: "c.txt" },
    redo: {},
    tree: {},
    undo: {},
    write: { path: "d.txt", content: "three\n" },
  };
  const codes: Record<string, string> = {};
  for (const name of FILE_TOOLS) {
    const { stdout, code } = await files.call(name, inputs[name], "--yes", "--json");
    const result = JSON.parse(stdout) as { success: boolean; code?: string; preview: readonly string[] };
    codes[name] = result.success && code === 0 ? "ok" : `${result.code}`;
    expect(result.preview.length).toBeLessThanOrEqual(3);
  }
  // A conversation of its own has nothing to go back to; `aiw undo` knows the others.
  const nothing = { undo: "nothing_to_undo", redo: "nothing_to_undo" };
  expect(codes).toEqual({ ...Object.fromEntries(FILE_TOOLS.map((name) => [name, "ok"])), ...nothing });
  expect(await files.textOf("c.txt")).toBe("two\n");
});

it("FS-3 names what is wrong, and suggests a call that works", async () => {
  await files.write("a.txt", "one\ntwo\nthree\ntwo\n");
  await files.write("folder/b.txt", "b\n");
  const pairs: [wrong: readonly [string, object], code: string, next: string][] = [
    [["read", { file_paths: ["a.txt"], offset: 99 }], "offset_out_of_range", "read"],
    [["edit", { path: "a.txt", edits: [{ old_text: "nowhere", new_text: "" }] }], "no_match", "read"],
    [["edit", { path: "a.txt", line_edits: [{ op: "delete", line: 99, expect: "x" }] }], "offset_out_of_range", "read"],
    [["edit", { path: "a.txt", edits: [{ old_text: "two", new_text: "2" }] }], "ambiguous_match", "edit"],
    [["grep", { pattern: "one(" }], "invalid_regex", "grep"],
    [["list", { path: "a.txt" }], "not_a_directory", "read"],
    [["tree", { paths: ["folder/b.txt"] }], "not_a_directory", "read"],
    [["copy", { from: "folder", to: "copied" }], "not_a_file", "copy"],
    [["move", { from: "folder/b.txt", to: "a.txt" }], "already_exists", "move"],
    [["delete", { paths: ["copied"] }], "not_a_file", "delete"],
  ];
  const answers = await files.say(...pairs.flatMap(([wrong]): Step[] => [wrong, { follow: "suggestion" }]));
  expect(codesOf(answers)).toEqual(pairs.flatMap(([[tool], code, next]) => [`${tool} ${code}`, `${next} ok`]));
  expect(await files.textOf("a.txt")).toBe("b\n");
  const [missing] = await files.say(["read", { file_paths: ["b.txt"] }]);
  expect(missing).toMatchObject({ code: "not_found", details: { nearest: ["a.txt"] } });
});

it("FS-4 refuses what lies outside or is protected, whichever tool asks", async () => {
  await mkdir(join(files.cwd, ".git"));
  await files.write("a.txt", "one\n");
  const answers = await files.say(
    ["read", { file_paths: ["../package.json"] }],
    ["write", { path: "../out.txt", content: "no" }],
    ["edit", { path: "../package.json", edits: [{ old_text: "stranger", new_text: "no" }] }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Add File: ../out.txt\n+no\n*** End Patch" }],
    ["copy", { from: "a.txt", to: "../out.txt" }],
    ["move", { from: "a.txt", to: "../out.txt" }],
    ["delete", { paths: ["../package.json"] }],
    ["list", { path: ".." }],
    ["tree", { paths: [".."] }],
    ["grep", { pattern: "stranger", path: ".." }],
    ["glob", { patterns: ["*"], path: ".." }],
    ["write", { path: ".git/config", content: "no" }],
    ["delete", { paths: [".git"], recursive: true }],
    ["move", { from: ".git", to: "git" }],
  );
  expect(answers.map(({ code }) => code)).toEqual([
    ...Array.from({ length: 11 }, () => "outside_root"),
    ...Array.from({ length: 3 }, () => "protected_path"),
  ]);
  expect(existsSync(join(files.project.dir, "out.txt"))).toBe(false);
});

it("FS-5 neither overwrites nor takes back what somebody else changed", async () => {
  await files.write("a.txt", "one\ntwo\nthree\nfour\n");
  const answers = await files.say(
    ["read", { file_paths: ["a.txt"] }],
    { disk: "a.txt", content: "theirs\ntwo\nthree\nfour\n" },
    ["write", { path: "a.txt", content: "mine\n", mode: "overwrite" }],
    ["edit", { path: "a.txt", line_edits: [{ op: "replace", line: 1, content: "mine" }] }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+mine\n*** End Patch" }],
    ["read", { file_paths: ["a.txt"] }],
    ["edit", { path: "a.txt", line_edits: [{ op: "replace", line: 4, content: "mine" }] }],
    { disk: "a.txt", content: "theirs again\ntwo\nthree\nmine\n" },
    ["undo", {}],
    ["undo", { merge: true }],
  );
  const [, overwritten, edited, patched, , , undone, merged] = answers.map(({ code }) => code);
  expect([overwritten, edited, patched]).toEqual(["conflict", "conflict", "conflict"]);
  expect([undone, merged]).toEqual(["conflict", "ok"]);
  expect(await files.textOf("a.txt")).toBe("theirs again\ntwo\nthree\nfour\n");
});

it("FS-10 takes back from a terminal what was changed there, after a yes, and makes it again", async () => {
  await files.write("a.txt", "one\r\n");
  const input = { path: "a.txt", edits: [{ old_text: "one", new_text: "two" }] };
  expect((await files.call("edit", input)).code).toBe(3);
  expect((await files.call("edit", input, "--yes")).code).toBe(0);
  expect(await files.textOf("a.txt")).toBe("two\r\n");
  const asked = await files.aiw("undo");
  expect([asked.code, await files.textOf("a.txt")]).toEqual([3, "two\r\n"]);
  expect(asked.stderr).toContain("--yes");
  expect((await files.aiw("undo", "--yes")).stdout).toMatch(/Undone: 1 path\./);
  expect(await files.textOf("a.txt")).toBe("one\r\n");
  expect((await files.aiw("undo", "--redo", "--yes")).code).toBe(0);
  expect(await files.textOf("a.txt")).toBe("two\r\n");
  const { stdout } = await files.aiw("undo", "--list", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ conversations: [{ entries: [{ tool: "edit", state: "done" }] }] });
});

it("FS-11 offers the selection that tags make", async () => {
  const toolsets = { default: { tags: ["default"] }, files_extra: { tags: ["filesystem", "extra"] } };
  const config = await files.project.write("aiw.config.json", JSON.stringify({ toolsets }));
  try {
    const namesOf = async (toolset: string): Promise<string[]> => {
      const { stdout } = await files.aiw("list", "--toolset", toolset, "--json");
      return (JSON.parse(stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    };
    const day = ["edit", "glob", "grep", "list", "read", "write"];
    expect(await namesOf("default")).toEqual(day);
    expect(await namesOf("files_extra")).toEqual(
      FILE_TOOLS.filter((name) => !day.includes(name) && name !== "read_file"),
    );
    const refused = await files.call("move", { from: "a", to: "b" }, "--toolset", "default", "--yes", "--json");
    expect(JSON.parse(refused.stdout)).toMatchObject({ success: false, code: "tool_not_offered" });
  } finally {
    await rm(config);
  }
});
