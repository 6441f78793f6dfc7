import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Intent } from "./intent.ts";
import { parseRequest } from "./parse-request.ts";

function meanings(request: string): unknown[] {
  return parseRequest(request).map(({ clause: _clause, ...meaning }: Intent) => meaning);
}

describe("parseRequest", () => {
  it.each<[string, unknown[]]>([
    ["read package.json", [{ kind: "read", paths: ["package.json"] }]],
    ["Please read README.md and package.json.", [{ kind: "read", paths: ["README.md", "package.json"] }]],
    ["show me the README", [{ kind: "read", paths: ["README.md"] }]],
    ["read `my notes.txt`", [{ kind: "read", paths: ["my notes.txt"] }]],
    ["what is in docs/a.md?", [{ kind: "read", paths: ["docs/a.md"] }]],
    ["run `git status`", [{ kind: "run", command: "git status" }]],
    ["run git log --oneline", [{ kind: "run", command: "git log --oneline" }]],
    ["try to run the command `rm -rf build`", [{ kind: "run", command: "rm -rf build" }]],
    ["run a command", [{ kind: "run" }]],
    ["fetch the page at http://127.0.0.1:8080/", [{ kind: "fetch", url: "http://127.0.0.1:8080/" }]],
    ["open https://example.org/a?b=c.", [{ kind: "fetch", url: "https://example.org/a?b=c" }]],
    ["list src", [{ kind: "list", path: "src" }]],
    ["list the files in packages", [{ kind: "list", path: "packages" }]],
    ["which files are here?", [{ kind: "list", path: "." }]],
    ["find all markdown files", [{ kind: "find_files", patterns: ["**/*.md"] }]],
    ["find *.test.ts in packages/core", [{ kind: "find_files", patterns: ["*.test.ts"], path: "packages/core" }]],
    ["which packages does it have", [{ kind: "packages" }]],
    [
      "search for defineTool in packages",
      [{ kind: "search", term: "defineTool", definition: false, path: "packages" }],
    ],
    ['search for "read and write"', [{ kind: "search", term: "read and write", definition: false }]],
    ["find where `runTool` is defined", [{ kind: "search", term: "runTool", definition: true }]],
    ["where is runTool defined?", [{ kind: "search", term: "runTool", definition: true }]],
    ["write a report to /tmp/x/report.md", [{ kind: "write", path: "/tmp/x/report.md", mode: "create" }]],
    ['write "hello" to a.txt', [{ kind: "write", path: "a.txt", content: "hello", mode: "create" }]],
    ["write the result to out.md, replacing it", [{ kind: "write", path: "out.md", mode: "overwrite" }]],
    ['append "more" to log.txt', [{ kind: "write", path: "log.txt", content: "more", mode: "append" }]],
    [
      'replace "old - text" with `new` in src/my-notes.txt',
      [{ kind: "replace", path: "src/my-notes.txt", oldText: "old - text", newText: "new" }],
    ],
    ["undo that", [{ kind: "go_back", direction: "undo" }]],
    ["then redo the last change", [{ kind: "go_back", direction: "redo" }]],
    ["search for port in my-folder/src", [{ kind: "search", term: "port", definition: false, path: "my-folder/src" }]],
    ["search for a name it mentions", [{ kind: "search", definition: false }]],
    ["add 2 and 40", [{ kind: "use_tool" }]],
    ["use the `add` tool with 2 and 40", [{ kind: "use_tool", toolName: "add" }]],
  ])("understands %j", (request, expected) => {
    expect(meanings(request)).toEqual(expected);
  });

  it("splits a long request into its wishes, in order and without repeats", () => {
    const request =
      'Look at this repository: what is it, which packages does it have, find where `defineTool` is defined, run `git log -1`, fetch the page at http://127.0.0.1:4000/, and write a report to /tmp/s/report.md. Also try to write "x" to /etc/aiw.txt.';
    expect(meanings(request)).toEqual([
      { kind: "overview" },
      { kind: "packages" },
      { kind: "search", term: "defineTool", definition: true },
      { kind: "run", command: "git log -1" },
      { kind: "fetch", url: "http://127.0.0.1:4000/" },
      { kind: "write", path: "/tmp/s/report.md", mode: "create" },
      { kind: "write", path: "/etc/aiw.txt", content: "x", mode: "create" },
    ]);
  });

  it("keeps search and write apart in one sentence", () => {
    expect(meanings("search for defineTool in packages and write the result to out.md")).toEqual([
      { kind: "search", term: "defineTool", definition: false, path: "packages" },
      { kind: "write", path: "out.md", mode: "create" },
    ]);
  });

  it("gives the same intents for any text every time, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc
            .array(
              fc.constantFrom(
                "read",
                "`a b`",
                "x.ts",
                "in",
                "and",
                "write",
                "to",
                "run",
                ",",
                ".",
                "find",
                "where",
                "\uE000",
              ),
            )
            .map((words) => words.join(" ")),
        ),
        (text) => {
          expect(parseRequest(text)).toEqual(parseRequest(text));
        },
      ),
    );
  });

  it("reads very long hostile requests in bounded time", () => {
    for (const piece of [
      "then ",
      ", and ",
      "`",
      '"a',
      "find where where ",
      "in in in ",
      "a/".repeat(50),
      "read x.ts, ",
    ]) {
      expect(parseRequest(piece.repeat(20_000)).length).toBeLessThan(20_000);
    }
  });
});
