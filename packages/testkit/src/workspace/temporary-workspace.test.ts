import { existsSync } from "node:fs";
import { chmod, rm, stat, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryWorkspace } from "./temporary-workspace.ts";

describe("temporaryWorkspace", () => {
  it("holds the entries given and is gone at the end", async () => {
    let cwd: string;
    {
      await using folder = await temporaryWorkspace({
        "a/b.txt": "hello",
        "c.bin": Uint8Array.of(0, 255),
        "empty/": "",
      });
      cwd = folder.cwd;
      expect(await folder.read("a/b.txt")).toBe("hello");
      expect([...(await folder.readBytes("c.bin"))]).toEqual([0, 255]);
      expect(await folder.list()).toEqual(["a/", "a/b.txt", "c.bin", "empty/"]);
      expect(folder.roots).toEqual([cwd]);
    }
    expect(existsSync(cwd)).toBe(false);
  });

  it("makes links and modes", async () => {
    await using folder = await temporaryWorkspace({
      "run.sh": { content: "#!/bin/sh\n", mode: 0o755 },
      "bin/link": { link: "../run.sh" },
    });
    expect((await stat(folder.path("run.sh"))).mode & 0o777).toBe(0o755);
    expect(await folder.read("bin/link")).toBe("#!/bin/sh\n");
  });

  it("says what was added, changed and removed since it was made or marked", async () => {
    await using folder = await temporaryWorkspace({
      "same.txt": "1",
      "text.txt": "1",
      "mode.txt": "1",
      "gone/x": "1",
      to: { link: "a" },
    });
    expect(await folder.changes()).toEqual({ added: [], changed: [], removed: [] });
    await folder.write("new/y", "2");
    await folder.write("same.txt", "1");
    await folder.write("text.txt", "2");
    await chmod(folder.path("mode.txt"), 0o600);
    await rm(folder.path("gone"), { recursive: true });
    await rm(folder.path("to"));
    await symlink("b", folder.path("to"));
    expect(await folder.changes()).toEqual({
      added: ["new/", "new/y"],
      changed: ["mode.txt", "text.txt", "to"],
      removed: ["gone/", "gone/x"],
    });
    await folder.mark();
    expect(await folder.changes()).toEqual({ added: [], changed: [], removed: [] });
  });

  it("removes folders nobody may write, and nothing that links lead to", async () => {
    await using outside = await temporaryWorkspace({ "kept.txt": "kept" });
    {
      await using folder = await temporaryWorkspace({ "shut/a": "1", out: { link: outside.cwd } });
      await chmod(folder.path("shut"), 0o500);
      expect(await folder.list()).toContain("out");
    }
    expect(await outside.read("kept.txt")).toBe("kept");
  });
});
