import { validateCall, type Tool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openBench } from "./__fixtures__/call-tool.ts";
import { suggestedCalls } from "./__fixtures__/suggested-calls.ts";
import filesystem from "./index.ts";

const tools = new Map<string, Tool>(filesystem.tools.map((tool) => [tool.spec.name, tool as Tool]));

const suggestionFor = async (name: string, input: object): Promise<string | undefined> => {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  await using bench = await openBench();
  return (await bench.fail(tool, input)).suggestion;
};

/** Calls as models make them that know the file tools of another agent, and the arguments they are suggested. */
const CALLS: readonly [tool: string, input: object, suggested: string][] = [
  ["read", { file: "a.ts" }, ': read(file_paths=["a.ts"])'],
  ["read", { file_path: "/w/a.ts", offset: "5", limit: 10 }, ': read(file_paths=["/w/a.ts"], limit=10, offset=5)'],
  ["read", { filePath: "a.ts" }, ': read(file_paths=["a.ts"])'],
  ["read", { absolute_path: "/w/a.ts" }, ': read(file_paths=["/w/a.ts"])'],
  ["read", { paths: '["a.ts","b.ts"]' }, ': read(file_paths=["a.ts","b.ts"])'],
  ["read", { files: [{ path: "a.ts" }] }, ': read(file_paths=["a.ts"])'],
  ["read", { target_file: "a.ts", explanation: "To see it." }, ' (without explanation): read(file_paths=["a.ts"])'],
  ["read_file", { absolute_path: "/w/a.ts" }, ': read_file(path="/w/a.ts")'],
  ["read_file", { path: "a.ts", limit: 5 }, ' (without limit): read_file(path="a.ts")'],
  [
    "edit",
    { file_path: "x", old_string: "a", new_string: "b" },
    ': edit(path="x", edits=[{"old_text":"a","new_text":"b"}])',
  ],
  [
    "edit",
    { filePath: "x", oldString: "a", newString: "b", replaceAll: true },
    ': edit(path="x", edits=[{"old_text":"a","new_text":"b","replace_all":true}])',
  ],
  [
    "edit",
    { file_path: "x", instruction: "Do it.", old_string: "a", new_string: "b", expected_replacements: 1 },
    ' (without instruction): edit(path="x", edits=[{"old_text":"a","new_text":"b","expected_count":1}])',
  ],
  [
    "edit",
    { file_path: "x", edits: [{ old_string: "a", new_string: "b", replace_all: "true" }] },
    ': edit(path="x", edits=[{"old_text":"a","new_text":"b","replace_all":true}])',
  ],
  [
    "edit",
    { path: "x", edits: [{ search: "a", replace: "b" }] },
    ': edit(path="x", edits=[{"old_text":"a","new_text":"b"}])',
  ],
  ["edit", { path: "x", find: "a", replace: "b" }, ': edit(path="x", edits=[{"old_text":"a","new_text":"b"}])'],
  ["edit", { path: "x", old_str: "a", new_str: "b" }, ': edit(path="x", edits=[{"old_text":"a","new_text":"b"}])'],
  [
    "edit",
    { path: "x", edits: '[{"old_text":"a","new_text":"b"}]' },
    ': edit(path="x", edits=[{"old_text":"a","new_text":"b"}])',
  ],
  ["write", { file_path: "x", content: "a\n" }, String.raw`: write(path="x", content="a\n")`],
  ["write", { path: "x", file_text: "a" }, ': write(path="x", content="a")'],
  ["write", { path: "x", contents: "a", mode: "overwritten" }, ': write(path="x", content="a", mode="overwrite")'],
  ["glob", { pattern: "**/*.ts" }, ': glob(patterns=["**/*.ts"])'],
  ["glob", { pattern: "**/*.ts", path: "src" }, ': glob(patterns=["**/*.ts"], path="src")'],
  ["glob", { glob_pattern: "*.ts", target_directory: "src" }, ': glob(patterns=["*.ts"], path="src")'],
  [
    "grep",
    { pattern: "foo", path: "src", "-i": true, output_mode: "files_with_matches" },
    ' (without arguments["-i"]): grep(pattern="foo", path="src", output_mode="files")',
  ],
  ["grep", { query: "foo", include_pattern: "*.ts" }, ': grep(pattern="foo", include=["*.ts"])'],
  ["grep", { search: "foo" }, ': grep(pattern="foo")'],
  ["grep", { regex: "foo", context_lines: 50 }, ': grep(pattern="foo", context=20)'],
  ["apply_patch", { input: "*** Begin Patch\n" }, String.raw`: apply_patch(patch="*** Begin Patch\n")`],
  ["list", { dir_path: "src", ignore: ["x"] }, ' (without ignore): list(path="src")'],
  ["tree", { directory: "src", depth: 99 }, ': tree(paths=["src"], depth=10)'],
  ["move", { source: "a", destination: "b" }, ': move(from="a", to="b")'],
  ["move", { old_path: "a", new_path: "b" }, ': move(from="a", to="b")'],
  ["copy", { src: "a", dst: "b" }, ': copy(from="a", to="b")'],
  ["delete", { path: "a" }, ': delete(paths=["a"])'],
  ["delete", { target_file: "a", explanation: "Gone." }, ' (without explanation): delete(paths=["a"])'],
  ["delete", { arguments: { paths: ["a"] } }, ': delete(paths=["a"])'],
  ["undo", { undoId: "u3" }, ': undo(undo_id="u3")'],
  ["redo", { count: "2" }, ": redo(count=2)"],
  ["history", { limit: 500 }, ": history(limit=100)"],
];

