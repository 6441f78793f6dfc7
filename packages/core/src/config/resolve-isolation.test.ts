import { describe, expect, it } from "vitest";
import { resolveIsolation } from "./resolve-isolation.ts";
import { splitConfig } from "./split-config.ts";

describe("resolveIsolation", () => {
  it.each([
    ["nothing named", undefined, "in_process"],
    ["a default", { default: "isolated" }, "isolated"],
    ["a pattern", { packages: { "@acme/*": "isolated" } }, "isolated"],
    [
      "a longer pattern that says otherwise",
      { packages: { "@acme/*": "isolated", "@acme/to*": "in_process" } },
      "in_process",
    ],
    ["a pattern over the default", { default: "isolated", packages: { "@acme/tools": "in_process" } }, "in_process"],
    ["a pattern of others", { packages: { "@other/*": "isolated" } }, "in_process"],
  ] as const)("decides with %s", (_what, config, mode) => {
    expect(resolveIsolation(config, "@acme/tools").mode).toBe(mode);
  });

  it("gives the grant of the longest pattern alone", () => {
    const config = { grants: { "*": { network: "host" }, "@acme/*": { memoryMb: 64 } } } as const;
    expect(resolveIsolation(config, "@acme/tools").grant).toEqual({ memoryMb: 64 });
  });
});

describe("splitConfig", () => {
  it("lets a project isolate at once, and waits with what it grants or takes back", () => {
    const narrowing = {
      isolation: { default: "isolated", packages: { a: "isolated" }, grants: { a: { memoryMb: 64 } } },
    } as const;
    expect(splitConfig(narrowing)).toMatchObject({ narrowing, widening: {} });
    const widening = {
      isolation: {
        packages: { a: "in_process" },
        grants: {
          a: {
            network: "host",
            workspace: "read",
            readable: ["/x"],
            processes: true,
            confinement: "off",
            memoryMb: 4096,
          },
        },
      },
    } as const;
    expect(splitConfig(widening)).toMatchObject({ widening });
    expect(splitConfig(widening).parts).toHaveLength(7);
  });
});
