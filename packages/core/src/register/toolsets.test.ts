import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolsetConfig } from "../config/aiw-config.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import type { ToolEffects } from "../contract/tool-spec.ts";
import { matchesTool } from "./match-tool.ts";
import { resolveNames, type ResolvedNames } from "./resolve-names.ts";
import { ToolRegistry } from "./tool-registry.ts";
import { assertToolsets, listUnmatched, resolveToolset, type Toolsets } from "./toolsets.ts";

const SAFE: ToolEffects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const WRITES: ToolEffects = { ...SAFE, readOnly: false };

interface Facts {
  readonly effects?: ToolEffects;
  readonly tags?: readonly string[];
  readonly hasSpec?: boolean;
}

function entry(id: string, { effects = SAFE, tags = [], hasSpec = true }: Facts = {}): ToolEntry {
  const slash = id.lastIndexOf("/");
  const name = id.slice(slash + 1);
  const metadata = { tags, permissions: [], effects };
  const spec = { name, description: "x", type: "function", inputSchema: { type: "object" }, metadata };
  return {
    id,
    name,
    origin: { source: "package", package: id.slice(0, slash) },
    ...(hasSpec && { spec }),
    load: () => Promise.reject(new Error("not loaded")),
  };
}

const NAMES = resolveNames([
  entry("@acme/tools/read"),
  entry("@acme/tools/find", { tags: ["search"] }),
  entry("@acme/tools/write", { effects: WRITES }),
  entry("shell/bash", { effects: WRITES, tags: ["os"] }),
  entry("other/read"),
  entry("map/later", { hasSpec: false }),
]);

function ids(name: string, toolsets: Toolsets, names: ResolvedNames = NAMES): string[] {
  return [...resolveToolset(name, toolsets, names).names.byId.keys()];
}

