import { defineTool, type Principal, type Tool, type ToolResult } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor, type UnifiedToolExecutorOptions } from "@aiw/executor";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeRegistry, type MadeRegistry, type MadeTool } from "./__fixtures__/make-registry.ts";
import { auth, configure, type AuthOptions } from "./auth.ts";

const TOOLS: readonly MadeTool[] = [
  { id: "files/read", category: "files", permissions: ["fs:read"] },
  { id: "files/write", category: "files", permissions: ["fs:read", "fs:write"], effects: { readOnly: false } },
  { id: "shell/bash", permissions: ["process"], effects: { readOnly: false, destructive: true }, tags: ["power"] },
  { id: "other/read" },
];

const ADA: Principal = { id: "ada", roles: ["reader"] };

interface Made extends MadeRegistry {
  readonly executor: UnifiedToolExecutor;
}

async function make(
  options: AuthOptions,
  tools: readonly MadeTool[] = TOOLS,
  rest: UnifiedToolExecutorOptions = {},
): Promise<Made> {
  const made = await makeRegistry(tools);
  const executor = new UnifiedToolExecutor(made.registry, { ...rest, extensions: [auth(options)] });
  return { ...made, executor };
}

function codeOf(result: ToolResult): string {
  return result.success ? "ok" : result.code;
}

async function codes(executor: UnifiedToolExecutor, principal?: Principal): Promise<Record<string, string>> {
  const ids = executor.registry.entries().map(({ id }) => id);
  const results = await Promise.all(
    ids.map(async (id) => [id, codeOf(await executor.execute(id, {}, { ...(principal && { principal }) }))]),
  );
  return Object.fromEntries(results) as Record<string, string>;
}

const READER: AuthOptions = {
  roles: { reader: { rules: [{ match: { effects: { readOnly: true } }, decision: "allow" }] } },
};

