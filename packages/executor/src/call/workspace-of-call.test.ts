import { describe, expect, it } from "vitest";
import { placeOf, workspaceOfCall } from "./workspace-of-call.ts";

const host = { cwd: "/p", roots: ["/p"], readOnly: ["/p/vendor"], deny: ["*.pem"] };

describe("workspaceOfCall", () => {
  it("is the host's where the call names none", () => {
    expect(workspaceOfCall(undefined, host)).toBe(host);
    expect(workspaceOfCall(undefined, undefined)).toBeUndefined();
  });

  it("is the call's under the rules of the host (SEC-FS-8)", () => {
    const own = { cwd: "/q", roots: ["/q"], deny: ["*.key", "*.pem"] };
    const joined = { ...own, readOnly: ["/p/vendor"], deny: ["*.key", "*.pem"] };
    expect(workspaceOfCall(own, host)).toEqual(joined);
    expect(workspaceOfCall(joined, host)).toEqual(joined);
    expect(workspaceOfCall(own, undefined)).toEqual(own);
  });

  it("keeps its history where the host does, and where it says itself only if the host says nothing", () => {
    const own = { cwd: "/q", roots: ["/q"], history: "disk" as const };
    expect(workspaceOfCall(own, { ...host, history: "memory" })?.history).toBe("memory");
    expect(workspaceOfCall(own, host)?.history).toBe("disk");
    expect(workspaceOfCall(host, { cwd: "/p", roots: [], history: "memory" })?.history).toBe("memory");
  });
});

describe("placeOf", () => {
  it("changes with folders and rules alike", () => {
    const places = [undefined, { cwd: "/p", roots: ["/p"] }, host, { ...host, deny: [] }].map((each) => placeOf(each));
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(4);
    expect(placeOf({ cwd: "/p", roots: ["/p"], deny: [] })).toEqual(["/p", ["/p"]]);
  });
});
