import { validateConfig } from "@aiw/core/node";
import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { CONFIG_SCHEMA_FILE } from "./config-page.ts";
import { checkConfigSnippets } from "./config-snippets.ts";
import { findSnippets } from "./snippets.ts";

function judge(...configs: readonly string[]): string {
  const page = configs.map((config) => `\`\`\`json\n${config}\n\`\`\`\n`).join("\n");
  const schema = openRepo().read(CONFIG_SCHEMA_FILE) ?? "";
  return describeFindings(
    checkConfigSnippets(repoOf({ "README.md": page, [CONFIG_SCHEMA_FILE]: schema }), validateConfig),
  );
}

describe("checkConfigSnippets", () => {
  it("holds for every page of this repository, and finds configurations in it", () => {
    const judged: unknown[] = [];
    const findings = checkConfigSnippets(openRepo(), (value) => judged.push(validateConfig(value)));
    expect(describeFindings(findings)).toBe("");
    expect(judged.length).toBeGreaterThan(5);
    expect(findSnippets(openRepo()).length).toBeGreaterThan(judged.length);
  });

  it("accepts what the loader accepts, and leaves other JSON alone", () => {
    expect(judge('{ "limits": { "timeoutMs": 5 } }', '{ "name": "x", "version": "1", "tools": 3 }', "[1]", "{a")).toBe(
      "",
    );
  });

  it("finds a wrong value, and a key that nobody knows, with the place of the snippet", () => {
    expect(judge('{ "limits": { "timeoutMs": 5 } }', '{ "limits": { "timeoutMs": "5" } }')).toContain("README.md:6");
    expect(judge('{ "extensions": { "audits": {} } }')).toContain("audits");
    expect(judge('{ "limit": {}, "tools": {} }')).toContain("limit");
  });
});
