import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryConfig } from "./__fixtures__/arbitrary-config.ts";
import { mergeConfigs } from "./merge-configs.ts";
import { splitConfig } from "./split-config.ts";
import { validateConfig } from "./validate-config.ts";

describe("mergeConfigs", () => {
  it("merges each key as the table says", () => {
    const rule = (tool: string) => ({ match: { tool }, decision: "deny" }) as const;
    const code = {
      tools: { enabled: ["a"], disabled: ["x", "y"], prefer: { read: "code" } },
      toolsets: { small: { include: ["a"] } },
      plugins: { p: { url: "code", own: 1 } },
      policy: { rules: [rule("code")] },
      limits: { timeoutMs: 5 },
      sources: { directories: ["./code"] },
      discovery: { requireStatic: false, onDuplicate: "warn" },
    } as const;
    const file = {
      tools: { enabled: ["b"], disabled: ["y", "z"], prefer: { read: "file", write: "file" } },
      toolsets: { small: { include: ["b"] }, large: {} },
      plugins: { p: { url: "file", token: "t" }, q: {} },
      policy: { rules: [rule("file")] },
      limits: { timeoutMs: 1, depth: 2 },
      sources: { directories: ["./file"] },
      discovery: { requireStatic: true, onDuplicate: "error", cache: false },
    } as const;
    expect(mergeConfigs(code, file)).toEqual({
      tools: { enabled: ["a"], disabled: ["x", "y", "z"], prefer: { read: "code", write: "file" } },
      toolsets: { small: { include: ["a"] }, large: {} },
      plugins: { p: { url: "code", own: 1, token: "t" }, q: {} },
      policy: { rules: [rule("code"), rule("file")] },
      limits: { timeoutMs: 5, depth: 2 },
      sources: { directories: ["./code", "./file"] },
      discovery: { requireStatic: true, onDuplicate: "error", cache: false },
    });
  });

  it("takes members of code that are undefined as not said", () => {
    expect(
      mergeConfigs({ tools: undefined, limits: { depth: undefined } } as object, { limits: { depth: 1 } }),
    ).toEqual({
      limits: { depth: 1 },
    });
  });

  it("keeps options that are called like members of prototypes", () => {
    const options = JSON.parse('{"__proto__":{"a":1},"toString":2}') as object;
    expect(JSON.stringify(mergeConfigs({ plugins: { p: { own: 1 } } }, { plugins: { p: { ...options } } }))).toBe(
      '{"plugins":{"p":{"__proto__":{"a":1},"toString":2,"own":1}}}',
    );
  });

  it("gives what is right, and what one says alone, unchanged", () => {
    fc.assert(
      fc.property(arbitraryConfig, arbitraryConfig, (code, file) => {
        validateConfig(mergeConfigs(code, file));
        expect(mergeConfigs(code, {})).toEqual(code);
        expect(mergeConfigs({}, file)).toEqual(file);
      }),
    );
  });

  it("lets what the file denies, asks for, switches off and requires survive whatever code says", () => {
    fc.assert(
      fc.property(arbitraryConfig, arbitraryConfig, (code, whole) => {
        const { tools, policy, discovery } = splitConfig(whole).narrowing;
        const merged = mergeConfigs(code, splitConfig(whole).narrowing);
        for (const pattern of tools?.disabled ?? []) expect(merged.tools?.disabled).toContain(pattern);
        for (const rule of policy?.rules ?? []) expect(merged.policy?.rules).toContainEqual(rule);
        if (discovery?.requireStatic) expect(merged.discovery?.requireStatic).toBe(true);
      }),
    );
  });

  it("lets one value of the file survive unless code names another", () => {
    fc.assert(
      fc.property(arbitraryConfig, arbitraryConfig, ({ tools, limits }, file) => {
        const { timeoutMs: _timeoutMs, ...otherLimits } = limits ?? {};
        const { enabled: _enabled, ...otherTools } = tools ?? {};
        const merged = mergeConfigs({ tools: otherTools, limits: otherLimits }, file);
        expect(merged.tools?.enabled).toEqual(file.tools?.enabled);
        expect(merged.limits?.timeoutMs).toBe(file.limits?.timeoutMs);
      }),
    );
  });
});