describe("the file tools, called as those of other agents", () => {
  it.each(CALLS)("%s(%j) suggests the call that is meant", async (name, input, suggested) => {
    expect(await suggestionFor(name, input)).toBe(`Call it like this${suggested}`);
    const [call] = suggestedCalls(`Call it like this${suggested}`, [...tools.keys()]);
    const { input: admitted } = await validateCall(tools.get(call?.tool ?? "") as Tool, call?.input);
    expect(admitted).toMatchObject(call?.input ?? {});
  });

  it("says what to rename where the call is too long to be repeated", async () => {
    expect(await suggestionFor("write", { file_path: "x", content: "y".repeat(1000) })).toBe(
      "Rename file_path to path.",
    );
    expect(await suggestionFor("edit", { file_path: "x", old_string: "y".repeat(1000), new_string: "" })).toBe(
      "Rename file_path to path. Rename old_string to edits[0].old_text. Rename new_string to edits[0].new_text.",
    );
  });

  it("names no path to destroy but those that were named", async () => {
    expect(await suggestionFor("delete", { one: "a", two: "b" })).toBe(
      "Leave out one, if it is not needed. Leave out two, if it is not needed. Send paths, an array.",
    );
    expect(await suggestionFor("move", { from: "a", somewhere: "b", elsewhere: "c" })).toBe(
      "Leave out somewhere, if it is not needed. Leave out elsewhere, if it is not needed. Send to, a string.",
    );
  });

  it.each<[string, object, string]>([
    ["delete", { paths: ["a"], dryRun: true }, "Leave out dryRun, if it is not needed."],
    ["delete", { paths: ["a"], exclude: ["a/b"] }, "Leave out exclude, if it is not needed."],
    ["undo", { undo_id: ["u1", "u2"] }, "Leave out undo_id, if it is not needed."],
    ["move", { from: "a", to: "b", no_overwrite: true }, "Leave out no_overwrite, if it is not needed."],
    ["edit", { path: "x", edits: [{ old_text: "a" }] }, "Send edits[0].new_text, a string."],
    ["write", { path: "x", content: { extends: "y" } }, "Send content, a string."],
  ])("hands no call of %s to whoever sent %j that does more or other than was meant", async (name, input, told) => {
    expect(await suggestionFor(name, input)).toBe(told);
  });
});
