import { describe, expect, it } from "vitest";
import { UsageError } from "../../usage-error.ts";
import { isPackageName, parseRequest } from "./parse-request.ts";

const HERE = { cwd: "/home/ada/project", fromAnywhere: false };

describe("parseRequest", () => {
  it.each([
    ["fx-tools", "fx-tools", "fx-tools@latest"],
    ["@acme/tools", "@acme/tools", "@acme/tools@latest"],
    ["@acme/tools@^1.2", "@acme/tools", "@acme/tools@^1.2"],
    ["fx@1.x", "fx", "fx@1.x"],
    ["fx@>=1.0.0", "fx", "fx@>=1.0.0"],
    ["fx@next-11", "fx", "fx@next-11"],
  ])("takes %s from the registry", (text, name, spec) => {
    expect(parseRequest(text, HERE)).toEqual({ text, name, spec });
  });

  it.each([
    "-g",
    "--ignore-scripts=false",
    "@-x/y",
    "fx@",
    "fx@../b",
    "fx@/b",
    "fx@http://host/a.tgz",
    "fx@git+ssh://host/a",
    "fx@github:a/b",
    "fx@npm:other@1",
    "fx@workspace:*",
    "fx@catalog:",
    "a/b",
    "file:../b",
    "..",
    ".",
    "node_modules",
    "@a/node_modules",
    "fx b",
    "fx\n--global",
    "fx\u0000",
    "fx.tgz",
    "fx.tar.gz@latest",
    "fx\r\n--global",
    "fx@$(id)",
    "fx@1;id",
    "fx@`id`",
    "fx@%PATH%",
    "@scope/..",
    "@scope/.hidden",
    "\u00a0--global",
    "\u2028fx",
    "\ufefffx",
    "ｆx",
    "a".repeat(215),
  ])("refuses %j", (text) => {
    expect(() => parseRequest(text, HERE)).toThrow(UsageError);
  });

  it("takes other places where they are allowed, paths from where they were typed", () => {
    const anywhere = { ...HERE, fromAnywhere: true };
    expect(parseRequest("../b", anywhere)).toEqual({ text: "../b", spec: "file:/home/ada/b" });
    expect(parseRequest("file:b", anywhere).spec).toBe("file:/home/ada/project/b");
    expect(parseRequest("fx@file:../b", anywhere).spec).toBe("fx@file:/home/ada/b");
    expect(parseRequest("fx@../b", anywhere).spec).toBe("fx@file:/home/ada/b");
    expect(parseRequest("git+ssh://git@host/a.git", anywhere).spec).toBe("git+ssh://git@host/a.git");
    expect(parseRequest("git+https://host/a.git", anywhere).spec).toBe("git+https://host/a.git");
    expect(parseRequest("fx@npm:other@1", anywhere)).not.toHaveProperty("name");
    expect(() => parseRequest("--global", anywhere)).toThrow(UsageError);
  });
});

describe("isPackageName", () => {
  it("takes no name that is a path or an option", () => {
    expect(["../a", "/a", "a/../b", "@a/../b", "-a", "@a/-b", ".a", "", "a\\b"].filter(isPackageName)).toEqual([]);
  });
});
