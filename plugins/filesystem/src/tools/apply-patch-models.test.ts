import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { APP, MODEL_PATCHES } from "../__fixtures__/model-patches.ts";
import { applyPatch } from "./apply-patch.ts";
import { read } from "./read.ts";

describe("apply_patch, as models send patches", () => {
  it.each(MODEL_PATCHES)("$name", async ({ patch, path, after, other, code }) => {
    await using bench = await openBench({ "src/app.ts": APP });
    await bench.ok(read, { file_paths: ["src/app.ts"] });
    const input = { patch, ...(path !== undefined && { path }) };
    if (code !== undefined) {
      const failure = await bench.fail(applyPatch, input);
      expect(failure).toMatchObject({ code, suggestion: expect.any(String) });
      expect(await bench.folder.read("src/app.ts")).toBe(APP);
      return;
    }
    await bench.ok(applyPatch, input);
    if (after !== undefined) expect(await bench.folder.read("src/app.ts")).toBe(after);
    if (other !== undefined) expect(await bench.folder.read(other[0])).toBe(other[1]);
  });

  it("names the line of the patch, its text, and what was expected there", async () => {
    await using bench = await openBench({});
    const failure = await bench.fail(applyPatch, { patch: "*** Begin Patch\n*** Add File: a\n+x\ny\n*** End Patch\n" });
    expect(failure.error).toContain(
      'Line 4 of the patch: expected a line of the new file, which begins with "+", or the next file, found "y".',
    );
    expect(failure.details).toMatchObject({ line: 4, text: "y" });
  });
});
