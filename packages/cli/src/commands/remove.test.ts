import { createLock, readLock, writeLock } from "@aiw/core/node";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import {
  fakeManager,
  toFiles,
  type FakeManager,
  type FakePackage,
  type ManagerPlan,
} from "../__fixtures__/fake-manager.ts";
import { runAiw, type EndedAiw } from "../__fixtures__/run-aiw.ts";

const FIRST: FakePackage = { name: "fx-first", version: "1.0.0", tools: ["find"] };
const SECOND: FakePackage = { name: "fx-second", version: "1.0.0", tools: ["send"] };
const CONFIG = {
  plugins: { "fx-first": { url: "https://host" } },
  policy: { rules: [{ match: { tool: "fx-first/find" }, decision: "deny" }] },
  toolsets: { mine: { include: ["find", "send"] } },
};

interface World extends AsyncDisposable {
  readonly project: TemporaryWorkspace;
  readonly manager: FakeManager;
  aiw(...args: readonly string[]): Promise<EndedAiw>;
}

/** A project with two tool packages, both pinned. */
async function makeWorld(plan: ManagerPlan = {}): Promise<World> {
  const manager = await fakeManager([FIRST, SECOND]);
  const files: [string, string][] = [];
  for (const one of [FIRST, SECOND])
    for (const [name, text] of Object.entries(await toFiles(one)))
      files.push([`node_modules/${one.name}/${name}`, text]);
  const project = await temporaryWorkspace({
    "package.json": '{"name":"project", "dependencies":{ "fx-first":"^1.0.0","fx-second":"^1.0.0" }}',
    "package-lock.json": '{"packages":{"fx-first":"1.0.0","fx-second":"1.0.0"}}',
    "aiw.config.json": JSON.stringify(CONFIG),
    ...Object.fromEntries(files),
  });
  const world = { environment: {}, trust: { isTrusted: () => false } };
  writeLock(project.cwd, (await createLock({ projectDir: project.cwd }, world)).lock);
  await project.mark();
  await manager.plan(plan);
  return {
    project,
    manager,
    aiw: (...args) => runAiw(project.cwd, args, { environment: manager.environment }),
    [Symbol.asyncDispose]: async () => {
      await project[Symbol.asyncDispose]();
      await manager[Symbol.asyncDispose]();
    },
  };
}

const NOTHING = { added: [], changed: [], removed: [] };

describe("aiw remove", () => {
  it("shows which tools go and what of the configuration names them, and removes nothing unasked", async () => {
    await using world = await makeWorld();
    const { code, out } = await world.aiw("remove", "fx-first");
    expect(code).toBe(3);
    expect(out).toContain("tools     find");
    expect(out).toContain("plugins.fx-first, policy.rules.0.match.tool");
    expect(out).toContain("toolsets.mine.include.0");
    expect(await world.project.changes()).toEqual(NOTHING);
  });

  it("uninstalls without scripts, takes the pin out and leaves the configuration as it is", async () => {
    await using world = await makeWorld();
    const { code, json } = await world.aiw("remove", "fx-first", "--yes", "--json");
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      state: "removed",
      packages: [{ name: "fx-first", tools: ["find"] }],
      lock: { present: true, unpinned: ["fx-first"] },
    });
    expect([...(readLock(world.project.cwd)?.packages.keys() ?? [])]).toEqual(["fx-second"]);
    expect((await world.project.changes()).changed).toEqual(["aiw.lock", "package-lock.json", "package.json"]);
    const [call] = await world.manager.calls();
    expect(call?.args).toContain("--ignore-scripts");
  });

  it("names the nearest dependency for one that is none, and starts no package manager", async () => {
    await using world = await makeWorld();
    const { code, err } = await world.aiw("remove", "fx-frist", "--yes");
    expect(code).toBe(2);
    expect(err).toContain("Did you mean fx-first?");
    expect(await world.manager.calls()).toEqual([]);
  });

  it("gives no dependency to the package manager that would be an option of it", async () => {
    await using world = await makeWorld();
    await world.project.write("package.json", '{"name":"project","dependencies":{"--global":"1.0.0"}}');
    const { code } = await world.aiw("remove", "--yes", "--", "--global");
    expect(code).toBe(2);
    expect(await world.manager.calls()).toEqual([]);
  });

  it.each([0, 1, 2, 3])(
    "row 44: restores files and tree when the package manager fails after %i writes",
    async (stopAfter) => {
      await using world = await makeWorld({ stopAfter });
      const { code } = await world.aiw("remove", "fx-first", "--yes");
      expect(code).toBe(4);
      expect(await world.project.changes()).toEqual(NOTHING);
    },
  );
});
