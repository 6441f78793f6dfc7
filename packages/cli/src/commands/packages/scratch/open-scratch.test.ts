import { readFile, stat } from "node:fs/promises";
import * as path from "node:path";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, vi } from "vitest";
import { openScratch } from "./open-scratch.ts";

describe("openScratch", () => {
  it("copies settings for their owner alone, no code of the project, and leaves nothing", async () => {
    const settings = "//host/:_authToken=secret";
    await using folder = await temporaryWorkspace({
      "package.json": '{"name":"p","scripts":{"preinstall":"x"},"dependencies":{"a":"1"}}',
      ".npmrc": settings,
      ".pnpmfile.cjs": "process.exit(1)",
    });
    const run = vi.fn();
    const scratch = await openScratch({
      dir: folder.cwd,
      root: folder.cwd,
      isWorkspaceRoot: false,
      isPnp: false,
      manager: { name: "pnpm", kind: "pnpm", run },
      environment: {},
    });
    const file = path.join(scratch.dir, ".npmrc");
    expect(await readFile(file, "utf8")).toBe(settings);
    if (process.platform !== "win32") {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(scratch.dir)).mode & 0o777).toBe(0o700);
    }
    await expect(stat(path.join(scratch.dir, ".pnpmfile.cjs"))).rejects.toThrow("ENOENT");
    expect(JSON.parse(await readFile(path.join(scratch.dir, "package.json"), "utf8"))).not.toHaveProperty("scripts");
    await scratch.close();
    await expect(stat(scratch.dir)).rejects.toThrow("ENOENT");
  });
});
