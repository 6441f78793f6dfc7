import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, vi } from "vitest";
import type { Manager } from "../manager/open-manager.ts";
import { changeProject } from "./change-project.ts";

describe("changeProject", () => {
  it("takes a change back that was interrupted, though the package manager ended well", async () => {
    await using folder = await temporaryWorkspace({ "package.json": "{}" });
    const stop = new AbortController();
    const run: Manager["run"] = async () => {
      await folder.write("package.json", '{"changed":true}');
      stop.abort();
      return { exitCode: 0, stdout: "", said: "", interrupted: false };
    };
    const complete = vi.fn(async () => undefined);
    const project = {
      dir: folder.cwd,
      root: folder.cwd,
      isWorkspaceRoot: false,
      isPnp: false,
      manager: { name: "npm", kind: "npm", run } as const,
      environment: {},
    };
    const say = (): void => undefined;
    const ended = await changeProject({ project, runs: [["install"]], names: [], signal: stop.signal, complete, say });
    expect(ended).toBe("interrupted");
    expect(complete).not.toHaveBeenCalled();
    expect(await folder.read("package.json")).toBe("{}");
  });
});
