import { describe, expect, it } from "vitest";
import type { AiwConfig } from "../../config/aiw-config.ts";
import { findUnmatchedPatterns } from "./unmatched-patterns.ts";

const tool = (id: string) => ({
  id,
  name: id.slice(id.lastIndexOf("/") + 1),
  origin: { source: "package", package: id.slice(0, id.lastIndexOf("/")) },
});
const TOOLS = [tool("@acme/shell/bash"), tool("files/read")];

function pointers(config: AiwConfig, unread: readonly string[] = []): string[] {
  return findUnmatchedPatterns({ config, tools: TOOLS }, { project: "shop", unread }).map(
    ({ pointer = "", reason }) => `${pointer} ${/"([^"]*)", and no tool/.exec(reason)?.[1]}`,
  );
}

describe("findUnmatchedPatterns", () => {
  it("says nothing of patterns that mean a tool, whichever way they are written", () => {
    const patterns = ["bash", "@acme/shell", "@acme/shell/bash", "@acme/*", "files/*", "re?d", "*"];
    expect(pointers({ tools: { enabled: patterns, disabled: patterns } })).toEqual([]);
  });

  it("names every switch that nothing is called like, and what may have been meant", () => {
    const config = { tools: { enabled: ["files", "fils"], disabled: ["bahs", "@acme/shel/bash", "drop_*"] } };
    expect(pointers(config)).toEqual([
      "/tools/enabled fils",
      "/tools/disabled bahs",
      "/tools/disabled @acme/shel/bash",
      "/tools/disabled drop_*",
    ]);
    const [, finding] = findUnmatchedPatterns({ config, tools: TOOLS }, { project: "shop", unread: [] });
    expect(finding).toMatchObject({ code: "pattern_unmatched", package: "shop", fix: "Did you mean bash?" });
  });

  it("names rules of the file that reach no tool; rules of a host may be about other projects", () => {
    const decision = "deny" as const;
    const rules = [
      { id: "aiw.config.json#/policy/rules/0", match: { tool: "bahs" }, decision },
      { id: "aiw.config.json#/policy/rules/1", match: { tool: "@acme/*" }, decision },
      { id: "aiw.config.json#no drops", match: { tool: "drop" }, decision },
      { id: "aiw.config.json#/policy/rules/3", match: { input: { a: 1 } }, decision },
      { match: { tool: "elsewhere" }, decision },
    ];
    expect(pointers({ policy: { rules } })).toEqual(["/policy/rules/0 bahs", "no drops drop"]);
  });

  it("says of a rule with an id of its own that it is a rule", () => {
    const rules = [{ id: "aiw.config.json#status", match: { tool: "zzzzzzzz" }, decision: "ask" as const }];
    const [finding] = findUnmatchedPatterns(
      { config: { policy: { rules } }, tools: TOOLS },
      { project: "shop", unread: [] },
    );
    expect(finding).toMatchObject({
      reason:
        'The rule whose id is "status" names "zzzzzzzz", and no tool that was looked at is called so: it does nothing.',
      fix: 'Correct the rule whose id is "status", or install the package.',
    });
  });

  it("names preferences of a tool or a package that is not there", () => {
    const prefer = { bash: "@acme/shell", bahs: "@acme/shell", read: "fils" };
    expect(pointers({ tools: { prefer } })).toEqual([
      "/tools/prefer/bahs @acme/shell/bahs",
      "/tools/prefer/read fils/read",
    ]);
    expect(pointers({ tools: { prefer: { x: "gone" } } }, ["gone"])).toEqual([]);
  });

  it("says nothing of what may mean tools that nobody looked at", () => {
    const config = { tools: { disabled: ["bahs", "gone", "gone/x", "gone/*", "other/x"] } };
    expect(pointers(config, ["gone"])).toEqual(["/tools/disabled other/x"]);
  });

  it("names no more patterns than anybody reads", () => {
    const pattern = `${"*a".repeat(255)}b`;
    expect(pointers({ tools: { disabled: Array.from({ length: 500 }, () => pattern) } })).toHaveLength(20);
  });
});
