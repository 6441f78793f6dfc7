import type { AuthConfig, AuthMatch, AuthRule, ToolEffects } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor, type ApprovalMode, type PolicyRule } from "@aiw/executor";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRegistry, type MadeTool } from "./__fixtures__/make-registry.ts";
import { auth } from "./auth.ts";

type Decision = AuthRule["decision"];

/** The first of a name owns it. */
const TOOLS = [
  { id: "files/read", category: "files", tags: ["io"], permissions: ["fs:read"] },
  {
    id: "files/write",
    category: "files",
    tags: [],
    permissions: ["fs:read", "fs:write"],
    effects: { readOnly: false },
  },
  { id: "other/read", category: "misc", tags: ["io", "old"], permissions: [] },
  { id: "reader/wipe", category: "misc", tags: ["old"], permissions: ["process"], effects: { destructive: true } },
] as const satisfies readonly MadeTool[];

type ModelTool = (typeof TOOLS)[number];

const PATTERNS = ["read", "read*", "files/*", "other/read", "*", "wipe", "w?i*"];
const some = <Value>(values: readonly Value[]): fc.Arbitrary<Value[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });

const arbitraryMatch = fc
  .record(
    {
      tools: some(PATTERNS),
      packages: some(["files", "read*", "other", "*"]),
      categories: some(["files", "misc"]),
      tags: some(["io", "old"]),
      permissions: some(["fs:read", "fs:*", "process"]),
      effects: fc.constantFrom({ readOnly: true }, { destructive: true }, { readOnly: true, destructive: false }),
      input: fc.constantFrom(
        { mode: { equals: "a" } },
        { mode: { oneOf: ["a", "b"] } },
        { count: { atLeast: 1, atMost: 2 } },
        { mode: { glob: "?" }, count: { atMost: 1 } },
      ),
    },
    { requiredKeys: [] },
  )
  .filter((match) => Object.keys(match).length > 0) as fc.Arbitrary<AuthMatch>;

const arbitraryRules = fc.array(
  fc.record({ match: arbitraryMatch, decision: fc.constantFrom<Decision>("allow", "ask", "deny") }),
  { maxLength: 3 },
);

const ROLES = ["a", "b", "c"];
const arbitraryConfig: fc.Arbitrary<AuthConfig> = fc.record(
  {
    rules: arbitraryRules,
    roles: fc.record({
      a: fc.record({ rules: arbitraryRules }),
      b: fc.record({ rules: arbitraryRules, extends: fc.constantFrom([], ["a"]) }),
      c: fc.record({ rules: arbitraryRules, extends: fc.constantFrom([], ["a"], ["b"], ["a", "b"]) }),
    }),
    anonymousRoles: fc.subarray(ROLES),
    default: fc.constantFrom<Decision>("allow", "ask", "deny"),
  },
  { requiredKeys: ["roles"] },
);

const arbitraryInput = fc.record(
  { mode: fc.constantFrom("a", "b", "cc"), count: fc.constantFrom(0, 1, 1.5, 3) },
  { requiredKeys: [] },
);

/** Globs as regular expressions. */
function fits(patterns: readonly string[], text: string): boolean {
  return patterns.some((one) => new RegExp(`^${one.replaceAll("*", ".*").replaceAll("?", ".")}$`, "u").test(text));
}

function isAbout(rule: AuthRule, tool: ModelTool): boolean {
  return isNamed(rule, tool) && isDescribed(rule, tool);
}

function isNamed({ match, decision }: AuthRule, { id }: ModelTool): boolean {
  const [owner = "", name = ""] = id.split("/");
  const isMeant = (pattern: string): boolean => {
    if (decision !== "allow") return fits([pattern], id) || fits([pattern], name);
    const ownsName = id !== "other/read";
    return (ownsName && fits([pattern], name)) || ((pattern.includes("/") || pattern === "*") && fits([pattern], id));
  };
  return (match.tools?.some(isMeant) ?? true) && (match.packages === undefined || fits(match.packages, owner));
}

function isDescribed({ match, decision }: AuthRule, tool: ModelTool): boolean {
  const { permissions, tags }: { permissions: readonly string[]; tags: readonly string[] } = tool;
  const effects: Partial<ToolEffects> = { readOnly: true, destructive: false, ...("effects" in tool && tool.effects) };
  const covered = permissions.filter((one) => fits(match.permissions ?? ["*"], one));
  const isCovered = covered.length > 0 && (decision !== "allow" || covered.length === permissions.length);
  return (
    (match.categories?.includes(tool.category) ?? true) &&
    (match.tags?.some((tag) => tags.includes(tag)) ?? true) &&
    (match.permissions === undefined || isCovered) &&
    Object.entries(match.effects ?? {}).every(([flag, value]) => effects[flag as keyof ToolEffects] === value)
  );
}

