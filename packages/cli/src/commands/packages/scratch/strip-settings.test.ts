import { describe, expect, it } from "vitest";
import { stripOverrides, stripWorkspaceSettings } from "./strip-settings.ts";

describe("stripWorkspaceSettings", () => {
  it("keeps registries, ages and catalogs, and leaves out what leads into the project", () => {
    const text = [
      "# ours",
      "packages:",
      "  - packages/*",
      "- also/*",
      "minimumReleaseAge: 1440",
      '"patchedDependencies":',
      "  a: patches/a.patch",
      "catalog:",
      "  zod: ^4.0.0",
      "overrides: { a: link:../a }",
      "registries:",
      "  '@acme': https://host/",
    ].join("\r\n");
    expect(stripWorkspaceSettings(text).split("\n")).toEqual([
      "# ours",
      "minimumReleaseAge: 1440",
      "catalog:",
      "  zod: ^4.0.0",
      "registries:",
      "  '@acme': https://host/",
    ]);
  });
});

describe("stripOverrides", () => {
  it("keeps versions, and leaves out files and references", () => {
    expect(stripOverrides({ a: "1.0.0", b: "$b", c: { ".": "2.0.0", d: "file:../d" }, e: { f: "link:./f" } })).toEqual({
      a: "1.0.0",
      c: { ".": "2.0.0" },
    });
    expect(stripOverrides({ a: "workspace:*" })).toBeUndefined();
  });
});
