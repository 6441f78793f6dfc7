import type { IsolationGrant } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { findMissingGrant } from "./find-missing-grant.ts";

describe("findMissingGrant", () => {
  it.each<[string[], IsolationGrant, IsolationGrant | undefined]>([
    [["fs:read"], {}, { workspace: "read" }],
    [["fs:read"], { workspace: "none" }, { workspace: "read" }],
    [["fs:read"], { workspace: "read" }, undefined],
    [["fs:read"], { readable: ["docs"] }, undefined],
    [["fs:read"], { writable: ["out"] }, undefined],
    [["fs:read", "fs:write"], {}, { workspace: "write" }],
    [["fs:read", "fs:write"], { workspace: "read" }, { workspace: "write" }],
    [["fs:write"], { readable: ["docs"] }, { workspace: "write" }],
    [["fs:write"], { writable: ["out"] }, undefined],
    [["net"], {}, { network: "host" }],
    [["net"], { network: "host" }, undefined],
    [["process"], { workspace: "write" }, { processes: true }],
    [["process"], { processes: true }, undefined],
    [["env", "acme:tickets"], {}, undefined],
    [[], {}, undefined],
  ])("for %j and the grant %j asks for %j", (permissions, grant, asked) => {
    expect(findMissingGrant(permissions, grant)?.grant).toEqual(asked);
  });

  it("takes a network that was refused by name for a decision, not for an omission", () => {
    expect(findMissingGrant(["net"], { network: "none" })).toBeUndefined();
  });
});
