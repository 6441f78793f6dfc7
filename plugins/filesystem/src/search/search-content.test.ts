import { chmod } from "node:fs/promises";
import { openWorkspace } from "@aiw/core/node";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { startDeadline } from "./deadline.ts";
import { grepInput } from "./grep-schema.ts";
import { openEngine } from "./open-engine.ts";
import { searchContent } from "./search-content.ts";
import { findSearchPlace } from "./search-place.ts";
import type { SearchOutcome } from "./search-query.ts";
import { toSearchQuery } from "./to-search-query.ts";

interface SearchOptions {
  readonly milliseconds: number;
  readonly engine?: "auto" | "builtin";
  readonly program?: string;
}

async function search(
  w: TemporaryWorkspace,
  input: object,
  { milliseconds, engine = "auto", program }: SearchOptions,
): Promise<SearchOutcome> {
  using deadline = startDeadline(milliseconds, new AbortController().signal);
  await using workspace = await openWorkspace(w);
  const place = await findSearchPlace(workspace, w, { path: ".", noIgnore: false });
  const query = toSearchQuery(grepInput.parse(input), deadline);
  const options = { search_engine: engine, ...(program !== undefined && { ripgrep_path: program }) };
  return await searchContent(openEngine({ options, roots: w.roots }), { workspace, place }, query);
}

const RECORDS = [
  '{"type":"begin","data":{"path":{"text":"./a.txt"}}}',
  '{"type":"match","data":{"path":{"text":"./a.txt"},"lines":{"text":"x"},"line_number":1,"submatches":[{"start":0,"end":1}]}}',
  '{"type":"end","data":{"path":{"text":"./a.txt"},"binary_offset":null}}',
];

describe("searchContent", () => {
  it("gives what was found when the time is over, and ends the program", async () => {
    await using w = await temporaryWorkspace({
      "slow.sh": `#!/bin/sh\n${RECORDS.map((line) => `echo '${line}'`).join("\n")}\nexec sleep 60\n`,
    });
    await chmod(w.path("slow.sh"), 0o755);
    const started = performance.now();
    const outcome = await search(w, { pattern: "x" }, { milliseconds: 500, program: w.path("slow.sh") });
    expect(outcome).toMatchObject({ stoppedBy: "time", files: [{ names: ["a.txt"], total: 1 }] });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("stops the built-in engine in the middle of a text", async () => {
    let seed = 1;
    const letters = Array.from({ length: 2_000_000 }, () =>
      (seed = (seed * 48_271) % 2_147_483_647) & 64 ? "a" : "b",
    );
    await using w = await temporaryWorkspace({ "b.txt": `${letters.join("")}\n` });
    const pattern = "(?:a.{200}b|b.{300}a|[ab]{2,400}b.{150})[c-e]";
    const outcome = await search(w, { pattern }, { milliseconds: 700, engine: "builtin" });
    expect(outcome.stoppedBy).toBe("time");
  });

  it("uses the built-in engine when no program ends as ripgrep does", async () => {
    await using w = await temporaryWorkspace({
      "crash.sh": '#!/bin/sh\necho \'{"type":"begin"\'\nkill -SEGV $$\n',
      "b.txt": "x\n",
    });
    await chmod(w.path("crash.sh"), 0o755);
    const outcome = await search(w, { pattern: "^x$" }, { milliseconds: 10_000, program: w.path("crash.sh") });
    expect(outcome.files).toMatchObject([{ names: ["b.txt"], total: 1 }]);
  });

  it("looks itself at a file whose lines are too long to be told", async () => {
    await using w = await temporaryWorkspace({ "a.txt": `${"y".repeat(1_200_000)}x\nx\n` });
    const outcome = await search(w, { pattern: "x" }, { milliseconds: 10_000 });
    expect(outcome).toMatchObject({
      engine: "ripgrep",
      files: [{ total: 2, hits: [{ line: 1, start: 1_200_000 }, { line: 2 }] }],
    });
    const blind = await search(w, { pattern: "x(?!y)", pcre2: true }, { milliseconds: 10_000 });
    expect(blind).toMatchObject({ files: [], unreadable: 1 });
  });
});
