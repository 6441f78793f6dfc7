import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCanonicalJson } from "../schema/canonical-json.ts";
import { arbitraryConfig } from "./__fixtures__/arbitrary-config.ts";
import type { AiwConfig } from "./aiw-config.ts";
import { mergeConfigs } from "./merge-configs.ts";
import { splitConfig } from "./split-config.ts";
import { validateConfig } from "./validate-config.ts";

function withSortedRules(config: AiwConfig): AiwConfig {
  const { policy } = config;
  if (policy?.rules === undefined) return config;
  const rules = policy.rules.toSorted((a, b) => (toCanonicalJson(a) < toCanonicalJson(b) ? -1 : 1));
  return { ...config, policy: { ...policy, rules } };
}

/** Sections without a member, and a list of no rules, say nothing. */
function withoutEmpty({ policy, ...others }: AiwConfig): AiwConfig {
  const config = policy?.rules?.length === 0 ? others : { ...others, ...(policy && { policy }) };
  const said = Object.entries(config).filter(
    ([, section]) => typeof section !== "object" || Object.keys(section ?? {}).length > 0,
  );
  return Object.fromEntries(said);
}

describe("splitConfig", () => {
  it("keeps what takes away, and sets apart what gives", () => {
    const allow = { match: { tool: "bash" }, decision: "allow" } as const;
    const deny = { match: { tool: "drop" }, decision: "deny" } as const;
    const { narrowing, widening, parts } = splitConfig({
      tools: { disabled: ["a"], enabled: ["b"], prefer: { read: "@acme/x" } },
      toolsets: { small: { include: ["b"] } },
      plugins: { "@acme/x": { token: { $env: "TOKEN" } } },
      policy: { rules: [deny, allow] },
      limits: { timeoutMs: 600_000, depth: 3 },
      sources: { directories: ["./tools"] },
      discovery: { requireStatic: false, onDuplicate: "warn", cache: true },
      workspace: { deny: ["*.pem"], history: "memory" },
    });
    expect(narrowing).toEqual({
      tools: { disabled: ["a"], enabled: ["b"] },
      toolsets: { small: { include: ["b"] } },
      policy: { rules: [deny] },
      limits: { depth: 3 },
      discovery: { requireStatic: false, onDuplicate: "warn" },
      workspace: { deny: ["*.pem"] },
    });
    expect(widening).toEqual({
      tools: { prefer: { read: "@acme/x" } },
      plugins: { "@acme/x": { token: { $env: "TOKEN" } } },
      policy: { rules: [allow] },
      limits: { timeoutMs: 600_000 },
      sources: { directories: ["./tools"] },
      discovery: { cache: true },
      workspace: { history: "memory" },
    });
    expect(parts.map(({ text }) => text)).toEqual([
      '/tools/prefer/read: "@acme/x"',
      '/plugins/@acme~1x: {"token":{"$env":"TOKEN"}}',
      '/policy/rules/1: {"decision":"allow","match":{"tool":"bash"}}',
      "/limits/timeoutMs: 600000",
      '/sources/directories/0: "./tools"',
      "/discovery/cache: true",
      '/workspace/history: "memory"',
    ]);
  });

  it("judges the limits of each tool by themselves", () => {
    const { narrowing, widening, parts } = splitConfig({
      limits: {
        tools: { bash: { timeoutMs: 600_000, concurrency: 1 }, read: { timeoutMs: 1000 } },
        categories: { network: { timeoutMs: 60_001 } },
        retry: { attempts: 4, baseMs: 1 },
        resultTokens: 10,
      },
    });
    expect(narrowing.limits).toEqual({
      tools: { bash: { concurrency: 1 }, read: { timeoutMs: 1000 } },
      retry: { baseMs: 1 },
      resultTokens: 10,
    });
    expect(widening.limits).toEqual({
      tools: { bash: { timeoutMs: 600_000 } },
      categories: { network: { timeoutMs: 60_001 } },
      retry: { attempts: 4 },
    });
    expect(parts.map(({ text }) => text)).toEqual([
      "/limits/tools/bash/timeoutMs: 600000",
      "/limits/categories/network/timeoutMs: 60001",
      "/limits/retry/attempts: 4",
    ]);
  });

  it("shows what cannot be seen", () => {
    const { parts } = splitConfig({ plugins: { x: { "a\u202Eb": "c\u200Bd" } } });
    expect(parts[0]?.text).not.toMatch(/[\u202E\u200B]/);
  });

  it("loses and invents nothing: the halves together are the whole", () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const { narrowing, widening } = splitConfig(config);
        expect(withSortedRules(withoutEmpty(mergeConfigs(narrowing, widening)))).toEqual(
          withSortedRules(withoutEmpty(config)),
        );
      }),
    );
  });

  it("gives two configurations that are right, and shows every part of the one that waits", () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const { narrowing, widening, parts } = splitConfig(config);
        validateConfig(narrowing);
        validateConfig(widening);
        expect(parts.length === 0).toBe(Object.keys(withoutEmpty(widening)).length === 0);
        for (const { value, text } of parts) expect(text.length).toBeGreaterThan(toCanonicalJson(value).length);
      }),
    );
  });

  it("gives nothing by the half that holds at once", () => {
    fc.assert(
      fc.property(arbitraryConfig, (config) => {
        const { narrowing } = splitConfig(config);
        expect(narrowing.policy?.rules?.some(({ decision }) => decision === "allow")).not.toBe(true);
        expect(Object.keys({ ...narrowing.plugins, ...narrowing.tools?.prefer })).toEqual([]);
        expect(narrowing.sources?.directories ?? []).toEqual([]);
        expect(narrowing.limits?.timeoutMs ?? 0).toBeLessThanOrEqual(60_000);
        expect(narrowing.discovery?.cache).not.toBe(true);
      }),
    );
  });

  it("lets no widening part, trusted or not, take a protection away", () => {
    fc.assert(
      fc.property(arbitraryConfig, arbitraryConfig, (config, other) => {
        expect(toProtections(splitConfig(config).narrowing)).toEqual(toProtections(config));
        const widened = mergeConfigs(splitConfig(other).widening, config);
        expect(toProtections(splitConfig(widened).narrowing)).toEqual(toProtections(config));
      }),
    );
  });
});

/** What takes away, apart from limits: such a key has one value, and the default holds in place of one that waits. */
function toProtections({ tools, toolsets, policy, discovery }: AiwConfig): object {
  return {
    enabled: tools?.enabled,
    disabled: tools?.disabled,
    toolsets,
    denials: policy?.rules?.filter(({ decision }) => decision !== "allow") ?? [],
    requireStatic: discovery?.requireStatic,
    onDuplicate: discovery?.onDuplicate,
  };
}
