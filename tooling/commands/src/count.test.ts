import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT } from "./run-command.ts";

const clean = { numPassedTests: 2, numFailedTests: 0, numPendingTests: 1 };

function count(files: Readonly<Record<string, unknown>>): { last: string; code: number | null } {
  const folder = mkdtempSync(path.join(tmpdir(), "aiw-count-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  const run = spawnSync(process.execPath, [path.join(ROOT, ".ci/count.mjs"), folder, "a", "b"], { encoding: "utf8" });
  return { last: run.stdout.trimEnd().split("\n").at(-1) ?? "", code: run.status };
}

describe("count", () => {
  it("adds up the parts", () => {
    const files = { "a.json": clean, "a.exit": "0", "b.json": clean, "b.exit": "0" };
    expect(count(files)).toEqual({ last: "4 passed, 0 failed", code: 0 });
  });

  it("counts failed tests", () => {
    const files = { "a.json": { ...clean, numFailedTests: 3 }, "a.exit": "1", "b.json": clean, "b.exit": "0" };
    expect(count(files)).toEqual({ last: "4 passed, 3 failed", code: 1 });
  });

  it("counts a part without a report, or with half of one, as one failure", () => {
    expect(count({ "a.json": clean, "a.exit": "0", "b.exit": "1" })).toEqual({ last: "2 passed, 1 failed", code: 1 });
    expect(count({ "a.json": clean, "a.exit": "0", "b.json": '{"num' })).toEqual({
      last: "2 passed, 1 failed",
      code: 1,
    });
  });

  it("counts a part that ended badly although its tests passed", () => {
    const files = { "a.json": clean, "a.exit": "1", "b.json": clean, "b.exit": "0" };
    expect(count(files)).toEqual({ last: "4 passed, 1 failed", code: 1 });
  });

  it("counts a test file that could not be loaded", () => {
    const broken = { ...clean, testResults: [{ status: "failed", assertionResults: [] }] };
    expect(count({ "a.json": broken, "a.exit": "1", "b.json": clean, "b.exit": "0" }).last).toBe("4 passed, 1 failed");
  });
});
