import { access, chmod } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { makeProject, toolModule } from "../__fixtures__/make-project.ts";
import { runAiw, type EndedAiw } from "../__fixtures__/run-aiw.ts";
import type { FakeIo } from "../__fixtures__/fake-io.ts";

interface World extends AsyncDisposable {
  readonly project: TemporaryWorkspace;
  readonly home: TemporaryWorkspace;
  aiw(
    args: readonly string[],
    options?: { interactive?: boolean; prepare?: (fake: FakeIo) => void },
  ): Promise<EndedAiw>;
}

/** A project whose configuration allows `wipe` and names a folder, and that has a tool of its own. */
async function makeWorld(name: string): Promise<World> {
  const project = await makeProject();
  const home = await temporaryWorkspace();
  await project.write("own.js", toolModule(`${name}_own`));
  await project.write("yard/sweep.js", toolModule(`${name}_sweep`));
  await project.write(
    "package.json",
    JSON.stringify({
      name: "project",
      type: "module",
      dependencies: { "acme-tools": "1.0.0" },
      aiwhisperer: { tools: { [`${name}_own`]: `./own.js#${name}_own` } },
    }),
  );
  await project.write(
    "aiw.config.json",
    JSON.stringify({
      policy: { rules: [{ match: { tool: "wipe" }, decision: "allow", reason: "\u202Eours" }] },
      sources: { directories: ["./yard"] },
    }),
  );
  return {
    project,
    home,
    aiw: (args, options) => runAiw(project.cwd, args, { environment: { AIW_CONFIG_HOME: home.cwd }, ...options }),
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Answers the questions one after the other, each when it is shown. */
function answer(fake: FakeIo, answers: readonly string[]): void {
  answers.forEach((text, index) => {
    const shown = Array.from({ length: index + 1 }, () => "[y/N]");
    const wait = (): void => {
      if (fake.stderr().split("[y/N]").length > shown.length) fake.type(`${text}\n`);
      else setTimeout(wait, 5);
    };
    wait();
  });
}

describe("aiw trust", () => {
  it("shows everything that waits, runs none of it, and records nothing where nobody is asked", async () => {
    await using world = await makeWorld("trust_show");
    const { code, out, err } = await world.aiw(["trust"]);
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining("aiw trust --yes") });
    expect(out).toContain('/policy/rules/0: {"decision":"allow","match":{"tool":"wipe"},"reason":"\\u{202e}ours"}');
    expect(out).toContain('/sources/directories/0: "./yard"');
    expect(out).toContain('runs "./own.js" for trust_show_own');
    expect(out).not.toContain("\u202E");
    await expect(access(world.home.path("trust.json"))).rejects.toThrow("ENOENT");
    expect(globalThis).not.toMatchObject({ ran: expect.arrayContaining(["trust_show_own"]) });
  });

  it("gives the same as JSON: the hash and every part", async () => {
    await using world = await makeWorld("trust_json");
    const { code, json } = await world.aiw(["trust", "--json"]);
    expect({ code, said: json() }).toMatchObject({
      code: 3,
      said: {
        project: world.project.cwd,
        file: world.home.path("trust.json"),
        waiting: [
          {
            subject: "project_tools",
            hash: expect.stringMatching(/^sha256-/),
            parts: [expect.stringContaining("own.js")],
          },
          { subject: "configuration", parts: { length: 2 } },
        ],
        trusted: [],
      },
    });
  });

  it("asks about each, also about what a trusted configuration names, and records what was trusted", async () => {
    await using world = await makeWorld("trust_ask");
    const prepare = (fake: FakeIo): void => answer(fake, ["n", "y", "YES"]);
    const { code, out, err } = await world.aiw(["trust"], { interactive: true, prepare });
    expect({ code, out }).toEqual({
      code: 3,
      out: expect.stringContaining(`Recorded in ${world.home.path("trust.json")}`),
    });
    expect(err).toMatch(/own\.js.*\[y\/N\].*policy\/rules.*\[y\/N\].*yard.*\[y\/N\].*goes on waiting/s);
    expect((await world.aiw(["trust", "--list", "--json"])).json()).toMatchObject({
      records: [{ subject: "configuration" }, { subject: "directory", dir: world.project.path("yard") }],
    });
    expect((await world.aiw(["list", "--json"])).json()).toMatchObject({
      findings: [{ code: "trust_required", package: "project" }, { code: "slow_declaration" }],
    });
  });

  it("takes nothing for an answer that was typed before its question was shown", async () => {
    await using world = await makeWorld("trust_ahead");
    const prepare = (fake: FakeIo): void => {
      fake.type("y\ny\ny\n");
      answer(fake, ["n", ""]);
    };
    const { code } = await world.aiw(["trust"], { interactive: true, prepare });
    expect(code).toBe(3);
    await expect(access(world.home.path("trust.json"))).rejects.toThrow("ENOENT");
  });

  it("records nothing at Ctrl-C, whatever was answered before", async () => {
    await using world = await makeWorld("trust_stop");
    const prepare = (fake: FakeIo): void => {
      answer(fake, ["y"]);
      fake.when("policy/rules", () => setTimeout(() => fake.interrupt(), 20));
    };
    const { code, err } = await world.aiw(["trust"], { interactive: true, prepare });
    expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining("nothing was recorded") });
    await expect(access(world.home.path("trust.json"))).rejects.toThrow("ENOENT");
  });

  it("makes what was trusted hold, until it changes", async () => {
    await using world = await makeWorld("trust_hold");
    const refused = await world.aiw(["call", "wipe"]);
    expect({ code: refused.code, err: refused.err }).toEqual({ code: 3, err: expect.stringContaining("aiw trust") });
    expect((await world.aiw(["trust", "--yes"])).code).toBe(0);
    expect(await world.aiw(["call", "wipe"])).toMatchObject({ code: 0, out: expect.stringContaining("wiped") });
    expect(await world.aiw(["call", "trust_hold_own"])).toMatchObject({ code: 0, out: "trust_hold_own ran\n" });
    expect(await world.aiw(["call", "trust_hold_sweep"])).toMatchObject({ code: 0, out: "trust_hold_sweep ran\n" });
    expect((await world.aiw(["trust"])).out).toContain("Nothing in");

    const config = await world.project.read("aiw.config.json");
    await world.project.write("aiw.config.json", config.replace('"wipe"', '"*"'));
    expect((await world.aiw(["call", "wipe"])).code).toBe(3);
    expect((await world.aiw(["trust", "--list"])).out).toContain("something else is there now");
    await world.aiw(["trust", "--yes"]);
    expect((await world.aiw(["trust", "--list", "--json"])).json()).toMatchObject({
      records: { length: 4 },
    });
    const { records } = (await world.aiw(["trust", "--list", "--json"])).json() as { records: { current: boolean }[] };
    expect(records.filter(({ current }) => current)).toHaveLength(3);
  });

  it("does not trust what a file says after it was shown", async () => {
    await using world = await makeWorld("trust_race");
    const prepare = (fake: FakeIo): void =>
      fake.when("[y/N]", () => {
        void world.project.write("own.js", "globalThis.trustRace = true;").then(() => answer(fake, ["y", "n", "n"]));
      });
    await world.aiw(["trust"], { interactive: true, prepare });
    await world.aiw(["definitions"]);
    expect(globalThis).not.toHaveProperty("trustRace");
  });

  it("trusts folders whatever they say, when that is asked for", async () => {
    await using world = await makeWorld("trust_any");
    const { code, out } = await world.aiw(["trust", "--any-content", "--yes"]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("says later") });
    await world.project.write("own.js", toolModule("trust_any_own", { destructive: true }));
    expect((await world.aiw(["call", "trust_any_own", "--yes"])).out).toBe("trust_any_own ran\n");
    expect((await world.aiw(["trust", "--list"])).out).toContain(`whatever it says, in ${world.project.cwd},`);
    expect((await world.aiw(["trust", "--any-content"])).out).toContain("is trusted already, whatever it says");
  });

  it("trusts folders whatever they say also when nothing of them waits any more", async () => {
    await using world = await makeWorld("trust_later");
    await world.aiw(["trust", "--yes"]);
    const { code, out } = await world.aiw(["trust", "--any-content", "--yes"]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("though nothing waited") });
    const { records } = (await world.aiw(["trust", "--list", "--json"])).json() as {
      records: { subject: string; dir: string }[];
    };
    const whole = records.filter(({ subject }) => subject === "any").map(({ dir }) => dir);
    expect(whole).toEqual(expect.arrayContaining([world.project.cwd, world.project.path("yard")]));
  });

  it("says of a module that it is not there", async () => {
    await using project = await makeProject();
    await project.write("package.json", '{ "name": "project", "aiwhisperer": { "tools": "./gone.js" } }');
    expect((await runAiw(project.cwd, ["trust"])).out).toContain('"./gone.js", which is not there');
  });

  it("says where there is no project", async () => {
    await using folder = await temporaryWorkspace();
    expect((await runAiw(folder.cwd, ["trust"])).out).toContain("npm init -y");
  });

  it("takes back what is trusted of this project, and of no other", async () => {
    await using world = await makeWorld("trust_back");
    await using other = await makeWorld("trust_other");
    const environment = { AIW_CONFIG_HOME: world.home.cwd };
    await world.aiw(["trust", "--yes"]);
    await runAiw(other.project.cwd, ["trust", "--yes"], { environment });
    // A project inside the folder is another one, too.
    await world.project.write("clone/package.json", '{ "name": "clone" }');
    await runAiw(world.project.path("clone"), ["trust", "--any-content", "--yes"], { environment });
    const { code, json } = await world.aiw(["trust", "--revoke", "--json"]);
    expect({ code, said: json() }).toMatchObject({ code: 0, said: { revoked: { length: 3 } } });
    expect((await world.aiw(["trust", "--revoke"])).out).toContain("Nothing of");
    expect((await world.aiw(["call", "wipe"])).code).toBe(3);
    expect((await runAiw(other.project.cwd, ["call", "wipe"], { environment })).code).toBe(0);
    const clone = await runAiw(world.project.path("clone"), ["trust", "--list", "--json"], { environment });
    expect(clone.json()).toMatchObject({ records: [{ subject: "any" }] });
  });

  it("says that nothing waits", async () => {
    await using project = await makeProject();
    expect(await runAiw(project.cwd, ["trust"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("waits for trust"),
    });
    await expect(access(`${project.cwd}.config`)).rejects.toThrow("ENOENT");
  });

  it("ends with 4 when the record cannot be believed, before anybody is asked", async () => {
    await using world = await makeWorld("trust_bad");
    await world.home.write("trust.json", '{ "trustVersion": 1, "records": [] }');
    await chmod(world.home.path("trust.json"), 0o666);
    for (const args of [["trust"], ["trust", "--yes"], ["trust", "--list"], ["trust", "--revoke"]])
      expect(await world.aiw(args)).toMatchObject({ code: 4, err: expect.stringContaining("chmod go-w") });
  });

  it.each([
    [["trust", "--list", "--revoke"], "give one"],
    [["trust", "--list", "--yes"], "takes no --yes"],
    [["trust", "extra"], "no word"],
  ])("answers wrong use %j with exit code 2", async (args, message) => {
    await using project = await makeProject();
    expect(await runAiw(project.cwd, args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
