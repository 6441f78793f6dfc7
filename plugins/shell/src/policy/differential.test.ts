import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
