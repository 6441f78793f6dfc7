import path from "node:path";
import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf, ROOT } from "../repo/repo.ts";
import { checkPlainSnippets, checkTypeScriptSnippets, findSnippets, readSnippets, type Snippet } from "./snippets.ts";

const cache = path.join(ROOT, "tooling/repo-checks/.cache");

function compile(snippets: readonly Snippet[], folder: string) {
  return checkTypeScriptSnippets(snippets, {
    folder: path.join(cache, folder),
    baseConfig: path.join(ROOT, "tsconfig.base.json"),
    compiler: path.join(ROOT, "node_modules/.bin/tsc"),
  });
}

function page(...lines: string[]): Snippet[] {
  return readSnippets("page.md", lines.join("\n"));
}

describe("checkTypeScriptSnippets", () => {
  it("holds for every page of this repository", { timeout: 60_000 }, async () => {
    expect(describeFindings(await compile(findSnippets(openRepo()), "snippets"))).toBe("");
  });

  it("names the page and line of a mistake", { timeout: 60_000 }, async () => {
    const wrong = page(
      "# Page",
      "```ts",
      'import { nothing } from "@aiw/core";',
      "const n: number = 1;",
      "export const s: string = n;",
      "```",
    );
    const found = await compile(wrong, "wrong-snippets");
    expect(found.map(({ file }) => file)).toEqual(["page.md:3", "page.md:5"]);
  });

  it("lets snippets repeat names and import a named one of the same page", { timeout: 60_000 }, async () => {
    const fence = (...lines: string[]) => ["```ts", ...lines, "```"];
    const lines = [...fence("const a = 1;"), ...fence("const a = 2;"), ...fence("// b.ts", "export const b = 1;")];
    expect(
      await compile(
        page(...lines, ...fence('import { b } from "./b.ts";', "await Promise.resolve(b);")),
        "right-snippets",
      ),
    ).toEqual([]);
  });
});

describe("checkPlainSnippets", () => {
  it("holds for every page of this repository", () => {
    expect(describeFindings(checkPlainSnippets(openRepo()))).toBe("");
  });

  it("finds a command without a script and JSON that does not parse", () => {
    const repo = repoOf({
      "package.json": '{"scripts":{"test":"x"}}',
      "README.md": "```sh\npnpm test\npnpm nope\n```\n```json\n{a:1}\n```\n",
    });
    expect(checkPlainSnippets(repo).map(({ file, rule }) => `${file} ${rule}`)).toEqual([
      "README.md:2 every command in it exists",
      "README.md:6 JSON snippets parse",
    ]);
  });
});
