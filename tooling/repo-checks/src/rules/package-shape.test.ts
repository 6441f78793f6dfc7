import { describe, expect, it } from "vitest";
import { describeFindings } from "../repo/finding.ts";
import { openRepo, repoOf } from "../repo/repo.ts";
import { checkPackageShape } from "./package-shape.ts";

const shape = {
  name: "@aiw/x",
  license: "MIT",
  type: "module",
  engines: { node: ">=22.19" },
  publishConfig: { access: "public" },
  repository: { directory: "packages/x" },
};

function judge(change: object, files: Record<string, string> = {}): string {
  const repo = repoOf({
    LICENSE: "MIT",
    "tsconfig.json": '{"references":[{"path":"./packages/x"},{"path":"./packages/y"}]}',
    "packages/x/tsconfig.json": "{}",
    "packages/x/LICENSE": "MIT",
    "packages/x/package.json": JSON.stringify({ ...shape, ...change }),
    ...files,
  });
  return describeFindings(checkPackageShape(repo));
}

describe("checkPackageShape", () => {
  it("holds in this repository", () => {
    expect(describeFindings(checkPackageShape(openRepo()))).toBe("");
  });

  it("accepts the shape itself", () => {
    expect(judge({ dependencies: { ajv: "8.20.0", zod: "catalog:" }, peerDependencies: { ai: "^7.0.0" } })).toBe("");
  });

  it.each([
    [{ license: "ISC" }, "license"],
    [{ type: "commonjs" }, "type"],
    [{ engines: { node: ">=20" } }, "engines"],
    [{ publishConfig: {} }, "publishConfig"],
    [{ repository: { directory: "packages/y" } }, "directory"],
  ])("finds %j", (change, word) => {
    expect(judge(change)).toContain(word);
  });

  it("finds a changed licence text", () => {
    expect(judge({}, { "packages/x/LICENSE": "other" })).toContain("Copy the LICENSE");
  });

  it.each([{ ajv: "^8.20.0" }, { ajv: "latest" }, { ajv: "*" }, { "@aiw/y": "1.0.0" }])(
    "finds the loose version %j",
    (dependencies) => {
      expect(judge({ dependencies })).toContain("pinned exactly");
    },
  );

  it("finds references that differ from the dependencies", () => {
    const other = {
      "packages/y/package.json": JSON.stringify({ name: "@aiw/y", private: true }),
      "packages/y/tsconfig.json": "{}",
    };
    const dependencies = { "@aiw/y": "workspace:^" };
    expect(judge({ dependencies }, other)).toContain('Add { "path": "../y" }');
    expect(judge({}, { ...other, "packages/x/tsconfig.json": '{"references":[{"path":"../y"}]}' })).toContain(
      "Remove the reference",
    );
    expect(judge({ dependencies }, { ...other, "packages/x/tsconfig.json": '{"references":[{"path":"../y"}]}' })).toBe(
      "",
    );
  });

  it("finds a package that the root does not compile", () => {
    expect(judge({}, { "tsconfig.json": "{}" })).toContain('Add { "path": "./packages/x" }');
    expect(judge({}, { "packages/z/package.json": '{"private":true}' })).toContain("packages/z/tsconfig.json");
  });
});
