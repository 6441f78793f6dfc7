import { mkdir } from "node:fs/promises";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { makeProject } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

const COMMANDS = [
  ["call", "ecko"],
  ["info", "ecko"],
  ["search", "zzz"],
] as const;

describe("sayNoProject", () => {
  it("names the tools nearest to a name in the folders of the environment, and no project to make", async () => {
    await using project = await makeProject();
    await using outside = await temporaryWorkspace();
    const environment = { AIWHISPERER_PLUGINS_DIR: project.path("node_modules") };
    for (const args of COMMANDS) {
      const { err } = await runAiw(outside.cwd, args, { environment });
      expect(err).toContain("aiw list");
      if (args[0] !== "search") expect(err).toMatch(/\becho\b/);
      expect(err).not.toContain("npm init");
    }
  });

  it("says of a folder of the environment without tools that it has none", async () => {
    await using outside = await temporaryWorkspace();
    await mkdir(outside.path("empty"));
    for (const folder of ["empty", "gone"]) {
      const environment = { AIWHISPERER_PLUGINS_DIR: outside.path(folder) };
      for (const args of [...COMMANDS, ["list"]]) {
        const { out, err } = await runAiw(outside.cwd, args, { environment });
        expect(out + err).toContain("aiw dev");
        expect(out + err).not.toContain("npm init");
        expect(out + err).toContain(outside.path(folder));
      }
    }
  });
});
