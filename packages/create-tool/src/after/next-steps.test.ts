import { describe, expect, it } from "vitest";
import { nextSteps } from "./next-steps.ts";

describe("nextSteps", () => {
  it("leads from here to a package that is checked, in three commands", () => {
    const done = { cwd: "/home", dir: "/home/my-tool", installed: false };
    expect(nextSteps({ packageManager: "pnpm" }, done)).toEqual(["cd my-tool", "pnpm install", "pnpm run check"]);
  });

  it("leaves out what is done", () => {
    const done = { cwd: "/home", dir: "/home", installed: true };
    expect(nextSteps({ packageManager: "npm" }, done)).toEqual(["npm run check"]);
  });

  it.skipIf(process.platform === "win32").each([
    ["a b", "cd 'a b'"],
    ["größe", "cd größe"],
    ["it's", "cd 'it'\\''s'"],
    ["$(x)", "cd '$(x)'"],
    ["-x", "cd './-x'"],
    ["a\\b", "cd 'a\\b'"],
  ])("writes %j as a shell reads it", (name, command) => {
    const done = { cwd: "/home", dir: `/home/${name}`, installed: true };
    expect(nextSteps({ packageManager: "npm" }, done)[0]).toBe(command);
  });
});
