import { describe, expect, it } from "vitest";
import { isPackageKey } from "./package-key.ts";
import { validateConfig } from "./validate-config.ts";

describe("validateConfig", () => {
  it("accepts everything it documents", () => {
    const config = {
      tools: {
        enabled: ["@acme/*", "dir:./my tools/read", "find_?", "*"],
        disabled: ["@acme/tools/drop_table", "@acme/tools", "bash", "fx-plain/read"],
        prefer: { read: "@aiw/plugin-filesystem" },
      },
      plugins: { "@aiw/plugin-web": { key: { $env: "KEY" }, allow_private: [] } },
      policy: {
        rules: [{ match: { tool: "bash", input: { command: "git status" } }, decision: "allow", reason: "Harmless." }],
      },
      $schema: "./node_modules/@aiw/core/aiw.config.schema.json",
      toolsets: { readonly: { effects: { readOnly: true } }, review: { extends: ["readonly"], include: ["bash"] } },
      limits: { timeoutMs: 60_000, depth: 0, loadTimeoutMs: 5 },
      sources: { directories: ["./tools"] },
      discovery: { requireStatic: true, onDuplicate: "error", cache: false },
    };
    expect(validateConfig(config)).toBe(config);
    expect(validateConfig(undefined)).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ["a list", [], "/ must be an object, is a list"],
    ["null", null, "/ must be an object, is null"],
    ["a misspelt key", { tool: {} }, "/tool is unknown; nearest: tools"],
    ["a key of a prototype", JSON.parse('{"__proto__":{}}'), "/__proto__ is unknown"],
    ["an unknown inner key", { limits: { speed: 3 } }, "/limits/speed is unknown; known: timeoutMs"],
    ["a text as list of patterns", { tools: { enabled: "read" } }, "/tools/enabled must be a list, is a string"],
    ["an empty pattern", { tools: { enabled: [""] } }, "/tools/enabled/0 must be a package"],
    ["keys of later releases", { certification: {} }, "/certification is unknown; known: $schema, tools"],
    ["a toolset without a name", { toolsets: { "": {} } }, "/toolsets/ must be keyed by a name"],
    ["an unknown condition", { toolsets: { a: { tag: [] } } }, "/toolsets/a/tag is unknown; nearest: tags"],
    [
      "a flag that is a text",
      { discovery: { requireStatic: "yes" } },
      "/discovery/requireStatic must be true or false",
    ],
    ["an unknown word", { discovery: { onDuplicate: "first" } }, '/discovery/onDuplicate must be "warn" or "error"'],
    [
      "a folder with NUL",
      { sources: { directories: ["a\0b"] } },
      "/sources/directories/0 must be the path of a folder",
    ],
    ["a part of a count", { limits: { depth: 1.5 } }, "/limits/depth must be a whole number from 0"],
    ["half a character", { plugins: { x: { a: "\ud800" } } }, "/plugins/x must be JSON"],
    ["a path as disabled", { tools: { disabled: ["../x"] } }, "/tools/disabled/0 must be a package"],
    [
      "a preference for no package",
      { tools: { prefer: { read: "../x" } } },
      "/tools/prefer/read must name the package",
    ],
    [
      "a preference for no tool",
      { tools: { prefer: { "a.b": "x" } } },
      "/tools/prefer/a.b must be keyed by a tool name",
    ],
    ["options of no package", { plugins: { "../x": {} } }, "/plugins/..~1x must be keyed by a package name"],
    ["options that are no object", { plugins: { x: [] } }, "/plugins/x must be an object of options"],
    ["options that are no JSON", { plugins: { x: { f: () => 1 } } }, "/plugins/x must be JSON"],
    [
      "a rule for every tool",
      { policy: { rules: [{ match: {}, decision: "allow" }] } },
      "/policy/rules/0/match must name a tool",
    ],
    [
      "a rule without a decision",
      { policy: { rules: [{ match: { tool: "a" } }] } },
      "/policy/rules/0/decision is required",
    ],
    [
      "an unknown decision",
      { policy: { rules: [{ match: { tool: "a" }, decision: "yes" }] } },
      '/policy/rules/0/decision must be "allow"',
    ],
    [
      "a timeout of nothing",
      { limits: { timeoutMs: 0 } },
      "/limits/timeoutMs must be a whole number of milliseconds from 1",
    ],
    ["a timeout that timers do not keep", { limits: { timeoutMs: 2 ** 31 } }, "/limits/timeoutMs"],
  ])("refuses %s", (_what, config, message) => {
    expect(() => validateConfig(config)).toThrow(
      expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(message) }),
    );
  });

  it("refuses, in bounded time, what holds itself or is too deep", () => {
    const circle: Record<string, unknown> = {};
    circle["a"] = circle["b"] = circle;
    expect(() => validateConfig({ plugins: { x: circle } })).toThrow(/must (?:have fewer than|be at most)/);
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level += 1) deep = { a: deep };
    expect(() => validateConfig({ plugins: { x: deep } })).toThrow(/must be at most 64 levels deep/);
  });

  it("names every wrong value at once", () => {
    const config = { limits: { timeoutMs: "1" }, tools: { disabled: "read" } };
    expect(() => validateConfig(config)).toThrow(/limits\/timeoutMs.*tools\/disabled/);
  });

  it("keeps what names of members say in the line of their place", () => {
    const name = "a\r\nall is well\u001b[2K\u202e";
    const error = (() => {
      try {
        validateConfig({ [name]: 1 });
      } catch (thrown) {
        return thrown as { message: string; fix: string };
      }
      return undefined;
    })();
    const shown = String.raw`/a all is well\u{1b}[2K\u{202e}`;
    expect(error?.message).toContain(`is wrong: ${shown} is unknown`);
    expect(error?.fix).toBe(`Correct ${shown}.`);
  });
});

describe("isPackageKey", () => {
  it.each(["a", "@a/b", "A_b.c~d", "events", "constructor", "0", "-"])("accepts %s", (key) => {
    expect(isPackageKey(key)).toBe(true);
  });

  it.each([
    "",
    ".",
    "..",
    "../a",
    "a/..",
    "@a",
    "@a/b/c",
    "@/a",
    "@a/",
    "a/b",
    "a\\b",
    "/a",
    "node_modules",
    "@a/node_modules",
    ".bin",
    "_a",
    "__proto__",
    "a b",
    "a%2f",
    "ü",
    "a".repeat(215),
  ])("refuses %j", (key) => {
    expect(isPackageKey(key)).toBe(false);
  });
});
