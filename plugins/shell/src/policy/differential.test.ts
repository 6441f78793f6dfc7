import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flattenScript } from "./flatten-script.ts";
import { createPolicyWorkspace, type PolicyWorkspace } from "./__fixtures__/workspace.ts";

let workspace: PolicyWorkspace;

beforeAll(() => {
  workspace = createPolicyWorkspace();
});

afterAll(() => {
  workspace.remove();
});

const TOKENS = [
  ...[
    "ls",
    "echo ",
    "true",
    "cat ",
    "x=",
    "touch marker",
    ">",
    ">>",
    "marker",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "\n",
    " ",
    " ",
    "#",
  ],
  ...[
    "$(",
    ")",
    "`",
    "'",
    '"',
    "\\",
    "<<EOF\n",
    "\nEOF\n",
    "<<<",
    "{ ",
    "; }",
    "(",
    "((",
    "))",
    "$((",
    "${x:-",
    "}",
    "$x",
    "eval ",
  ],
  ...[
    "bash -c ",
    "<(",
    ">(",
    "$'",
    '$"',
    "!",
    "[[ ",
    " ]]",
    "if ",
    "; then ",
    "; fi",
    "case x in ",
    "*) ",
    ";; esac",
    "f() ",
    "\\\n",
    "-n ",
  ],
];

describe("judgeScript", () => {
  it("says read-only of no text with which a real shell makes a file", () => {
    let checked = 0;
    const before = readdirSync(workspace.root);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TOKENS), { minLength: 2, maxLength: 9 }), (tokens) => {
        const text = tokens.join("");
        if (!text.includes("marker") || workspace.judge(text).level !== "read_only") return;
        checked += 1;
        spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", text], {
          cwd: workspace.root,
          stdio: "ignore",
          timeout: 5_000,
        });
        const after = readdirSync(workspace.root);
        for (const name of after) if (!before.includes(name)) rmSync(join(workspace.root, name), { recursive: true });
        expect(after, text).toEqual(before);
      }),
      { numRuns: Number(process.env.DIFF_RUNS ?? 30_000) },
    );
    expect(checked).toBeGreaterThan(10);
  });
});

const PIECES = [
  ...[
    "a",
    "b c",
    " ",
    " ",
    "'",
    '"',
    "\\",
    "\\\n",
    "$HOME",
    "${HOME}",
    "$'\\x41'",
    "$'",
    "~",
    "/",
    "{x,y}",
    "{",
    ",",
    "}",
    "=",
    "#",
    "é",
    "-",
    "--",
    "\t",
    "$",
    "!",
  ],
];

describe("readWord", () => {
  it("reads the same arguments as a real shell, where it reads any", () => {
    let checked = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }), (pieces) => {
        const text = `printf '%s\\0' start ${pieces.join("")}`;
        const flat = flattenScript(text, {
          directories: ["/"],
          variables: new Map([["HOME", workspace.home]]),
          depth: 0,
          elevated: false,
          hasInput: false,
        });
        const [command] = flat.commands;
        const words = command?.words.slice(3) ?? [];
        if (
          flat.findings.length > 0 ||
          flat.commands.length !== 1 ||
          words.some((word) => word.value === undefined || word.glob)
        )
          return;
        checked += 1;
        const env = { HOME: workspace.home, PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" };
        const { stdout } = spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", text], {
          cwd: workspace.root,
          env,
          encoding: "utf8",
        });
        expect(
          words.map((word) => word.value),
          text,
        ).toEqual(stdout.split("\0").slice(1, -1));
      }),
      { numRuns: Number(process.env.DIFF_RUNS ?? 300) },
    );
    expect(checked).toBeGreaterThan(50);
  });
});
