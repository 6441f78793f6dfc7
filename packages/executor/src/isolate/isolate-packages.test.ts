import { createEntry, type ToolEntry, type ToolSpec } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { behaving } from "./__fixtures__/behaving-package/tools.ts";
import { isolatePackages } from "./isolate-packages.ts";

const spec = behaving.tools[0]?.spec as ToolSpec;

function entryOf(parts: Partial<ToolEntry>): ToolEntry {
  return createEntry({
    id: "@acme/tools/one",
    name: "one",
    origin: { source: "package", package: "@acme/tools" },
    spec,
    load: () => Promise.reject(new Error("code ran")),
    ...parts,
  });
}

const isolation = isolatePackages({
  config: () => ({ packages: { "@acme/*": "isolated" } }),
  projectDir: "/",
  start: () => Promise.reject(new Error("nothing starts")),
});

const resolveCode: NonNullable<ToolEntry["resolveCode"]> = () => Promise.reject(new Error("not asked"));

describe("isolatePackages", () => {
  it("refuses a tool that needs what its package is not granted, and names what to grant", () => {
    const needing = { ...spec, metadata: { ...spec.metadata, permissions: ["fs:read", "net"] } };
    expect(() => isolation.toolOf(entryOf({ resolveCode, spec: needing }))).toThrow(
      expect.objectContaining({
        code: "isolation_unavailable",
        message: expect.stringContaining("needs: fs:read, net."),
        suggestion: expect.stringContaining('{"@acme/tools":{"workspace":"read","network":"host"}}.'),
      }),
    );
  });

  it("leaves other packages, and tools without a package, where they are", () => {
    expect(
      isolation.toolOf(entryOf({ resolveCode, origin: { source: "package", package: "@other/tools" } })),
    ).toBeUndefined();
    expect(isolation.toolOf(entryOf({ resolveCode, origin: { source: "explicit" } }))).toBeUndefined();
  });

  it("gives one tool for an entry, and starts nothing for it", () => {
    const entry = entryOf({ resolveCode, isLoaded: () => false });
    expect(isolation.toolOf(entry)?.spec).toBe(spec);
    expect(isolation.toolOf(entry)).toBe(isolation.toolOf(entry));
  });

  it("leaves tools that are data to the executors of the host", () => {
    expect(isolation.toolOf(entryOf({ spec: { ...spec, type: "http" } }))).toBeUndefined();
  });

  it.each<[string, Partial<ToolEntry>]>([
    ["whose definition only code can tell", { spec: undefined as never, resolveCode }],
    ["whose code has run here", { isLoaded: () => true }],
    ["that are data and name a module", { spec: { ...spec, type: "module" } }],
  ])("refuses tools %s", (_what, parts) => {
    expect(() => isolation.toolOf(entryOf(parts))).toThrow(expect.objectContaining({ code: "isolation_unavailable" }));
  });
});
