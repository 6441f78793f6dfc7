import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { FileStateReader, isDifferent } from "./file-states.ts";

describe("FileStateReader", () => {
  it("tells files that changed, came and went, and none whose bytes are the same", async () => {
    await using workspace = await temporaryWorkspace({
      "a.ts": "one",
      "lib/b.ts": "two",
      "node_modules/x.js": "",
      ".git/x": "",
    });
    const dir = workspace.cwd;
    const reader = new FileStateReader({ dir, elsewhere: () => [], isIgnored: () => false });
    const before = reader.read();
    expect([...before.keys()].toSorted()).toEqual([workspace.path("a.ts"), workspace.path("lib/b.ts")]);
    expect(reader.folders).toEqual([dir, workspace.path("lib")]);
    await workspace.write("a.ts", "one");
    await workspace.write("node_modules/x.js", "other");
    expect(isDifferent(before, reader.read(), dir)).toBe(false);
    await workspace.write("a.ts", "two");
    const changed = reader.read();
    expect(isDifferent(before, changed, dir)).toBe(true);
    await workspace.write("lib/c.ts", "");
    const more = reader.read();
    expect(isDifferent(changed, more, dir)).toBe(true);
    expect(isDifferent(more, changed, dir)).toBe(true);
  });

  it("passes over what does not count, and compares files elsewhere once they were read before", async () => {
    await using workspace = await temporaryWorkspace({ "p/a.ts": "", "p/out/a.js": "", "other/b.ts": "one" });
    const elsewhere: string[] = [];
    const dir = workspace.path("p");
    const isIgnored = (file: string, isFolder: boolean): boolean => isFolder && file === workspace.path("p/out");
    const reader = new FileStateReader({ dir, elsewhere: () => elsewhere, isIgnored });
    const before = reader.read();
    expect([...before.keys()]).toEqual([workspace.path("p/a.ts")]);
    elsewhere.push(workspace.path("other/b.ts"));
    const known = reader.read();
    expect(reader.folders).toContain(workspace.path("other"));
    expect(isDifferent(before, known, dir)).toBe(false);
    await workspace.write("other/b.ts", "two");
    expect(isDifferent(known, reader.read(), dir)).toBe(true);
  });

  it("reads on when a file or the whole folder goes", async () => {
    await using workspace = await temporaryWorkspace({ "p/a.ts": "" });
    const elsewhere = [workspace.path("gone.ts")];
    const reader = new FileStateReader({
      dir: workspace.path("q"),
      elsewhere: () => elsewhere,
      isIgnored: () => false,
    });
    expect(reader.read().size).toBe(0);
  });
});
