import { describe, expect, it } from "vitest";
import { resolveSecrets } from "./resolve-secrets.ts";

describe("resolveSecrets", () => {
  it("replaces references at any depth, in a copy", () => {
    const given = { key: { $env: "KEY" }, list: [{ $env: "KEY" }, 1, null], nested: { a: "b" } };
    expect(resolveSecrets(given, { KEY: "s3cret" })).toEqual({
      key: "s3cret",
      list: ["s3cret", 1, null],
      nested: { a: "b" },
    });
    expect(given.key).toEqual({ $env: "KEY" });
  });

  it("takes an empty value as a value", () => {
    expect(resolveSecrets({ $env: "KEY" }, { KEY: "" })).toBe("");
  });

  it.each<[string, unknown, string]>([
    ["a variable that is not set", { a: { $env: "NONE" } }, "/a needs the environment variable NONE"],
    ["a name from a prototype", { $env: "constructor" }, "needs the environment variable constructor"],
    ["a name that is no name", { $env: "A B" }, 'must be { "$env": "NAME" }'],
    ["a reference with company", { $env: "KEY", default: "x" }, "and nothing else"],
    ["a reference to a number", { $env: 1 }, 'must be { "$env": "NAME" }'],
  ])("refuses %s", (_what, value, message) => {
    const error = expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(message) });
    expect(() => resolveSecrets(value, { KEY: "s3cret" })).toThrow(error);
  });

  it("keeps a key called __proto__ a key", () => {
    const resolved = resolveSecrets(JSON.parse('{"__proto__":{"a":1}}'), {}) as object;
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
    expect(Object.keys(resolved)).toEqual(["__proto__"]);
  });
});
