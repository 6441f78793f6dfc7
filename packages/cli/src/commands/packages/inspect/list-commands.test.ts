import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { findShadowed, listCommands } from "./list-commands.ts";

describe("listCommands", () => {
  it.each([
    [{ name: "@acme/tools", bin: "./x.js" }, ["tools"]],
    [{ name: "fx", bin: { b: "./b.js", a: "./a.js" } }, ["a", "b"]],
    [{ name: "fx" }, []],
    [{ name: 5, bin: "./x.js" }, []],
    [{ name: "fx", bin: ["x"] }, []],
  ])("reads %j", (packageJson, commands) => {
    expect(listCommands(packageJson)).toEqual(commands);
  });
});

describe("findShadowed", () => {
  it("finds programs everybody knows, and other packages' commands, but no former one of its own", async () => {
    await using project = await temporaryWorkspace({
      "node_modules/.bin/eslint": "",
      "node_modules/.bin/mine": "",
      "node_modules/fx/package.json": '{"name":"fx","version":"1.0.0","bin":{"mine":"./x.js"}}',
    });
    const commands = ["eslint", "mine", "new", "npm", "../../escape"];
    expect(await findShadowed({ name: "fx", commands }, project.cwd)).toEqual([
      { command: "eslint", package: "fx" },
      { command: "npm", package: "fx" },
    ]);
    expect(await findShadowed({ name: "npm", commands: ["npm", "npx"] }, project.cwd)).toEqual([]);
  });
});
