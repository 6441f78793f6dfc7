import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolEntry } from "../contract/tool-source.ts";
import { createEntry } from "./create-entry.ts";
import { resolveNames, toShadowedFindings } from "./resolve-names.ts";

function entry(id: string, source = "package", version = "1.0.0"): ToolEntry {
  const slash = id.lastIndexOf("/");
  const packageKey = slash < 0 ? undefined : id.slice(0, slash);
  return createEntry({
    id,
    name: id.slice(slash + 1),
    origin: { source, ...(packageKey !== undefined && { package: packageKey, version }) },
    load: () => Promise.reject(new Error("not loaded here")),
  });
}

function ownerOf(
  name: string,
  entries: readonly ToolEntry[],
  policy?: Parameters<typeof resolveNames>[1],
): string | undefined {
  return resolveNames(entries, policy).byName.get(name)?.id;
}

describe("resolveNames", () => {
  it("gives a name to explicit registration, then preference, packages by key, directories, other sources", () => {
    const all = [
      entry("mcp/read", "mcp"),
      entry("dir:tools/read", "directory"),
      entry("b/read"),
      entry("a/read"),
      entry("read", "explicit"),
    ];
    expect(ownerOf("read", all, { prefer: { read: "b" } })).toBe("read");
    expect(ownerOf("read", all.slice(0, 4), { prefer: { read: "b" } })).toBe("b/read");
    expect(ownerOf("read", all.slice(0, 4))).toBe("a/read");
    expect(ownerOf("read", all.slice(0, 2))).toBe("dir:tools/read");
  });

  it("sorts packages by code unit, not by locale", () => {
    expect(ownerOf("read", [entry("a/read"), entry("B/read"), entry("@z/a/read")])).toBe("@z/a/read");
  });

  it("keeps losers reachable by their full id", () => {
    const { byId, shadowed } = resolveNames([entry("b/read", "package", "2.0.0"), entry("a/read")]);
    expect([...byId.keys()]).toEqual(["b/read", "a/read"]);
    expect(shadowed).toEqual([
      {
        name: "read",
        winner: { id: "a/read", source: "package", package: "a", version: "1.0.0" },
        losers: [{ id: "b/read", source: "package", package: "b", version: "2.0.0" }],
        rule: "order",
      },
    ]);
  });

  it("warns with both packages and versions and the setting that decides otherwise", () => {
    const [shadowed] = resolveNames([entry("b/read", "package", "2.0.0"), entry("a/read")]).shadowed;
    expect(shadowed && toShadowedFindings(shadowed)).toEqual([
      {
        code: "name_shadowed",
        severity: "warning",
        package: "b",
        version: "2.0.0",
        tool: "read",
        reason: "read of b 2.0.0 is hidden by a 1.0.0 (order).",
        fix: 'Call it as b/read, or set tools.prefer to { "read": "b" }.',
      },
    ]);
  });

  it.each([
    ["explicit", [entry("read", "explicit"), entry("a/read")], {}],
    ["prefer", [entry("a/read"), entry("b/read")], { prefer: { read: "b" } }],
    ["order", [entry("a/read"), entry("b/read")], {}],
    ["source", [entry("dir:x/read", "directory"), entry("b/read")], {}],
  ])("says that %s decided", (rule, entries, policy) => {
    expect(resolveNames(entries, policy).shadowed[0]?.rule).toBe(rule);
  });

  it("refuses duplicates that nobody decided when asked to, listing the ids", () => {
    const error = expect.objectContaining({
      code: "tool_ambiguous",
      message: expect.stringContaining("read: a/read, b/read"),
    });
    expect(() => resolveNames([entry("b/read"), entry("a/read")], { onDuplicate: "error" })).toThrow(error);
    expect(ownerOf("read", [entry("a/read"), entry("b/read")], { onDuplicate: "error", prefer: { read: "b" } })).toBe(
      "b/read",
    );
    expect(ownerOf("read", [entry("a/read"), entry("read", "explicit")], { onDuplicate: "error" })).toBe("read");
  });

  it("gives a name to nobody while the preference that would decide waits, where duplicates are refused", () => {
    const rivals = [entry("a/read"), entry("b/read"), entry("a/write")];
    const undecided = new Set(["read", "write"]);
    const { byName, byId, shadowed } = resolveNames(rivals, { onDuplicate: "error", undecided });
    expect([...byName.keys()]).toEqual(["write"]);
    expect([...byId.keys()]).toEqual(["a/read", "b/read", "a/write"]);
    expect(shadowed).toEqual([]);
    expect(ownerOf("read", rivals, { undecided })).toBe("a/read");
    expect(ownerOf("read", rivals, { onDuplicate: "error", undecided, prefer: { read: "b" } })).toBe("b/read");
    expect(() =>
      resolveNames([...rivals, entry("b/write")], { onDuplicate: "error", undecided: new Set(["read"]) }),
    ).toThrow(expect.objectContaining({ code: "tool_ambiguous", message: expect.not.stringContaining("read:") }));
  });

  it("serves names that objects are born with", () => {
    const { byName } = resolveNames([entry("a/constructor"), entry("a/__proto__"), entry("a/toString")], {
      prefer: {},
    });
    expect([...byName.keys()]).toEqual(["__proto__", "constructor", "toString"]);
    expect(byName.get("valueOf")).toBeUndefined();
  });

  it("never depends on the order of listing", () => {
    const ids = fc.uniqueArray(fc.tuple(fc.constantFrom("a", "b", "@c/d", "B"), fc.constantFrom("x", "y", "z")), {
      selector: (pair) => pair.join("/"),
    });
    fc.assert(
      fc.property(ids, fc.func(fc.integer()), (pairs, weight) => {
        const entries = pairs.map((pair) => entry(pair.join("/")));
        const shuffled = entries.toSorted((a, b) => weight(a.id) - weight(b.id));
        const owners = (list: ToolEntry[]): string =>
          JSON.stringify([...resolveNames(list).byName].map(([name, { id }]) => [name, id]));
        expect(owners(shuffled)).toBe(owners(entries));
      }),
    );
  });
});
