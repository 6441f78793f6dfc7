import { link, lstat, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { runTool } from "@aiw/core";
import { fakeContext } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { filesystemOptions } from "../options.ts";
import { applyPatch } from "./apply-patch.ts";

const marked = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

describe("apply_patch, links and rules", () => {
  it("moves a symbolic link with hunks: the link itself moves, and what it leads to is written", async () => {
    await using bench = await openBench({ "real.txt": "one\n" });
    await symlink("real.txt", bench.folder.path("link.txt"));
    const patch = marked("*** Update File: link.txt", "*** Move to: sub.txt", "-one", "+1");
    const result = await runTool(applyPatch, { patch }, bench.fake.environment);
    expect(result.success).toBe(true);
    expect(await readlink(bench.folder.path("sub.txt"))).toBe("real.txt");
    expect(await bench.folder.read("real.txt")).toBe("1\n");
    await expect(lstat(bench.folder.path("link.txt"))).rejects.toThrow("ENOENT");
  });

  it("a symbolic link that would lead nowhere from its new place moves back, and nothing is written", async () => {
    await using bench = await openBench({ "real.txt": "one\n" });
    await symlink("real.txt", bench.folder.path("link.txt"));
    const patch = marked("*** Update File: link.txt", "*** Move to: sub/link.txt", "-one", "+1");
    await bench.fail(applyPatch, { patch });
    expect(await readlink(bench.folder.path("link.txt"))).toBe("real.txt");
    expect(await bench.folder.read("real.txt")).toBe("one\n");
    await expect(lstat(bench.folder.path("sub"))).rejects.toThrow("ENOENT");
  });

  it("hard link: written through where hard_links says keep", async () => {
    await using bench = await openBench({ "a.txt": "one\n" });
    await link(bench.folder.path("a.txt"), bench.folder.path("b.txt"));
    const patch = marked("*** Update File: a.txt", "-one", "+1");
    const result = await runTool(applyPatch, { patch }, {
      ...bench.fake.environment,
      options: { hard_links: "keep" },
    } as never);
    expect(result.success).toBe(true);
    expect(await bench.folder.read("b.txt")).toBe("1\n");
    expect((await stat(bench.folder.path("a.txt"))).nlink).toBe(2);
  });

  it("a path that is denied, or in a read-only root, refuses the whole patch, partial or not", async () => {
    await using bench = await openBench({ "a.txt": "one\n", "lib/b.txt": "one\n" });
    const { cwd, roots } = bench.fake.context.workspace;
    const patch = marked("*** Update File: a.txt", "-one", "+1", "*** Update File: lib/b.txt", "-one", "+1");
    for (const rules of [{ deny: ["lib/**"] }, { readOnly: [bench.folder.path("lib")] }]) {
      const { environment } = fakeContext({ workspace: { cwd, roots, ...rules } });
      for (const partial of [false, true]) {
        for (const dry_run of [false, true]) {
          const result = await runTool(applyPatch, { patch, partial, dry_run }, environment);
          expect(result).toMatchObject({ success: false, code: "denied_by_policy" });
        }
      }
    }
    expect(await bench.folder.read("a.txt")).toBe("one\n");
  });

  it("a file changed between planning and writing is left as it is, and so are the others", async () => {
    await using bench = await openBench({ "a.txt": "one\n", "b.txt": "one\n" });
    const patch = marked("*** Update File: a.txt", "-one", "+1", "*** Update File: b.txt", "-one", "+1");
    const other = "somebody else's\n";
    let isChanged = false;
    const options = filesystemOptions.parse({});
    const { context } = fakeContext({ workspace: bench.folder, options });
    const session = {
      get: async (key: { readonly name?: string }) => {
        const value: unknown = await context.session.get(key as never);
        // The read state is asked for first, the journal when all is planned.
        if (value !== null && typeof value === "object" && !("covers" in value) && !isChanged) {
          isChanged = true;
          await writeFile(bench.folder.path("b.txt"), other);
        }
        return value;
      },
    };
    const { workspace, signal, callId, log } = context;
    const changing = { workspace, signal, callId, log, options, session } as never;
    const call = Promise.resolve(applyPatch.execute({ patch, partial: false, dry_run: false }, changing));
    // Planned anew, the lines to change are no more in the other file.
    await expect(call).rejects.toMatchObject({ code: "no_match" });
    expect(isChanged).toBe(true);
    expect(await bench.folder.read("a.txt")).toBe("one\n");
    expect(await bench.folder.read("b.txt")).toBe(other);
  });
});
