import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { definitionHash, type ToolSpec } from "@aiw/core";
import { readLock } from "@aiw/core/node";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { runAiw } from "../__fixtures__/run-aiw.ts";
import { spawnAiw } from "../__fixtures__/spawn-aiw.ts";

const CODE = `const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
export const greet = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: SPEC, execute: () => "hello" };`;

function specOf(description: string): ToolSpec {
  const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
  return {
    name: "greet",
    type: "function",
    description,
    inputSchema: { type: "object" },
    metadata: { tags: [], permissions: [], effects },
  };
}

async function filesOf(name: string, description = "Greets."): Promise<Record<string, string>> {
  const spec = specOf(description);
  const tools = [{ module: "./index.js", export: "greet", definitionHash: await definitionHash(spec), spec }];
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      version: "1.0.0",
      type: "module",
      aiwhisperer: { tools: "./aiw-tools.json" },
    }),
    [`node_modules/${name}/index.js`]: CODE.replace("SPEC", JSON.stringify(spec)),
    [`node_modules/${name}/aiw-tools.json`]: JSON.stringify({
      manifestVersion: 1,
      package: { name, version: "1.0.0" },
      tools,
    }),
  };
}

async function write(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dir, file)), { recursive: true });
    await writeFile(path.join(dir, file), text);
  }
}

function openProject(files: Readonly<Record<string, string>>, names: readonly string[]): Promise<TemporaryWorkspace> {
  const dependencies = Object.fromEntries(names.map((name) => [name, "1.0.0"]));
  return temporaryWorkspace({ "package.json": JSON.stringify({ name: "project", dependencies }), ...files });
}

async function makeProject(): Promise<TemporaryWorkspace> {
  return openProject(await filesOf("acme"), ["acme"]);
}

async function makeLocked(): Promise<TemporaryWorkspace> {
  const project = await makeProject();
  expect(await runAiw(project.cwd, ["lock"])).toMatchObject({ code: 0 });
  return project;
}

const lockOf = (dir: string): Promise<string> => readFile(path.join(dir, "aiw.lock"), "utf8");

