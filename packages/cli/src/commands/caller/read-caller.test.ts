import { describe, expect, it } from "vitest";
import { UsageError } from "../../usage-error.ts";
import { assertKnownRoles, readCaller, readViewer, sayCaller, toFlags } from "./read-caller.ts";

describe("readCaller", () => {
  it("reads an id and its roles once each, and nobody where nobody is named", () => {
    expect(readCaller({ flags: { principal: "ann" }, lists: { role: ["a", "b", "a"] } })).toEqual({
      id: "ann",
      roles: ["a", "b"],
    });
    expect(readCaller({ flags: { principal: "svc:ci@acme" }, lists: {} })).toEqual({ id: "svc:ci@acme" });
    expect(readCaller({ flags: {}, lists: {} })).toBeUndefined();
  });

  it.each<[string, string | undefined, string[]]>([
    ["an empty id", "", []],
    ["an id of spaces", "  ", []],
    ["spaces around an id", "ann ", []],
    ["a line break", "an\nn", []],
    ["hidden text", "ann\u200b", []],
    ["an id that is too long", "a".repeat(257), []],
    ["an empty role", "ann", [""]],
    ["a role with a control character", "ann", ["\u0007"]],
    ["a role that is too long", "ann", ["r".repeat(129)]],
    ["a role of nobody", undefined, ["reader"]],
  ])("refuses %s", (_what, principal, role) => {
    expect(() => readCaller({ flags: { principal }, lists: { role } })).toThrow(UsageError);
  });
});

describe("readViewer", () => {
  it("takes a role alone for somebody who has it", () => {
    const viewer = readViewer({ flags: {}, lists: { role: ["reader"] } });
    expect(viewer).toMatchObject({ roles: ["reader"] });
    expect(viewer && [sayCaller(viewer), toFlags(viewer)]).toEqual(["somebody with the role reader", "--role reader"]);
    expect(readViewer({ flags: {}, lists: {} })).toBeUndefined();
    expect(() => readViewer({ flags: {}, lists: { role: [""] } })).toThrow(UsageError);
  });
});

describe("assertKnownRoles", () => {
  const config = { extensions: { auth: { roles: { reader: {}, editor: {} } } } };

  it("refuses a role that no configured role is", () => {
    expect(() => assertKnownRoles({ id: "ann", roles: ["editr"] }, config)).toThrow(/"editr".*Did you mean editor/);
    expect(() => assertKnownRoles({ id: "ann", roles: ["editor"] }, config)).not.toThrow();
  });

  it("takes any role where none is defined: records have it", () => {
    expect(() => assertKnownRoles({ id: "ann", roles: ["anything"] }, {})).not.toThrow();
  });
});

describe("toFlags", () => {
  it("writes what a shell takes for one word each", () => {
    expect(toFlags({ id: "ann lee", roles: ["a", "b c"] })).toBe('--principal "ann lee" --role a --role "b c"');
  });
});
