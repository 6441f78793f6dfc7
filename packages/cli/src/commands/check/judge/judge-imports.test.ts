import { describe, expect, it } from "vitest";
import type { ImportReport } from "../probe/import-report.ts";
import { toOutcome } from "../scorecard.ts";
import { judgeImport } from "./judge-import-ending.ts";
import { judgeTime, type ImportSubject } from "./judge-imports.ts";

function importsOf(more: Partial<ImportReport>): ImportSubject {
  const nothing = {
    uncaught: [],
    handles: [],
    intrinsics: [],
    shared: [],
    globals: [],
    redirected: [],
    environment: [],
    opened: [],
    files: [],
    leftovers: [],
  };
  const report: ImportReport = {
    module: "./a.js",
    ended: "settled",
    printed: { stdout: "", stderr: "" },
    ...nothing,
    ...more,
  };
  return {
    reports: [report],
    packageDir: "/p",
    modules: ["./a.js", "./b.js"],
    dependencies: new Set(["there"]),
    timeoutMs: 15_000,
  };
}

describe("judgeTime", () => {
  it.each([
    [500, "pass"],
    [501, "warn"],
    [2000, "warn"],
    [2001, "fail"],
  ])("takes %i ms of processor time as a %s", (cpuMs, outcome) => {
    expect(toOutcome(judgeTime(importsOf({ cpuMs })))).toBe(outcome);
  });

  it("does not judge what was not measured", () => {
    expect(toOutcome(judgeTime(importsOf({ ended: "hung" })))).toBe("skipped");
  });
});

describe("judgeImport", () => {
  it("tells a dependency that is not installed from one that is not declared", () => {
    const missing = (name: string): string => {
      const error = {
        code: "ERR_MODULE_NOT_FOUND",
        message: `Error: Cannot find package '${name}' imported from /p/a.js`,
      };
      return judgeImport(importsOf({ ended: "threw", error }))[0]?.fix ?? "";
    };
    expect(missing("there")).toContain("Install what the package depends on");
    expect(missing("@acme/gone/deep.js")).toContain('Add "@acme/gone" to "dependencies"');
  });

  it("shows no place of the check's own, and names the modules that were not tried", () => {
    const [thrown, untried] = judgeImport(importsOf({ ended: "threw", error: { message: "Error: no /p/x.js" } }));
    expect(thrown?.reason).toBe("Importing it throws Error: no ./x.js.");
    expect(untried?.reason).toContain("./b.js");
  });
});
