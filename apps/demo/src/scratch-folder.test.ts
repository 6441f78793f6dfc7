import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createScratchFolder } from "./scratch-folder.ts";

describe("createScratchFolder", () => {
  it("goes away unless it holds a report", async () => {
    const folder = await createScratchFolder();
    expect([existsSync(folder.path), existsSync(folder.spare), existsSync(folder.report)]).toEqual([true, true, false]);
    await folder[Symbol.asyncDispose]();
    expect(existsSync(folder.path)).toBe(false);
  });

  it("keeps the report and nothing else", async () => {
    const folder = await createScratchFolder();
    await writeFile(folder.report, "facts");
    await folder[Symbol.asyncDispose]();
    expect([existsSync(folder.report), existsSync(folder.spare)]).toEqual([true, false]);
    await rm(folder.path, { recursive: true });
  });
});
