import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { configure } from "./configure-logging.ts";
import { createLogger } from "./create-logger.ts";

describe("createLogger", () => {
  it("says which file cannot be opened, and by configuration which key names it", async () => {
    const projectDir = await mkdtemp(join(tmpdir(), "aiw-logging-"));
    onTestFinished(() => rm(projectDir, { recursive: true, force: true }));
    const file = join(projectDir, "at", "calls.log");
    await writeFile(join(projectDir, "at"), "no folder");
    const fix = expect.stringContaining("another file") as string;
    await expect(createLogger({ file })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining(`${file} cannot be opened: `),
      fix,
    });
    await expect(configure({ file: "at/calls.log" }, { projectDir })).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringMatching(/^\/extensions\/logging\/file: The log /),
      details: { pointer: "/extensions/logging/file" },
      fix,
    });
  });
});
