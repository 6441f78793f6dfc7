import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { ROOT } from "../repo/repo.ts";
import { checkBuiltDoor } from "./built-doors.ts";

/** Packages whose root door promises to open in any runtime. */
const doors = Object.fromEntries(
  ["core", "executor", "ai-sdk"].map((name) => [`@aiw/${name}`, path.join(ROOT, `packages/${name}/dist/index.js`)]),
);

function readBuilt(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

describe("checkBuiltDoor", () => {
  it.each(Object.keys(doors))("holds for %s as built", (door) => {
    expect(describeFindings(checkBuiltDoor(door, doors, readBuilt))).toBe("");
  });

  it("follows files and our packages, and finds a module of Node behind them", () => {
    const files: Readonly<Record<string, string>> = {
      "/x.js": 'export { a } from "./a.js";',
      "/a.js": 'import { b } from "@aiw/y";',
      "/y.js": 'import "./b.js";',
      "/b.js": 'import { readFileSync } from "fs";',
    };
    const found = describeFindings(
      checkBuiltDoor("@aiw/x", { "@aiw/x": "/x.js", "@aiw/y": "/y.js" }, (file) => files[file]),
    );
    expect(found).toContain("@aiw/x -> ./a.js -> @aiw/y -> ./b.js -> fs");
  });

  it("lets a module of Node be imported on first use", () => {
    const files: Readonly<Record<string, string>> = { "/x.js": 'export const load = () => import("node:fs");' };
    expect(checkBuiltDoor("@aiw/x", { "@aiw/x": "/x.js" }, (file) => files[file])).toEqual([]);
  });

  it("finds a door that is not built", () => {
    expect(checkBuiltDoor("@aiw/x", { "@aiw/x": "/x.js" }, () => undefined)).toHaveLength(1);
  });
});
