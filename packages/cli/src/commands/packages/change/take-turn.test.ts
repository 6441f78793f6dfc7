import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { takeTurn } from "./take-turn.ts";

describe("takeTurn", () => {
  it("keeps copies that nobody commits or publishes, and leaves nothing behind", async () => {
    await using project = await temporaryWorkspace({ "package.json": "{}" });
    const turn = await takeTurn(project.cwd);
    await turn.keep("/x/.npmrc", Buffer.from("//host/:_authToken=secret"));
    expect(await project.read(".aiw/package-change/1-.npmrc")).toContain("secret");
    expect(await project.read(".aiw/package-change/.gitignore")).toBe("*\n");
    await turn.release();
    expect(await project.list()).toEqual(["package.json"]);
  });

  it("is one process's at a time", async () => {
    await using project = await temporaryWorkspace({ "package.json": "{}" });
    const turn = await takeTurn(project.cwd);
    await expect(takeTurn(project.cwd)).rejects.toMatchObject({ code: "package_change_running" });
    await turn.release();
    await (await takeTurn(project.cwd)).release();
  });
});
