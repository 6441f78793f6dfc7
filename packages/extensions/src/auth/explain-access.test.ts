import type { AuthConfig, Principal } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeRegistry } from "./__fixtures__/make-registry.ts";
import { explainAccess, type AccessExplanation } from "./explain-access.ts";

const CONFIG: AuthConfig = {
  anonymousRoles: ["reader"],
  roles: {
    reader: { rules: [{ match: { effects: { readOnly: true } }, decision: "allow" }] },
    editor: {
      extends: ["reader"],
      rules: [{ id: "docs", match: { tools: ["write"], input: { path: { within: "docs" } } }, decision: "allow" }],
    },
  },
  rules: [{ match: { tools: ["bash"] }, decision: "deny", reason: "No shells here." }],
};

const RULE = "extensions.auth.roles.reader.rules[0]";

async function explain(id: string, principal?: Principal, config: AuthConfig = CONFIG): Promise<AccessExplanation> {
  const { registry } = await makeRegistry([
    { id: "files/read" },
    { id: "files/write", effects: { readOnly: false } },
    { id: "shell/bash" },
    { id: "late/later", isTold: false },
  ]);
  const entry = registry.getEntry(id);
  if (entry === undefined) throw new TypeError(`No ${id}.`);
  return explainAccess(config, { entry, ownsName: true, principal });
}

describe("explainAccess", () => {
  it("names the rules that hold for the caller and are about the tool", async () => {
    const read = { offered: true, byDefault: "deny", rules: [{ rule: RULE, decision: "allow", parameters: [] }] };
    expect(await explain("files/read")).toEqual(read);
    expect(await explain("files/read", { id: "ann", roles: ["reader", "editor"] })).toEqual(read);
    expect(await explain("files/write", { id: "ann", roles: ["editor"] })).toEqual({
      offered: true,
      byDefault: "deny",
      rules: [{ rule: "docs", decision: "allow", parameters: ["path"] }],
    });
  });

  it("says that nothing speaks of it, and that something denies it", async () => {
    expect(await explain("files/write", { id: "ann", roles: ["reader"] })).toEqual({
      offered: false,
      byDefault: "deny",
      rules: [],
    });
    expect(await explain("files/read", { id: "ann" })).toMatchObject({ offered: false, rules: [] });
    expect(await explain("shell/bash")).toMatchObject({
      offered: false,
      rules: [{ rule: "extensions.auth.rules[0]", decision: "deny", reason: "No shells here." }, { rule: RULE }],
    });
    expect(await explain("files/write", undefined, { default: "ask" })).toEqual({
      offered: true,
      byDefault: "ask",
      rules: [],
    });
  });

  it("offers nothing to what is no caller", async () => {
    expect(await explain("files/read", { id: "" })).toEqual({ offered: false, byDefault: "deny", rules: [] });
  });

  it("keeps a tool in while its definition is not known, without naming rules", async () => {
    expect(await explain("late/later")).toEqual({ offered: true, byDefault: "deny", rules: [] });
  });

  it("refuses what cannot be resolved", async () => {
    await expect(explain("files/read", undefined, { anonymousRoles: ["nobody"] })).rejects.toMatchObject({
      code: "config_invalid",
    });
  });
});
