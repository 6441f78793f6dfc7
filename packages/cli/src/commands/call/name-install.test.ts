import { AiwError } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeProject } from "../../__fixtures__/make-project.ts";
import { nameInstall } from "./name-install.ts";

describe("nameInstall", () => {
  const missing = new AiwError("extension_unavailable", "Pino is missing.", { fix: "npm install pino" });

  it("names the project's package manager", async () => {
    await using project = await makeProject();
    await project.write("pnpm-lock.yaml", "lockfileVersion: '9.0'\n");
    await expect(nameInstall(missing, project.cwd, { environment: {} })).rejects.toMatchObject({
      code: "extension_unavailable",
      message: "Pino is missing.",
      fix: "pnpm add pino",
    });
  });

  it("leaves everything else as it is", async () => {
    const other = new AiwError("config_invalid", "No.", { fix: "npm install pino" });
    await expect(nameInstall(other, "/", { environment: {} })).rejects.toBe(other);
    await expect(nameInstall("text", "/", { environment: {} })).rejects.toBe("text");
  });
});
