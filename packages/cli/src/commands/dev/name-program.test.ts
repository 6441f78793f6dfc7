import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { nameProgram } from "./name-program.ts";

const quote = (word: string): string => `'${word}'`;
const started = { argv: ["/bin/node", "/cache/.bin/aiw"], versions: {} };

describe("nameProgram", () => {
  it("names npx where the command is installed for the package, and what runs everywhere", async () => {
    await using workspace = await temporaryWorkspace({
      "node_modules/.bin/aiw": "",
      "packages/one/package.json": "{}",
    });
    const anywhere = "node '/cache/.bin/aiw'";
    const dir = workspace.path("packages/one");
    expect(nameProgram(dir, quote, started)).toEqual({ anywhere, inPackage: "npx aiw" });
  });

  it("names no npx where that would ask the registry", async () => {
    await using workspace = await temporaryWorkspace({ "package.json": "{}" });
    expect(nameProgram(workspace.cwd, quote, started)).toEqual({ anywhere: "node '/cache/.bin/aiw'" });
  });

  it("names yarn under Plug'n'Play, whose files no other process finds", () => {
    expect(nameProgram("/", quote, { ...started, versions: { pnp: "3" } })).toEqual({ inPackage: "yarn aiw" });
  });
});
