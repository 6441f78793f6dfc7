import type { IsolationConfig } from "@aiw/core";
import type { SandboxProbe } from "@aiw/sandbox";
import { describe, expect, it } from "vitest";
import { checkIsolation } from "./check-isolation.ts";

const BUBBLEWRAP: SandboxProbe = {
  kind: "bubblewrap",
  program: "/usr/bin/bwrap",
  features: { disableUserns: true, sizedTmpfs: true },
};
const NONE: SandboxProbe = { kind: "none", reason: "bubblewrap is not installed.", fix: "Install it." };

function check(isolation: IsolationConfig | undefined, probe: SandboxProbe): ReturnType<typeof checkIsolation> {
  const found = ["@acme/one", "@acme/two"].map((id) => ({ id, notes: [], tools: [] }));
  const engine = {
    projectDir: "/project",
    config: isolation === undefined ? {} : { isolation },
    report: { waiting: [], found: found as never },
    environment: {},
    add: "npm install",
    program: undefined,
    version: "1.0.0",
  };
  return checkIsolation(engine, () => Promise.resolve(probe));
}

describe("checkIsolation", () => {
  it("asks nothing where nothing is isolated", async () => {
    expect(await check(undefined, NONE)).toEqual([]);
    expect(await check({ default: "in_process", packages: { "@acme/*": "in_process" } }, NONE)).toEqual([]);
  });

  it("names what confines, and says what Node's flags are not (SEC-NODE-1)", async () => {
    expect(await check({ default: "isolated" }, BUBBLEWRAP)).toEqual([
      {
        name: "isolation",
        level: "ok",
        message: "by bubblewrap (/usr/bin/bwrap); Node's permission flags are a second line, never isolation",
      },
    ]);
  });

  it("says why nothing does, whose calls are refused, and the way out", async () => {
    const isolation: IsolationConfig = {
      packages: { "@acme/*": "isolated" },
      grants: { "@acme/two": { confinement: "auto" } },
    };
    expect(await check(isolation, NONE)).toMatchObject([
      {
        level: "error",
        message: expect.stringMatching(/Calls of @acme\/one are refused\..*never isolation/),
        fix: "Install it.",
      },
    ]);
    const lenient = await check({ default: "isolated", grants: { "*": { confinement: "auto" } } }, NONE);
    expect(lenient).toMatchObject([{ level: "warning", message: expect.not.stringContaining("refused") }]);
  });

  it("names packages whose grants the sandbox refuses", async () => {
    const isolation: IsolationConfig = {
      default: "isolated",
      grants: { "@acme/one": { readable: ["/proc"] }, "@acme/two": { readable: ["/proc"], confinement: "off" } },
    };
    const checks = await check(isolation, BUBBLEWRAP);
    expect(checks.filter(({ level }) => level === "error")).toMatchObject([
      {
        message: expect.stringMatching(/^every call of @acme\/one fails, .*\/proc/),
        fix: expect.stringMatching(/grants/),
      },
    ]);
  });

  it("names packages whose confinement is off, whatever there is", async () => {
    const isolation: IsolationConfig = { default: "isolated", grants: { "@acme/one": { confinement: "off" } } };
    expect((await check(isolation, BUBBLEWRAP))[1]).toMatchObject({
      level: "warning",
      message: expect.stringMatching(/^@acme\/one runs in a process that nothing confines/),
    });
  });
});