function meets({ match }: AuthRule, input: { readonly mode?: string; readonly count?: number }): boolean {
  return Object.entries(match.input ?? {}).every(([parameter, condition]) => {
    const value: unknown = input[parameter as "mode"];
    if (value === undefined) return false;
    const { equals = value, oneOf = [value], glob = "*", atLeast = -Infinity, atMost = Infinity } = condition;
    if (value !== equals || !oneOf.some((one) => one === value)) return false;
    if (typeof value === "number") return value >= atLeast && value <= atMost;
    return fits([glob], String(value));
  });
}

function rulesOf({ rules = [], roles = {} }: AuthConfig, named: readonly string[]): AuthRule[] {
  const lineage = new Set(named);
  for (const role of lineage) for (const parent of roles[role]?.extends ?? []) lineage.add(parent);
  return [...rules, ...[...lineage].flatMap((role) => roles[role]?.rules ?? [])];
}

function strongest(decisions: readonly Decision[]): Decision | undefined {
  return (["deny", "ask", "allow"] as const).find((decision) => decisions.includes(decision));
}

interface ModelCall {
  readonly tool: ModelTool;
  readonly roles: readonly string[] | undefined;
  readonly input: { readonly mode?: string; readonly count?: number };
}

/** What should become of a call: deny before ask before allow, then the default. */
function decide(config: AuthConfig, { tool, roles, input }: ModelCall): { isOffered: boolean; decided: Decision } {
  const standard = config.default ?? "deny";
  const about = rulesOf(config, roles ?? config.anonymousRoles ?? []).filter((rule) => isAbout(rule, tool));
  const isDenied = about.some(({ decision, match }) => decision === "deny" && match.input === undefined);
  const isAllowable = standard !== "deny" || about.some(({ decision }) => decision !== "deny");
  const fitting = about.filter((rule) => meets(rule, input)).map(({ decision }) => decision);
  return { isOffered: !isDenied && isAllowable, decided: strongest(fitting) ?? standard };
}

const arbitraryCall: fc.Arbitrary<ModelCall> = fc.record({
  tool: fc.constantFrom(...TOOLS),
  roles: fc.option(fc.subarray([...ROLES, "unknown"]), { nil: undefined }),
  input: arbitraryInput,
});

describe("auth", () => {
  it("decides and offers as its rules say", async () => {
    const { registry } = await makeRegistry(TOOLS);
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(arbitraryConfig, arbitraryCall, async (config, call) => {
        const { isOffered, decided } = decide(config, call);
        // What is not offered is denied whatever the arguments.
        if (!isOffered) expect(decided).toBe("deny");
        const expected = decided === "allow" && call.tool.id === "reader/wipe" ? "ask" : decided;
        const denial = isOffered ? "denied_by_policy" : "tool_not_offered";
        seen.add(`${isOffered} ${expected}`);

        const principal = call.roles && { id: "p", roles: call.roles };
        await using executor = new UnifiedToolExecutor(registry, { extensions: [auth(config)] });
        expect(await executor.authorize(call.tool.id, call.input, { ...(principal && { principal }) })).toMatchObject({
          decision: expected,
          ...(expected === "deny" && { code: denial }),
        });
        const { catalog } = new ToolManager(executor, undefined, { ...(principal && { principal }) });
        expect(catalog.has(call.tool.id)).toBe(isOffered);
      }),
      { numRuns: 600 },
    );
    expect([...seen].toSorted()).toEqual(["false deny", "true allow", "true ask", "true deny"]);
  });

  it("combines with rules and modes: deny beats ask beats allow, whoever says it (SEC-APR-4)", async () => {
    const { registry } = await makeRegistry([
      { id: "p/safe" },
      { id: "p/unsafe", effects: { readOnly: false, destructive: true } },
    ]);
    const decisions: readonly Decision[] = ["allow", "ask", "deny"];
    const modes: readonly ApprovalMode[] = ["never", "unsafe_only", "always", "by_rule"];
    for (const name of ["safe", "unsafe"])
      for (const ruled of [undefined, ...decisions])
        for (const authorized of decisions)
          for (const approvalMode of modes) {
            const rules: readonly PolicyRule[] =
              ruled === undefined ? [] : [{ match: { tool: name }, decision: ruled }];
            await using executor = new UnifiedToolExecutor(registry, {
              rules,
              approvalMode,
              extensions: [auth({ rules: [{ match: { tools: ["*"] }, decision: authorized }] })],
            });
            const { decision } = await executor.authorize(name, {});
            const named = strongest([authorized, ...(ruled === undefined ? [] : [ruled])]);
            const expected = named === "allow" && ruled !== "allow" ? byMode(approvalMode, name === "unsafe") : named;
            expect({ name, ruled, authorized, approvalMode, decision }).toMatchObject({ decision: expected });
          }
  });
});

/** What becomes of a call that only its effects speak of. */
function byMode(mode: ApprovalMode, isUnsafe: boolean): Decision {
  if (!isUnsafe) return mode === "always" ? "ask" : "allow";
  if (mode === "never") return "allow";
  return mode === "by_rule" ? "deny" : "ask";
}
