import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { applyPatch } from "./apply-patch.ts";
import { read } from "./read.ts";

const ABC = "one\ntwo\nthree\nfour\nfive\n";
const TWICE = ABC + ABC;
const path = "a.txt";
const lines = (sign: string, text: string): string => text.replaceAll(/^(?=.)/gmu, sign);
const deletion = (text: string): string =>
  `--- a/a.txt\n+++ /dev/null\n@@ -1,${text.split("\n").length - 1} +0,0 @@\n${lines("-", text)}`;

describe("apply_patch, what proves a hunk", () => {
  it("takes old lines that stand in the file exactly and once for their own proof", async () => {
    await using bench = await openBench({ "a.txt": ABC.replaceAll("\n", "\r\n") });
    const value = await bench.ok(applyPatch, { patch: "@@\n two\n-three\n+3\n@@\n-five\n+5", path });
    expect(value.files[0]?.edits?.map(({ strategy }) => strategy)).toEqual(["exact", "exact"]);
    expect(value.files[0]?.notices).toBeUndefined();
    expect(await bench.folder.read(path)).toBe("one\r\ntwo\r\n3\r\nfour\r\n5\r\n");
  });

  it.each([
    ["a looser match", ABC, "@@\n-two \n+2"],
    ["a number behind @@", TWICE, "@@ -7,1 +7,1 @@\n-two\n+2"],
    ["text behind @@", `head\n${ABC}tail\n${ABC}`, "@@ tail\n-two\n+2"],
    ["the end of the file", TWICE, "@@\n-five\n+5\n*** End of File"],
    ["the hunk above", TWICE.replace("four", "4"), "@@\n-4\n+four\n@@\n-two\n+2"],
    ["an addition at the end", ABC, "@@\n+six\n*** End of File"],
  ])("wants the lines shown as they are for %s", async (_what, text, patch) => {
    await using bench = await openBench({ "a.txt": text });
    expect((await bench.fail(applyPatch, { patch, path })).code).toBe("unread_target");
    await bench.ok(read, { file_paths: [path] });
    await bench.ok(applyPatch, { patch, path, dry_run: true });
    await writeFile(bench.folder.path(path), `${text}zero\n${text}`.slice(text.length));
    expect((await bench.fail(applyPatch, { patch, path })).code).toBe("conflict");
  });

  it("if the file changed since it was read, an exact unique match proceeds with a notice", async () => {
    await using bench = await openBench({ "a.txt": ABC });
    await bench.ok(read, { file_paths: [path] });
    await writeFile(bench.folder.path(path), `zero\n${ABC}`);
    const value = await bench.ok(applyPatch, { patch: "@@\n-two\n+2", path });
    expect(value.files[0]?.notices).toEqual([expect.stringContaining("file_changed_since_read")]);
    // What was shown of the former content counts for nothing; what the patch wrote is known.
    expect((await bench.fail(applyPatch, { patch: "@@\n-four \n+4", path })).code).toBe("unread_target");
    await bench.ok(applyPatch, { patch: "@@\n-2 \n+zwei", path });
  });

  it("names what is most like the old lines, whether the file was read or not", async () => {
    await using bench = await openBench({ "a.txt": "const total = sum(values);\nreturn total;\n" });
    const failure = await bench.fail(applyPatch, { patch: "@@\n-const total = sum(value);\n+x", path });
    expect(failure).toMatchObject({ code: "no_match", details: { failures: [{ candidates: [{ first_line: 1 }] }] } });
  });

  it("deletes a file that was never read where the diff lists all its lines exactly", async () => {
    await using bench = await openBench({ "a.txt": ABC });
    expect((await bench.fail(applyPatch, { patch: deletion(ABC.replace("two", "two ")) })).code).toBe("unread_target");
    await bench.ok(read, { file_paths: [path] });
    await writeFile(bench.folder.path(path), TWICE);
    expect((await bench.fail(applyPatch, { patch: deletion(ABC) })).code).toBe("conflict");
    const value = await bench.ok(applyPatch, { patch: deletion(TWICE) });
    expect(value.files).toMatchObject([
      { op: "delete", notices: [expect.stringContaining("file_changed_since_read")] },
    ]);
  });
});
