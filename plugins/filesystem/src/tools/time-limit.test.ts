import { runTool } from "@aiw/core";
import { describe, expect, it, vi } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { filesystemOptions } from "../options.ts";
import type * as deadlines from "../search/deadline.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { tree } from "./tree.ts";

/** Twenty seconds are a long time for a test. */
vi.mock(import("../search/deadline.ts"), async (load) => {
  const real: typeof deadlines = await load();
  return { ...real, startDeadline: (_milliseconds, signal) => real.startDeadline(3, signal) };
});

function openLargeBench(): Promise<Bench> {
  const files = Array.from({ length: 1500 }, (_, n) => [`d${n % 50}/f${n}.txt`, `needle ${n}\n`.repeat(200)] as const);
  return openBench(Object.fromEntries(files));
}

describe.each(["auto", "builtin"])("time-out shown as empty, engine %s", (search_engine) => {
  it("partial answer with `timed_out`, which is not an error", { timeout: 30_000 }, async () => {
    await using bench = await openLargeBench();
    const environment = { ...bench.fake.environment, options: filesystemOptions.parse({ search_engine }) };
    const said = { timed_out: true, notices: expect.arrayContaining([expect.stringMatching(/^Stopped after/u)]) };
    const hits = await runTool(grep, { pattern: "needle \\d+0\\b", output_mode: "count" }, environment);
    expect(hits).toMatchObject({ success: true, value: { ...said, total_exact: false, truncated_by: "time" } });
    const paths = await runTool(glob, { patterns: ["**/*.txt"], sort: "size" }, environment);
    expect(paths).toMatchObject({ success: true, value: { ...said, total_exact: false } });
    expect(JSON.stringify([hits, paths])).not.toMatch(/Nothing matched|No line matched/u);
    for (const { preview } of [hits, paths]) expect(preview[0]).toContain("before the time was over");
  });
});

describe("tree", () => {
  it("time-out shown as empty: partial answer with `timed_out`, which is not an error", async () => {
    await using bench = await openLargeBench();
    expect(await bench.ok(tree, { max_entries: 5000 })).toMatchObject({ timed_out: true });
  });
});
