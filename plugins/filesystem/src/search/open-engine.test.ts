import { chmod, realpath, symlink } from "node:fs/promises";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { openEngine } from "./open-engine.ts";

const OPTIONS = { search_engine: "auto" } as const;

describe("openEngine", () => {
  it("tries the configured program, the bundled one, then those of PATH that no workspace holds", async () => {
    await using trusted = await temporaryWorkspace({ rg: "" });
    await using other = await temporaryWorkspace();
    await using root = await temporaryWorkspace({ "bin/rg": "" });
    await chmod(trusted.path("rg"), 0o755);
    await chmod(root.path("bin/rg"), 0o755);
    await symlink(root.path("bin/rg"), other.path("rg"));
    const searchPath = ["bin", "", root.path("bin"), other.cwd, trusted.cwd].join(":");
    const options = { ...OPTIONS, ripgrep_path: "/configured/rg" };
    const engine = openEngine({ options, roots: root.roots, searchPath });
    const tried: string[] = [];
    expect(await engine.withRipgrep(async (program) => void tried.push(program))).toBeUndefined();
    expect(tried[0]).toBe("/configured/rg");
    expect(tried[1]).toMatch(/ripgrep.*rg/u);
    expect(tried.slice(2)).toEqual([await realpath(trusted.path("rg"))]);
    expect(engine.missing).toBe("ripgrep was not found");
  });

  it("looks again when the program that worked is gone", async () => {
    const engine = openEngine({ options: OPTIONS, roots: [], searchPath: "" });
    const first = await engine.withRipgrep(async (program) => program);
    let calls = 0;
    const second = await engine.withRipgrep(async (program) => ((calls += 1) === 1 ? undefined : program));
    expect([second, calls]).toEqual([first, 2]);
  });

  it("starts nothing when the operator says so", async () => {
    const engine = openEngine({ options: { search_engine: "builtin" }, roots: [], searchPath: "" });
    expect(await engine.withRipgrep(async () => "used")).toBeUndefined();
    expect(engine.missing).toContain("operator");
  });
});