describe("resolveToolset", () => {
  it("selects what meets every condition", () => {
    expect(ids("a", { a: { effects: { readOnly: true } } })).toEqual([
      "@acme/tools/read",
      "@acme/tools/find",
      "other/read",
    ]);
    expect(ids("a", { a: { effects: { readOnly: true }, tags: ["search"] } })).toEqual(["@acme/tools/find"]);
    expect(ids("a", { a: { namePattern: "?ea*" } })).toEqual(["@acme/tools/read", "other/read"]);
  });

  it("selects nothing without a condition, and everything for the pattern of everything", () => {
    expect(ids("a", { a: {} })).toEqual([]);
    expect(ids("a", { a: { exclude: ["bash"] } })).toEqual([]);
    expect(ids("a", { a: { include: ["*"] } })).toHaveLength(6);
  });

  it("includes by name, id, package and glob; a name means the tool that owns it", () => {
    expect(ids("a", { a: { include: ["read"] } })).toEqual(["@acme/tools/read"]);
    expect(ids("a", { a: { include: ["other/read", "later"] } })).toEqual(["other/read", "map/later"]);
    expect(ids("a", { a: { include: ["shell"] } })).toEqual(["shell/bash"]);
    expect(ids("a", { a: { include: ["@acme/*"], exclude: ["write"] } })).toEqual([
      "@acme/tools/read",
      "@acme/tools/find",
    ]);
  });

  it("has what its parents have, without what it excludes; a child may include that again", () => {
    const toolsets: Toolsets = {
      readonly: { effects: { readOnly: true } },
      review: { extends: ["readonly"], include: ["bash"], exclude: ["find"] },
      more: { extends: ["review", "readonly"], exclude: ["other"] },
      again: { extends: ["more"], include: ["other/read"] },
    };
    expect(ids("review", toolsets)).toEqual(["@acme/tools/read", "shell/bash", "other/read"]);
    expect(ids("more", toolsets)).toEqual(["@acme/tools/read", "@acme/tools/find", "shell/bash"]);
    expect(ids("again", toolsets)).toContain("other/read");
  });

  it("leaves a name whose owner is out to nobody", () => {
    const { names } = resolveToolset("a", { a: { include: ["*"], exclude: ["@acme/tools"] } }, NAMES);
    expect([...names.byName.keys()]).toEqual(["bash", "later"]);
    expect(names.byId.get("other/read")).toBeDefined();
    expect(names.shadowed).toEqual([]);
  });

  it("names patterns that fit no tool, inherited ones too, with what may have been meant", () => {
    const toolsets = { a: { include: ["bsh", "@acme/*"] }, b: { extends: ["a"], exclude: ["gone"] } };
    expect(resolveToolset("b", toolsets, NAMES).unmatched).toEqual([
      { toolset: "b", key: "exclude", pattern: "gone", nearest: [] },
      { toolset: "a", key: "include", pattern: "bsh", nearest: ["bash"] },
    ]);
  });

  it("follows toolsets that share their parents a thousand times over, each once", () => {
    const toName = (index: number): string => `t${index}`;
    const toolsets = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => {
        const parents = Array.from({ length: 100 }, (_unused, step) => index + step + 1);
        return [toName(index), { extends: parents.filter((parent) => parent < 1000).map(toName) }];
      }),
    );
    assertToolsets({ ...toolsets, t999: { include: ["bash"] } });
    expect(ids("t0", { ...toolsets, t999: { include: ["bash"] } })).toEqual(["shell/bash"]);
    expect(() => assertToolsets({ ...toolsets, t999: { extends: ["t998"] } })).toThrow("t998 → t999 → t998");
  });

  it("names no more patterns than anybody reads", () => {
    const include = Array.from({ length: 10_000 }, (_, index) => `gone_${index}`);
    expect(listUnmatched({ a: { include }, b: { include } }, NAMES)).toHaveLength(20);
  });

  it("is reported with what it names that no tool is", () => {
    const registry = new ToolRegistry({
      config: { toolsets: { small: { include: ["bsh"] }, other: { exclude: ["gone"] } } },
      sources: [{ name: "test", list: () => Promise.resolve([entry("shell/bash")]) }],
    });
    return registry.readSources().then(() => {
      expect(registry.report.missing).toMatchObject([
        { code: "toolset_unmatched", pointer: "/toolsets/other/exclude", severity: "warning" },
        { code: "toolset_unmatched", pointer: "/toolsets/small/include", fix: "Did you mean bash?" },
      ]);
    });
  });

  it("refuses a name that nothing defines, names of prototypes included", () => {
    expect(() => ids("readonyl", { readonly: {} })).toThrow(
      expect.objectContaining({ code: "toolset_unknown", fix: "Did you mean readonly?" }),
    );
    expect(() => ids("toString", {})).toThrow(expect.objectContaining({ code: "toolset_unknown" }));
  });

  it("refuses unknown parents and circles, however long", () => {
    expect(() => ids("a", { a: { extends: ["b"] } })).toThrow(expect.objectContaining({ code: "config_invalid" }));
    expect(() => ids("a", { a: { extends: ["a"] } })).toThrow(/a → a/);
    const circle = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`t${index}`, { extends: [`t${(index + 1) % 1000}`] }]),
    );
    expect(() => assertToolsets(circle)).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });

  it("asks a parent once, however many ways lead to it", () => {
    const diamond = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `t${index}`,
        index === 59 ? { include: ["bash"] } : { extends: [`t${index + 1}`, `t${index + 1}`] },
      ]),
    );
    expect(ids("t0", diamond)).toEqual(["shell/bash"]);
  });

  it("is for every tree of inheritance what its definition says, whatever the order of parents", () => {
    const pattern = fc.constantFrom("read", "find", "bash", "@acme/*", "other", "map/later", "*", "nothing");
    const definition = (index: number): fc.Arbitrary<ToolsetConfig> =>
      fc.record(
        {
          extends: fc
            .uniqueArray(fc.constantFrom(...Array.from({ length: index }, (_, at) => `t${at}`), "t0"))
            .map((names) => (index === 0 ? [] : names)),
          include: fc.array(pattern, { maxLength: 2 }),
          exclude: fc.array(pattern, { maxLength: 2 }),
          effects: fc.constantFrom({ readOnly: true }, { readOnly: false }, { destructive: true }),
        },
        { requiredKeys: [] },
      );
    const tree = fc
      .tuple(...Array.from({ length: 5 }, (_, index) => definition(index)))
      .map((definitions) => Object.fromEntries(definitions.map((one, index) => [`t${index}`, one])) as Toolsets);
    fc.assert(
      fc.property(tree, (toolsets) => {
        const modelled = model("t4", toolsets);
        expect(new Set(ids("t4", toolsets))).toEqual(modelled);
        const reversed = Object.fromEntries(
          Object.entries(toolsets).map(([name, one]) => [
            name,
            { ...one, ...(one.extends && { extends: one.extends.toReversed() }) },
          ]),
        );
        expect(ids("t4", reversed)).toEqual(ids("t4", toolsets));
      }),
    );
  });
});

/** The definition, said again in sets of ids. */
function model(name: string, toolsets: Toolsets): Set<string> {
  const { extends: parents = [], include = [], exclude = [], effects } = toolsets[name] ?? {};
  const all = [...NAMES.byId.values()];
  const own = all.filter(
    (tool) =>
      include.some(
        (pattern) => matchesTool(pattern, tool) && (pattern !== tool.name || NAMES.byName.get(tool.name) === tool),
      ) ||
      (effects !== undefined &&
        tool.spec !== undefined &&
        Object.entries(effects).every(([flag, value]) =>
          Object.entries(tool.spec?.metadata.effects ?? {}).some(([known, has]) => known === flag && has === value),
        )),
  );
  const selected = new Set([...parents.flatMap((parent) => [...model(parent, toolsets)]), ...own.map(({ id }) => id)]);
  for (const tool of all) if (exclude.some((pattern) => matchesTool(pattern, tool))) selected.delete(tool.id);
  return selected;
}
