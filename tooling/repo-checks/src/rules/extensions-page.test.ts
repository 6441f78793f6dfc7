import { PIPELINE_STAGES } from "@aiw/executor";
import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkExtensionsPage, EXTENSIONS_PAGE } from "./extensions-page.ts";

const CODE = {
  "packages/executor/src/extension.ts":
    "export interface Extension { readonly name: string; wrap?(): void }\nexport interface ExtensionCall { readonly callId: string }",
  "packages/core/src/lock-config.ts":
    "export interface LockConfig { readonly file: string; readonly size?: number; readonly by?: string }",
  "packages/extensions/src/lock.ts": 'export { lock, type LockOptions } from "./lock/lock.ts";',
  "packages/extensions/src/lock/lock.ts":
    'export interface LockOptions extends Omit<LockConfig, "by"> { readonly "name"?: string }',
};

const PAGE = [
  "## The stages of a call",
  "| `trace` | identity |",
  "| `execute` | work |",
  "## `Extension`",
  "| `name` | text | required | Unique. |",
  "| `wrap` | function | | Around. |",
  "## `ExtensionCall`",
  "| `callId` | text | Its id. |",
  "## `LockOptions`",
  "| `file` | text | required | Where. |",
  "| `size` | number | 3 | How much. |",
  '| `name` | `"a" \\| "b"` | none | What it is called. |',
];

function judge(page: readonly string[], stages: readonly string[] = ["trace", "execute"]): string {
  return describeFindings(checkExtensionsPage(repoOf({ ...CODE, [EXTENSIONS_PAGE]: page.join("\n") }), stages));
}

function without(line: number): string[] {
  return PAGE.filter((_, index) => index !== line);
}

describe("checkExtensionsPage", () => {
  it("holds for this repository", () => {
    const stages = PIPELINE_STAGES.map(({ name }) => name);
    expect(describeFindings(checkExtensionsPage(openRepo(), stages))).toBe("");
  });

  it("accepts a page that has each stage, member and option, inherited ones too", () => {
    expect(judge(PAGE)).toBe("");
  });

  it("finds stages that are missing, too many, or in another order", () => {
    expect(judge(without(1))).toContain("in this order: trace, execute.");
    expect(judge(PAGE, ["trace"])).toContain("in this order: trace.");
    expect(judge(PAGE, ["execute", "trace"])).toContain("in this order: execute, trace.");
  });

  it("finds a member or option that the page lacks", () => {
    expect(judge(without(5))).toContain("Explain `wrap` of `Extension`.");
    expect(judge(without(10))).toContain("Explain `size` of `LockOptions`.");
    expect(judge(PAGE.slice(0, 8))).toContain("Give `LockOptions` a heading and a table.");
  });

  it("finds a row that nothing has, one that is there twice, and a table of no interface", () => {
    expect(judge([...PAGE, "| `by` | text | none | Gone. |"])).toContain("`LockOptions` has no further `by`");
    expect(judge([...PAGE, "| `size` | number | 4 | Twice. |"])).toContain("`LockOptions` has no further `size`");
    expect(judge([...PAGE, "## `Gone`", "| `x` | text | none | Gone. |"])).toContain("is called `Gone`");
  });

  it("finds an option said to be required that is not, and the other way round", () => {
    const page = PAGE.map((line) =>
      line.replace("| 3 |", "| required |").replace("text | required | Where", "text | a | Where"),
    );
    expect(judge(page)).toContain("`size` of `LockOptions` is optional");
    expect(judge(page)).toContain("`file` of `LockOptions` is required");
  });
});
