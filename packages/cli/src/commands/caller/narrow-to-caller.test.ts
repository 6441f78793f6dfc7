import { describe, expect, it } from "vitest";
import { makeProject } from "../../__fixtures__/make-project.ts";
import { runAiw } from "../../__fixtures__/run-aiw.ts";

const AUTH = {
  roles: {
    reader: { rules: [{ match: { tools: ["echo", "fail"] }, decision: "allow" }] },
    cleaner: { rules: [{ id: "may-wipe", match: { tools: ["wipe"] }, decision: "allow" }] },
  },
  rules: [{ match: { tools: ["fail"] }, decision: "deny", reason: "It fails." }],
};

async function makeGuarded(auth: object | null = AUTH): ReturnType<typeof makeProject> {
  const project = await makeProject();
  if (auth !== null) await project.write("aiw.config.json", JSON.stringify({ extensions: { auth } }));
  return project;
}

describe("narrowToCaller", () => {
  it("lists, defines, prompts and finds what the caller is offered alone", async () => {
    await using project = await makeGuarded();
    const ann = ["--principal", "ann", "--role", "reader", "--role", "cleaner"];
    const listed = await runAiw(project.cwd, ["list", "--json", ...ann]);
    expect(listed.json()).toMatchObject({
      tools: [{ name: "echo" }, { name: "wipe" }],
      notOffered: ["acme-tools/fail", "acme-tools/tick"],
    });
    const plain = await runAiw(project.cwd, ["list", "--role", "reader"]);
    expect(plain.out.trim().split("\n")).toHaveLength(1);
    expect(plain.err).toMatch(
      /hidden +3 tools are not offered to somebody with the role reader: .*aiw why NAME --role reader/,
    );
    const definitions = (await runAiw(project.cwd, ["definitions", "--format", "mcp", ...ann])).json();
    expect(definitions).toMatchObject([{ name: "echo" }, { name: "wipe" }]);
    expect((await runAiw(project.cwd, ["prompt", ...ann])).out).not.toContain("tick");
    expect(await runAiw(project.cwd, ["search", "ticks", ...ann])).toMatchObject({ code: 1, out: "" });
  });

  it("shows everything where nobody is named, and says that nothing tells callers apart without roles", async () => {
    await using guarded = await makeGuarded();
    expect((await runAiw(guarded.cwd, ["list", "--json"])).json()).not.toHaveProperty("notOffered");
    await using open = await makeGuarded(null);
    const { code, out, err } = await runAiw(open.cwd, ["list", "--role", "any"]);
    expect({ code, lines: out.trim().split("\n").length }).toEqual({ code: 0, lines: 4 });
    expect(err).toContain("without extensions.auth every caller is offered the same tools");
  });

  it("shows no tool to a caller who is not offered it, and says where to see why", async () => {
    await using project = await makeGuarded();
    expect((await runAiw(project.cwd, ["info", "echo", "--role", "reader"])).code).toBe(0);
    const hidden = await runAiw(project.cwd, ["info", "wipe", "--principal", "ann", "--role", "reader", "--json"]);
    expect(hidden).toMatchObject({ code: 3 });
    expect(hidden.json()).toEqual({
      error: {
        code: "tool_not_offered",
        message: "wipe is not offered to ann (role reader).",
        fix: "aiw why wipe --principal ann --role reader",
      },
    });
    expect((await runAiw(project.cwd, ["info", "wipes", "--role", "reader"])).code).toBe(1);
  });

  it("says of an empty list that it is the caller's", async () => {
    await using project = await makeGuarded();
    const { out } = await runAiw(project.cwd, ["list", "--principal", "ann"]);
    expect(out).toContain("are offered to this caller");
  });

  it("refuses roles that nothing defines, and rules that cannot be resolved", async () => {
    await using project = await makeGuarded();
    for (const command of ["list", "info echo", "definitions", "prompt", "search echo", "why echo", "call echo"]) {
      const ended = await runAiw(project.cwd, [...command.split(" "), "--principal", "ann", "--role", "raeder"]);
      expect({ command, code: ended.code }).toEqual({ command, code: 2 });
      expect(ended.err).toContain("Did you mean reader?");
    }
    await using broken = await makeGuarded({ roles: { a: { extends: ["a"] } } });
    expect(await runAiw(broken.cwd, ["list", "--role", "a"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("inherits from itself"),
    });
  });
});

describe("aiw why for a caller", () => {
  it("names the rules, and ends with 3 where the tool is not offered", async () => {
    await using project = await makeGuarded();
    const may = await runAiw(project.cwd, ["why", "wipe", "--role", "cleaner"]);
    expect(may).toMatchObject({ code: 0, out: expect.stringMatching(/offered +to somebody.*\nrule +may-wipe allows/) });
    const denied = await runAiw(project.cwd, ["why", "fail", "--principal", "ann", "--role", "reader"]);
    expect(denied.code).toBe(3);
    expect(denied.out).toMatch(
      /offered +not to ann \(role reader\).*\nrule +extensions\.auth\.rules\[0\] denies .*: It fails\./,
    );
    const unnamed = await runAiw(project.cwd, ["why", "tick", "--principal", "ann", "--json"]);
    expect(unnamed).toMatchObject({ code: 3 });
    expect(unnamed.json()).toMatchObject({ state: "tool", offer: { offered: false, byDefault: "deny", rules: [] } });
  });

  it("says nothing of callers where nobody is named or nothing answers", async () => {
    await using project = await makeGuarded();
    expect((await runAiw(project.cwd, ["why", "echo", "--json"])).json()).not.toHaveProperty("offer");
    expect(await runAiw(project.cwd, ["why", "nothing", "--role", "reader"])).toMatchObject({ code: 1 });
    await using open = await makeGuarded(null);
    const { code, out } = await runAiw(open.cwd, ["why", "echo", "--principal", "ann"]);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("as to everybody") });
  });
});
