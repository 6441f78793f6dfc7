import { ToolRegistry, defineTool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import type { RunningCall } from "../call/running-call.ts";
import { ToolLimits } from "./tool-limits.ts";

const registry = new ToolRegistry();
for (const [name, category] of [
  ["fetch_page", "network"],
  ["fetch_feed", "network"],
  ["read", "files"],
] as const)
  registry.register(defineTool({ name, category, description: "Acts.", effects: "pure", execute: () => name }));

function callOf(name: string): Pick<RunningCall, "entry" | "spec"> {
  const entry = registry.getEntry(name);
  if (entry === undefined) throw new TypeError(`no ${name}`);
  return { entry, spec: entry.spec };
}

describe("ToolLimits", () => {
  it("takes the time of the closest pattern, and that of the category where no pattern names one", () => {
    const limits = new ToolLimits({
      tools: {
        "*": { concurrency: 4 },
        "fetch_*": { timeoutMs: 2 },
        fetch_page: { timeoutMs: 1 },
        "fetch_pag*": { timeoutMs: 9 },
      },
      categories: { files: { timeoutMs: 3 }, network: { timeoutMs: 4 } },
    });
    expect(limits.of(callOf("fetch_page")).timeoutMs).toBe(1);
    expect(limits.of(callOf("fetch_feed")).timeoutMs).toBe(2);
    expect(limits.of(callOf("read")).timeoutMs).toBe(3);
  });

  it("has one pool for all tools that a pattern or category names", () => {
    const limits = new ToolLimits({
      tools: { "fetch_*": { concurrency: 1 } },
      categories: { network: { concurrency: 2 }, files: { concurrency: 1 } },
    });
    const [page, feed, read] = ["fetch_page", "fetch_feed", "read"].map((name) => limits.of(callOf(name)).pools);
    expect(page).toHaveLength(2);
    expect(feed).toEqual(page);
    expect(feed?.[0]).toBe(page?.[0]);
    expect(read).toHaveLength(1);
    expect(page).not.toContain(read?.[0]);
  });

  it("says nothing of a tool that nobody has or that nothing names", () => {
    const limits = new ToolLimits({ tools: { other: { timeoutMs: 1 } }, categories: {} });
    expect(limits.of(callOf("read"))).toEqual({ pools: [] });
    expect(limits.of({ entry: undefined, spec: undefined })).toEqual({ pools: [] });
  });
});