describe("auth", () => {
  it("denies what no rule allows, and does not offer it", async () => {
    const { executor, loaded } = await make(READER);
    expect(await codes(executor, ADA)).toEqual({
      "files/read": "ok",
      "files/write": "tool_not_offered",
      "shell/bash": "tool_not_offered",
    });
    expect(loaded).toEqual(["files/read"]);
    expect(new ToolManager(executor, undefined, { principal: ADA }).catalog.has("bash")).toBe(false);
  });

  it("gives calls without a principal the roles of nobody, and none unless named", async () => {
    const { executor } = await make(READER);
    expect(codeOf(await executor.execute("read", {}))).toBe("tool_not_offered");
    const open = await make({ ...READER, anonymousRoles: ["reader"] });
    expect(codeOf(await open.executor.execute("read", {}))).toBe("ok");
    expect(codeOf(await open.executor.execute("read", {}, { principal: { id: "eve" } }))).toBe("tool_not_offered");
  });

  it.each([
    ["null", null],
    ["a text", "ada"],
    ["no id", { roles: ["reader"] }],
    ["an empty id", { id: "", roles: ["reader"] }],
    ["an id that is no text", { id: 7, roles: ["reader"] }],
    ["roles that are no list", { id: "ada", roles: "reader" }],
    ["a role that is no text", { id: "ada", roles: ["reader", null] }],
    [
      "a getter that throws",
      {
        id: "ada",
        get roles(): string[] {
          throw new TypeError("no");
        },
      },
    ],
  ])("denies a principal with %s, whatever the default", async (_what, principal) => {
    const { executor, ran } = await make({ ...READER, default: "allow", anonymousRoles: ["reader"] });
    const given = { principal: principal as unknown as Principal };
    const result = await executor.execute("read", {}, given);
    expect(result).toMatchObject({ success: false, status: "denied", code: "tool_not_offered" });
    expect(new ToolManager(executor, undefined, given).getFunctionDefinitions()).toEqual([]);
    expect(ran).toEqual([]);
  });

  it("reads the roles of every call anew", async () => {
    const { executor } = await make(READER);
    const principal = { id: "ada", roles: ["reader"] };
    expect(codeOf(await executor.execute("read", {}, { principal }))).toBe("ok");
    principal.roles.length = 0;
    expect(codeOf(await executor.execute("read", {}, { principal }))).toBe("tool_not_offered");
  });

  it("lets roles extend roles, and lifts nothing that a parent or another role denies", async () => {
    const { executor } = await make({
      roles: {
        base: { rules: [{ match: { permissions: ["process"] }, decision: "deny" }] },
        user: { extends: ["base"], rules: [{ match: { tools: ["*"] }, decision: "allow" }] },
        admin: { rules: [{ match: { tools: ["*"] }, decision: "allow" }] },
      },
    });
    const asked = { "files/read": "ok", "files/write": "ok" };
    expect(await codes(executor, { id: "a", roles: ["user"] })).toEqual({ ...asked, "shell/bash": "tool_not_offered" });
    expect(await codes(executor, { id: "a", roles: ["admin", "base"] })).toMatchObject({
      "shell/bash": "tool_not_offered",
    });
    expect(await codes(executor, { id: "a", roles: ["admin"] })).toMatchObject({ "shell/bash": "approval_required" });
  });

  it("does not take being allowed for being approved", async () => {
    const options: AuthOptions = { rules: [{ match: { tools: ["*"] }, decision: "allow" }] };
    const { executor } = await make(options);
    expect(codeOf(await executor.execute("bash", {}))).toBe("approval_required");
    const approved = await make(options, TOOLS, { rules: [{ match: { tool: "bash" }, decision: "allow" }] });
    expect(codeOf(await approved.executor.execute("bash", {}))).toBe("ok");
  });

  it("believes no claim of a definition against a rule by name or package (SEC-META-3)", async () => {
    const { executor, ran } = await make(
      {
        ...READER,
        rules: [
          { match: { packages: ["evil"] }, decision: "deny" },
          { match: { tools: ["stranger/*"], effects: { destructive: true } }, decision: "deny" },
        ],
      },
      [{ id: "evil/format_disk" }, { id: "stranger/wipe" }],
    );
    expect(await codes(executor, ADA)).toEqual({ "evil/format_disk": "tool_not_offered", "stranger/wipe": "ok" });
    expect(ran).toEqual(["stranger/wipe"]);
  });

  it("asks a person where a rule or the default says so", async () => {
    const { executor } = await make({
      default: "ask",
      rules: [{ id: "careful", match: { categories: ["files"] }, decision: "ask", reason: "Files are precious." }],
    });
    expect(await executor.authorize("read", {})).toMatchObject({
      decision: "ask",
      reason: "Files are precious.",
      rule: "careful",
    });
    expect(await executor.authorize("other/read", {})).toMatchObject({ decision: "ask", rule: "auth.default" });
  });

  it.each([
    ["categories", { categories: ["files"] }, ["files/read", "files/write"]],
    ["tags", { tags: ["power", "other"] }, ["shell/bash"]],
    ["packages", { packages: ["sh*"] }, ["shell/bash"]],
    ["every permission it names", { permissions: ["fs:*"] }, ["files/read", "files/write"]],
    ["no more permissions than these", { permissions: ["fs:read"] }, ["files/read"]],
    ["effects", { effects: { destructive: true } }, ["shell/bash"]],
    ["a short name for its owner", { tools: ["read"] }, ["files/read"]],
    ["a full id", { tools: ["other/read"] }, ["other/read"]],
    ["no package by the beginning of its name", { tools: ["sh*"] }, []],
    ["everything", { tools: ["*"] }, ["files/read", "files/write", "other/read", "shell/bash"]],
    ["all that is named together", { categories: ["files"], effects: { readOnly: true } }, ["files/read"]],
  ])("allows by %s", async (_what, match, ids) => {
    const { executor } = await make({ rules: [{ match, decision: "allow" }] });
    const offered = TOOLS.map(({ id }) => id).filter((id) =>
      new ToolManager(executor, undefined, { principal: ADA }).catalog.has(id),
    );
    expect(offered.toSorted()).toEqual(ids);
  });

  it.each([
    ["a short name, whoever has it", { tools: ["read"] }, ["files/write", "shell/bash"]],
    ["a short glob, in ids too", { tools: ["sh*"] }, ["files/read", "files/write", "other/read"]],
    ["any of its permissions", { permissions: ["fs:write"] }, ["files/read", "other/read", "shell/bash"]],
  ])("denies by %s", async (_what, match, ids) => {
    const { executor } = await make({ default: "allow", rules: [{ match, decision: "deny" }] });
    const { catalog } = new ToolManager(executor);
    expect(
      TOOLS.map(({ id }) => id)
        .filter((id) => catalog.has(id))
        .toSorted(),
    ).toEqual(ids);
  });

  it("judges arguments, and says which of them matter", async () => {
    const { executor } = await make({
      rules: [
        { match: { tools: ["read"], input: { path: { within: "docs" } } }, decision: "allow" },
        {
          match: { tools: ["read"], input: { path: { glob: "*.key" } } },
          decision: "deny",
          reason: "Keys are secret.",
        },
      ],
    });
    const workspace = { cwd: "/project", roots: ["/project"] };
    const call = async (path: string): Promise<ToolResult> => executor.execute("read", { path }, { workspace });
    expect(codeOf(await call("docs/a.md"))).toBe("ok");
    expect(await call("src/a.ts")).toMatchObject({
      code: "denied_by_policy",
      error: 'read(path="src/a.ts"): Denied by auth.default: The caller may use read with other values of path alone.',
    });
    expect(await call("docs/a.key")).toMatchObject({
      code: "denied_by_policy",
      error: expect.stringContaining("Denied by auth.rules[1]: Keys are secret."),
    });
    expect(codeOf(await executor.execute("read", {}, { workspace }))).toBe("denied_by_policy");
  });

  it("denies as a default what it denies as an argument, and allows what was said alone", async () => {
    const tool = defineTool({
      name: "deploy",
      description: "Deploys.",
      input: z.object({ target: z.string().default("production") }),
      effects: "pure",
      execute: ({ target }) => target,
    }) as Tool;
    const rule = { tools: ["deploy"], input: { target: { equals: "production" } } };
    const denied = await make({ default: "allow", rules: [{ match: rule, decision: "deny" }] }, [
      { id: "p/deploy", tool },
    ]);
    expect(codeOf(await denied.executor.execute("deploy", {}))).toBe("denied_by_policy");
    expect(codeOf(await denied.executor.execute("deploy", { target: "test" }))).toBe("ok");
    const allowed = await make({ rules: [{ match: rule, decision: "allow" }] }, [{ id: "p/deploy", tool }]);
    expect(codeOf(await allowed.executor.execute("deploy", {}))).toBe("denied_by_policy");
    expect(codeOf(await allowed.executor.execute("deploy", { target: "production" }))).toBe("ok");
  });

  it("judges what a person edited (SEC-APR-3)", async () => {
    const { executor, ran } = await make(
      { rules: [{ match: { tools: ["write"], input: { mode: { equals: "safe" } } }, decision: "allow" }] },
      TOOLS,
      {
        approvalMode: "always",
        approver: () => ({ decision: "allow", input: { mode: "wild" } }),
      },
    );
    expect(codeOf(await executor.execute("write", { mode: "safe" }))).toBe("denied_by_policy");
    expect(ran).toEqual([]);
  });

  it("holds for calls within calls, which have the same principal", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls another.",
      effects: "pure",
      execute: async (_input, context) => (await context.callTool("write", {})).success,
    }) as Tool;
    const { executor, ran } = await make(
      {
        rules: [{ match: { tools: ["outer"] }, decision: "allow" }],
        roles: { w: { rules: [{ match: { tools: ["write"] }, decision: "allow" }] } },
      },
      [...TOOLS, { id: "p/outer", tool: outer }],
    );
    expect(await executor.execute("outer", {}, { principal: ADA })).toMatchObject({ value: false });
    expect(ran).toEqual([]);
    expect(await executor.execute("outer", {}, { principal: { id: "w", roles: ["w"] } })).toMatchObject({
      value: true,
    });
  });

  it("judges a tool whose definition is not known once its code has told it", async () => {
    const { executor, loaded, ran } = await make(
      {
        rules: [
          { match: { effects: { readOnly: true } }, decision: "allow" },
          { match: { tools: ["no"] }, decision: "deny" },
        ],
      },
      [
        { id: "p/yes", isTold: false },
        { id: "p/bad", isTold: false, effects: { readOnly: false } },
        { id: "p/no", isTold: false },
      ],
    );
    expect(await codes(executor)).toEqual({ "p/yes": "ok", "p/bad": "denied_by_policy", "p/no": "tool_not_offered" });
    expect(loaded).not.toContain("p/no");
    expect(ran).toEqual(["p/yes"]);
  });

  it("repeats neither names of hidden tools nor the rules of others", async () => {
    const { executor } = await make({
      ...READER,
      roles: { ...READER.roles, boss: { rules: [{ id: "boss-only", match: { tools: ["bash"] }, decision: "allow" }] } },
    });
    const hidden = await executor.execute("bash", {}, { principal: ADA });
    expect(hidden).toMatchObject({ code: "tool_not_offered", suggestion: "Call one of the tools you were given." });
    expect(JSON.stringify(hidden)).not.toContain("boss");
    const unknown = await executor.execute("bsh", {}, { principal: ADA });
    expect(unknown).toMatchObject({ code: "tool_not_found" });
    expect(JSON.stringify(unknown)).not.toContain("bash");
    expect(JSON.stringify(await executor.execute("reed", {}, { principal: ADA }))).toContain("read");
  });

  it("stands beside another one, and each can deny", async () => {
    const { registry } = await makeRegistry(TOOLS);
    const executor = new UnifiedToolExecutor(registry, {
      extensions: [
        auth({ default: "allow", rules: [{ match: { tools: ["write"] }, decision: "deny" }] }),
        auth({ name: "second", default: "allow", rules: [{ match: { tools: ["files/read"] }, decision: "deny" }] }),
      ],
    });
    expect(await codes(executor)).toMatchObject({
      "files/read": "tool_not_offered",
      "files/write": "tool_not_offered",
    });
  });

  it.each([
    ["an unknown key", { role: {} }],
    ["a rule without a decision", { rules: [{ match: { tools: ["*"] } }] }],
    ["a rule that matches nothing by name", { rules: [{ match: {}, decision: "allow" }] }],
    ["a misspelt condition", { rules: [{ match: { input: { a: { equal: 1 } } }, decision: "deny" }] }],
    ["a condition that is a bare value", { rules: [{ match: { input: { a: "b" } }, decision: "deny" }] }],
    ["a list of nothing", { rules: [{ match: { tools: [] }, decision: "deny" }] }],
    ["no value to be one of", { rules: [{ match: { input: { a: { oneOf: [] } } }, decision: "deny" }] }],
    ["a role that extends nothing known", { roles: { a: { extends: ["b"] } } }],
    ["roles in a circle", { roles: { a: { extends: ["b"] }, b: { extends: ["a"] } } }],
    ["an unknown role of nobody", { anonymousRoles: ["reader"] }],
    ["another default", { default: "maybe" }],
  ])("refuses %s", (_what, options) => {
    expect(() => auth(options as unknown as AuthOptions)).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });

  it("says which role was meant", () => {
    expect(() => auth({ roles: { reader: {} }, anonymousRoles: ["raeder"] })).toThrow(
      expect.objectContaining({ fix: "Did you mean reader?" }),
    );
  });

  it("takes a role for no member of every object", async () => {
    const { executor } = await make({ roles: JSON.parse('{"__proto__":{"rules":[]}}') as AuthOptions["roles"] & {} });
    expect(
      codeOf(await executor.execute("read", {}, { principal: { id: "a", roles: ["constructor", "__proto__"] } })),
    ).toBe("tool_not_offered");
  });
});

describe("configure", () => {
  it("makes the same of settings, under a name of its own", async () => {
    const extension = await configure({ default: "allow" }, undefined as never);
    expect(extension).toMatchObject({ name: "extensions.auth", stage: "authorize_arguments" });
  });
});