describe("aiw lock", () => {
  it("writes the first lock without a question and says what it pins", async () => {
    await using project = await makeProject();
    const { code, out, err } = await runAiw(project.cwd, ["lock"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("+ acme 1.0.0: greet");
    expect(out).toContain("Pinned 1 tool of 1 package");
    expect(await lockOf(project.cwd)).toMatch(/^\{\n {2}"lockVersion": 1,/);
    expect((await readdir(project.cwd)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("says first what may do more, and what breaks calls", async () => {
    await using project = await makeLocked();
    const metadata = { ...specOf("Greets.").metadata, permissions: ["net"] };
    const inputSchema = { type: "object", properties: { whom: { type: "string" } }, required: ["whom"] };
    const spec = { ...specOf("Greets."), metadata, inputSchema };
    const tools = [
      { module: "./index.js", export: "greet", definitionHash: await definitionHash(spec as ToolSpec), spec },
    ];
    const manifest = { manifestVersion: 1, package: { name: "acme", version: "1.0.0" }, tools };
    await write(project.cwd, { "node_modules/acme/aiw-tools.json": JSON.stringify(manifest) });
    for (const args of [["lock"], ["lock", "--check"]]) {
      const { out } = await runAiw(project.cwd, args);
      expect(out.split("\n").slice(0, 2)).toEqual([
        "warning: acme may do more than before: greet is now with net",
        "warning: acme breaks calls: of greet, whom is required now",
      ]);
    }
  });

  it("writes nothing where nothing is different", async () => {
    await using project = await makeLocked();
    const before = await lockOf(project.cwd);
    const { code, out } = await runAiw(project.cwd, ["lock"]);
    expect({ code, out }).toEqual({ code: 0, out: "In step already: 1 tool of 1 package.\n" });
    expect(await lockOf(project.cwd)).toBe(before);
  });

  it("needs --yes for a difference where nobody can be asked, and shows it", async () => {
    await using project = await makeLocked();
    const before = await lockOf(project.cwd);
    await write(project.cwd, await filesOf("acme", "Greets, and tells others."));
    const refused = await runAiw(project.cwd, ["lock"]);
    expect(refused.code).toBe(3);
    expect(refused.out).toContain("⟦, and tells others⟧");
    expect(refused.err).toContain("aiw lock --yes");
    expect(await lockOf(project.cwd)).toBe(before);
    expect(await runAiw(project.cwd, ["lock", "--yes"])).toMatchObject({ code: 0 });
    expect(await lockOf(project.cwd)).toContain("tells others");
  });

  it("needs --yes for what is added, and none for what is only gone", async () => {
    await using project = await openProject({ ...(await filesOf("acme")), ...(await filesOf("beta")) }, ["acme"]);
    await runAiw(project.cwd, ["lock"]);
    await write(project.cwd, {
      "package.json": JSON.stringify({ name: "project", dependencies: { acme: "1", beta: "1" } }),
    });
    expect(await runAiw(project.cwd, ["lock"])).toMatchObject({
      code: 3,
      out: expect.stringMatching(/\+ beta[^]*\+ beta\/greet\n *says ⟦Greets\.⟧[^]*inputSchema/),
    });
    expect(await runAiw(project.cwd, ["lock", "-y"])).toMatchObject({ code: 0 });
    await write(project.cwd, { "package.json": JSON.stringify({ name: "project", dependencies: { acme: "1" } }) });
    expect(await runAiw(project.cwd, ["lock"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("- beta 1.0.0: greet"),
    });
  });

  it.each([
    ["y\n", 0, "Pinned"],
    ["n\n", 3, "Nothing was written"],
  ])("asks at a terminal: %j", async (answer, code, said) => {
    await using project = await makeLocked();
    await write(project.cwd, await filesOf("acme", "Other."));
    const ended = await runAiw(project.cwd, ["lock"], {
      interactive: true,
      prepare: (fake) => fake.when("[y/N]", () => fake.type(answer)),
    });
    expect(ended.code).toBe(code);
    expect(ended.out + ended.err).toContain(said);
    expect(ended.err).toContain("⟦Other⟧");
  });

  it("writes nothing when it is interrupted", async () => {
    await using project = await makeLocked();
    const before = await lockOf(project.cwd);
    await write(project.cwd, await filesOf("acme", "Other."));
    const ended = await runAiw(project.cwd, ["lock"], {
      interactive: true,
      prepare: (fake) => fake.when("[y/N]", () => fake.interrupt()),
    });
    expect(ended.code).toBe(130);
    expect(await lockOf(project.cwd)).toBe(before);
  });

  it("tells programs what is different", async () => {
    await using project = await makeLocked();
    await write(project.cwd, await filesOf("acme", "Other."));
    const ended = await runAiw(project.cwd, ["lock", "--json"]);
    expect(ended.code).toBe(3);
    expect(ended.json()).toMatchObject({
      project: project.cwd,
      inStep: false,
      written: false,
      differences: [
        { kind: "description", package: "acme", tool: "greet", pointer: "/description", from: "Greets.", to: "Other." },
        { kind: "file", pointer: "aiw-tools.json" },
        { kind: "file", pointer: "index.js" },
      ],
    });
  });

  it("makes a damaged lock anew only when somebody says so", async () => {
    await using project = await makeLocked();
    await write(project.cwd, { "aiw.lock": `<<<<<<< HEAD\n${await lockOf(project.cwd)}` });
    expect(await runAiw(project.cwd, ["lock"])).toMatchObject({ code: 3, out: expect.stringContaining("merge") });
    expect(await runAiw(project.cwd, ["lock", "--yes"])).toMatchObject({ code: 0 });
    expect(readLock(project.cwd)?.packages.has("acme")).toBe(true);
  });

  it("SEC-LOCK-6: leaves one valid file when several write at once", async () => {
    await using project = await makeProject();
    const ended = await Promise.all([1, 2, 3].map(() => spawnAiw(project.cwd, ["lock", "--yes"])));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(readLock(project.cwd)?.packages.size).toBe(1);
    expect((await readdir(project.cwd)).toSorted()).toEqual(["aiw.lock", "node_modules", "package.json"]);
  });

  it("refuses where a package cannot be read, and outside of a project", async () => {
    await using project = await makeLocked();
    const before = await lockOf(project.cwd);
    await write(project.cwd, { "node_modules/acme/aiw-tools.json": "{" });
    expect(await runAiw(project.cwd, ["lock", "--yes"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("leave out"),
    });
    expect(await lockOf(project.cwd)).toBe(before);
    await rm(path.join(project.cwd, "package.json"));
    expect(await runAiw(project.cwd, ["lock"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("in no project"),
    });
  });

  it("takes no --yes where nothing is written", async () => {
    await using project = await makeProject();
    expect(await runAiw(project.cwd, ["lock", "--check", "--yes"])).toMatchObject({ code: 2 });
  });
});

describe("aiw lock --check", () => {
  it("says whether the lock is in step, and changes nothing (SEC-LOCK-2)", async () => {
    await using project = await makeProject();
    expect(await runAiw(project.cwd, ["lock", "--check"])).toMatchObject({
      code: 4,
      err: expect.stringContaining("aiw lock"),
    });
    await runAiw(project.cwd, ["lock"]);
    expect(await runAiw(project.cwd, ["lock", "--check"])).toMatchObject({
      code: 0,
      out: "In step: 1 tool of 1 package.\n",
    });
    const before = await lockOf(project.cwd);
    await write(project.cwd, await filesOf("acme", "Gr\u0435ets."));
    const drifted = await runAiw(project.cwd, ["lock", "--check"]);
    expect(drifted).toMatchObject({ code: 1, err: expect.stringContaining("Not in step") });
    expect(drifted.out).toContain("\\u{435}");
    expect(await lockOf(project.cwd)).toBe(before);
    await write(project.cwd, { "aiw.lock": before.slice(2) });
    expect(await runAiw(project.cwd, ["lock", "--check"])).toMatchObject({ code: 4 });
    expect((await runAiw(project.cwd, ["lock", "--check", "--json"])).json()).toMatchObject({
      error: { code: "lock_invalid" },
    });
  });
});

describe("--frozen", () => {
  const COMMANDS = [
    ["list"],
    ["info", "greet"],
    ["search", "greet"],
    ["why", "greet"],
    ["call", "greet"],
    ["definitions"],
    ["prompt"],
    ["doctor"],
  ];

  it.each(COMMANDS)("SEC-LOCK-1: of aiw %s refuses what is not as it is pinned", async (...words) => {
    await using project = await makeLocked();
    const args = words.filter((word) => typeof word === "string");
    expect(await runAiw(project.cwd, [...args, "--frozen"])).toMatchObject({
      code: args[0] === "doctor" ? expect.any(Number) : 0,
    });
    await write(project.cwd, await filesOf("acme", "Other."));
    const drifted = await runAiw(project.cwd, [...args, "--frozen"]);
    expect(drifted.code).toBe(4);
    expect(drifted.out + drifted.err).toContain("⟦Other⟧");
    await rm(path.join(project.cwd, "aiw.lock"));
    const missing = await runAiw(project.cwd, [...args, "--frozen", "--json"]);
    expect(missing.code).toBe(4);
    expect(missing.json()).toMatchObject({ error: { code: "lock_missing" } });
  });
});

describe("a tool that is not as it is pinned", () => {
  it("row 34: is refused by name with the difference and the way out, exit code 4", async () => {
    await using project = await makeLocked();
    await write(project.cwd, await filesOf("acme", "Other."));
    for (const words of [["call", "greet"], ["info", "greet"], ["doctor"]]) {
      const { code, out, err } = await runAiw(project.cwd, words);
      expect(code).toBe(4);
      expect((out + err).replaceAll(/\s+/g, " ")).toMatch(/⟦Other⟧.*aiw lock/);
    }
    expect(await runAiw(project.cwd, ["why", "greet", "--json"])).toMatchObject({
      code: 1,
      out: expect.stringContaining('"not_enabled"'),
    });
    expect(await runAiw(project.cwd, ["list"])).toMatchObject({ code: 0, err: expect.stringContaining("lock_drift") });
  });
});
