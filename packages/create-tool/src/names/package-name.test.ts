import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packageNameProblem, toFolderName, toPackageName } from "./package-name.ts";

describe("packageNameProblem", () => {
  it.each(["a", "my-tool", "@acme/tickets", "@a1/b.c_d", "a".repeat(214)])("accepts %s", (name) => {
    expect(packageNameProblem(name)).toBeUndefined();
  });

  it.each([
    ["", "needs a name"],
    ["a".repeat(215), "214"],
    ["My-Tool", "capitals"],
    ["@Acme/tickets", "capitals"],
    ["my tool", "letters"],
    [".hidden", "letters"],
    ["_private", "letters"],
    ["-dash", "letters"],
    ["a/b", "letters"],
    ["@acme", "letters"],
    ["@acme/", "letters"],
    ["@acme/.x", "letters"],
    ["@acme/a/b", "letters"],
    ["../up", "letters"],
    ["größe", "letters"],
    ["a~b", "letters"],
    ["a\n", "letters"],
    ["http", "Node.js"],
    ["node_modules", "Node.js"],
  ])("refuses %j", (name, why) => {
    expect(packageNameProblem(name)).toContain(why);
  });
});

describe("toPackageName", () => {
  it.each([
    ["my-tool", "my-tool"],
    ["My Tool", "my-tool"],
    ["Größe & Maß", "gro-e-ma"],
    ["café #1", "cafe-1"],
    ["_x_", "x"],
    ["http", "http-tool"],
    ["", "my-tool"],
    ["東京", "my-tool"],
  ])("makes a name of %j", (folder, name) => {
    expect(toPackageName(folder)).toBe(name);
  });

  it("makes a legal name of any folder", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (folder) => {
        expect(packageNameProblem(toPackageName(folder))).toBeUndefined();
      }),
    );
  });
});

describe("toFolderName", () => {
  it("leaves the scope out", () => {
    expect(toFolderName("@acme/tickets")).toBe("tickets");
    expect(toFolderName("tickets")).toBe("tickets");
  });
});
