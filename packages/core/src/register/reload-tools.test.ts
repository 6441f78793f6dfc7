import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import type { ToolEntry, ToolSource } from "../contract/tool-source.ts";
import { defineTool } from "../define/define-tool.ts";
import { AiwError } from "../errors/aiw-error.ts";
import type { ToolsChange } from "./change-listeners.ts";
import { createEntry } from "./create-entry.ts";
import type { RegistrySetup, ToolProject } from "./tool-project.ts";
import { ToolRegistry } from "./tool-registry.ts";

interface Installed {
  readonly version: number;
  readonly tools: readonly string[];
}

/** A disk of packages, and a process whose modules stay as they were when they were first evaluated. */
class FakeProject implements ToolProject {
  readonly disk = new Map<string, Installed>();
  /** Version by file, as evaluated. */
  readonly memory = new Map<string, number>();
  setup: Partial<RegistrySetup> = {};
  failure: unknown;
  reads = 0;
  gate: Promise<void> = Promise.resolve();

  async read(): Promise<RegistrySetup> {
    this.reads += 1;
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    const disk = [...this.disk].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const entries = disk.flatMap(([key, installed]) => installed.tools.map((name) => this.#toEntry(key, name)));
    const source: ToolSource = { name: "fake", list: async () => entries };
    return { config: {}, sources: [source], ...this.setup };
  }

  watch(): never {
    throw new Error("not asked for");
  }

  openDirectory(): never {
    throw new Error("not asked for");
  }

  #toEntry(key: string, name: string): ToolEntry {
    const id = `${key}/${name}`;
    const version = this.disk.get(key)?.version ?? 0;
    let loaded: Promise<Tool> | undefined;
    return createEntry({
      id,
      name,
      origin: { source: "package", package: key, version: `${version}.0.0` },
      spec: makeTool(name, version).spec,
      isLoaded: () => this.memory.has(id),
      load: () => {
        loaded ??= this.#evaluate(id, { key, name, version }).catch((error: unknown) => {
          loaded = undefined;
          throw error;
        });
        return loaded;
      },
    });
  }

  async #evaluate(id: string, listed: { key: string; name: string; version: number }): Promise<Tool> {
    const installed = this.disk.get(listed.key);
    if (!installed?.tools.includes(listed.name)) throw new AiwError("load_failed", "package_removed");
    if (installed.version !== listed.version) throw new AiwError("load_failed", "restart_required");
    const running = this.memory.get(id) ?? installed.version;
    this.memory.set(id, running);
    if (running !== listed.version) throw new AiwError("load_failed", "definition_mismatch");
    return makeTool(listed.name, running);
  }
}

function makeTool(name: string, version: number): Tool {
  const description = `Runs ${name} of version ${version}.`;
  return defineTool({ name, description, effects: "pure", execute: () => description }) as Tool;
}

const context = {} as ToolContext<unknown>;

async function open(
  packages: Readonly<Record<string, Installed>>,
): Promise<{ project: FakeProject; registry: ToolRegistry }> {
  const project = new FakeProject();
  for (const [key, installed] of Object.entries(packages)) project.disk.set(key, installed);
  const registry = new ToolRegistry({ project });
  await registry.readSources();
  return { project, registry };
}

describe("ToolRegistry.reloadTools", () => {
  it("counts what was registered by hand before as known, to those who ask and to those who listen", async () => {
    const project = new FakeProject();
    const registry = new ToolRegistry({ project });
    await registry.readSources();
    registry.register(makeTool("mine", 1));
    const told = vi.fn<(change: ToolsChange) => void>();
    project.disk.set("acme", { version: 1, tools: ["read"] });
    expect(await registry.reloadTools()).toEqual({
      added: ["acme/read"],
      removed: [],
      changed: [],
      restartRequired: [],
    });
    registry.register(makeTool("yours", 1));
    registry.onChange(told);
    registry.register(makeTool("theirs", 1));
    expect(told.mock.calls).toEqual([[{ added: ["theirs"], removed: [], changed: [], restartRequired: [] }]]);
  });

  it("says and tells which tools came, went and changed", async () => {
    const { project, registry } = await open({
      gone: { version: 1, tools: ["a"] },
      same: { version: 1, tools: ["b"] },
      up: { version: 1, tools: ["d", "c"] },
    });
    const told = vi.fn();
    registry.onChange(told);
    project.disk.delete("gone");
    project.disk.set("fresh", { version: 1, tools: ["z"] });
    project.disk.set("up", { version: 2, tools: ["d", "c"] });
    const change = await registry.reloadTools();
    expect(change).toEqual({ added: ["fresh/z"], removed: ["gone/a"], changed: ["up/c", "up/d"], restartRequired: [] });
    expect(told.mock.calls).toEqual([[change]]);
    expect(await registry.reloadTools()).toEqual({ added: [], removed: [], changed: [], restartRequired: [] });
    expect(told).toHaveBeenCalledTimes(1);
  });

  it("calls a tool changed whose options alone are different", async () => {
    const project = new FakeProject();
    const source = (options: unknown): ToolSource => ({
      name: "fake",
      list: async () => [
        createEntry({
          id: "a/read",
          name: "read",
          origin: { source: "package", package: "a" },
          spec: makeTool("read", 1).spec,
          options,
          isLoaded: () => true,
          load: async () => makeTool("read", 1),
        }),
      ],
    });
    project.setup = { sources: [source({ max: 1, min: 0 })] };
    const registry = new ToolRegistry({ project });
    await registry.readSources();
    project.setup = { sources: [source({ min: 0, max: 1 })] };
    expect((await registry.reloadTools()).changed).toEqual([]);
    project.setup = { sources: [source({ max: 2, min: 0 })] };
    expect((await registry.reloadTools()).changed).toEqual(["a/read"]);
    expect(registry.getEntry("read")?.options).toEqual({ max: 2, min: 0 });
    expect(registry.report.rejected).toEqual([]);
  });

  it("lets go of a listener, and is not harmed by one that throws or rejects", async () => {
    const { project, registry } = await open({});
    const told = vi.fn();
    registry.onChange(() => {
      throw new Error("mine");
    });
    registry.onChange((async () => {
      throw new Error("mine, later");
    }) as () => void);
    const stop = registry.onChange(told);
    registry.onChange(told);
    project.disk.set("a", { version: 1, tools: ["a"] });
    await registry.reloadTools();
    expect(told).toHaveBeenCalledTimes(2);
    stop();
    registry.register(makeTool("own", 1));
    expect(told).toHaveBeenCalledTimes(3);
    expect(told).toHaveBeenLastCalledWith({ added: ["own"], removed: [], changed: [], restartRequired: [] });
  });

  it("exchanges all at once: who holds a tool keeps it whole", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read"] } });
    const held = registry.getTool("read");
    await held.execute({}, context);
    project.disk.clear();
    await registry.reloadTools();
    expect(registry.has("read")).toBe(false);
    expect(await held.execute({}, context)).toBe("Runs read of version 1.");
  });

  it("keeps the former definition and code of a changed package whose code has run, and says so", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read", "write"] } });
    await registry.getTool("read").execute({}, context);
    project.disk.set("a", { version: 2, tools: ["read", "write", "more"] });
    expect(await registry.reloadTools()).toEqual({
      added: [],
      removed: [],
      changed: [],
      restartRequired: ["a/read", "a/write"],
    });
    expect(registry.getTool("read").spec.description).toBe("Runs read of version 1.");
    expect(await registry.getTool("read").execute({}, context)).toBe("Runs read of version 1.");
    await expect(registry.getTool("write").execute({}, context)).rejects.toMatchObject({
      details: { finding: { code: "restart_required", tool: "write" } },
    });
    expect(registry.report.rejected).toMatchObject([
      {
        code: "restart_required",
        severity: "warning",
        package: "a",
        version: "1.0.0",
        reason: expect.stringContaining("2.0.0"),
      },
    ]);
    project.disk.set("a", { version: 1, tools: ["read", "write"] });
    await registry.reloadTools();
    expect(registry.report.rejected).toEqual([]);
    expect(await registry.getTool("write").execute({}, context)).toBe("Runs write of version 1.");
  });

  it("switches a changed package whose code has not run", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read"] } });
    project.disk.set("a", { version: 2, tools: ["read"] });
    expect((await registry.reloadTools()).changed).toEqual(["a/read"]);
    expect(await registry.getTool("read").execute({}, context)).toBe("Runs read of version 2.");
  });

  it("remembers code in memory while its package is away", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read"] } });
    await registry.getTool("read").execute({}, context);
    project.disk.clear();
    await registry.reloadTools();
    project.disk.set("a", { version: 2, tools: ["read"] });
    expect(await registry.reloadTools()).toEqual({
      added: ["a/read"],
      removed: [],
      changed: [],
      restartRequired: ["a/read"],
    });
    expect(await registry.getTool("read").execute({}, context)).toBe("Runs read of version 1.");
    expect(registry.report.rejected).toMatchObject([{ code: "restart_required" }]);
  });

  it("leaves everything as it was when it fails, and says so until it succeeds", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read"] } });
    const told = vi.fn();
    registry.onChange(told);
    const before = registry.getEntry("read");
    project.disk.clear();
    project.failure = new AiwError("project_manifest_invalid", "package.json is not JSON.", { fix: "Correct it." });
    await expect(registry.reloadTools()).rejects.toBe(project.failure);
    expect(registry.getEntry("read")).toBe(before);
    expect(registry.report.rejected).toMatchObject([
      { code: "reload_failed", reason: expect.stringContaining("is not JSON"), fix: "Correct it." },
    ]);
    expect(told.mock.calls).toEqual([
      [{ added: [], removed: [], changed: [], restartRequired: [], error: project.failure }],
    ]);
    project.failure = undefined;
    expect((await registry.reloadTools()).removed).toEqual(["a/read"]);
    expect(registry.report.rejected).toEqual([]);
  });

  it("leaves everything as it was when names became ambiguous and duplicates are refused", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read"] } });
    project.setup = { onDuplicate: "error" };
    project.disk.set("b", { version: 1, tools: ["read"] });
    await expect(registry.reloadTools()).rejects.toThrow(expect.objectContaining({ code: "tool_ambiguous" }));
    expect(registry.entries().map(({ id }) => id)).toEqual(["a/read"]);
    expect(registry.has("b/read")).toBe(false);
  });

  it("makes one further reload of all that is asked for while one runs", async () => {
    const { project, registry } = await open({});
    let go = (): void => undefined;
    project.gate = new Promise((resolve) => {
      go = resolve;
    });
    const first = registry.reloadTools();
    await vi.waitFor(() => expect(project.reads).toBe(2));
    project.disk.set("late", { version: 1, tools: ["late"] });
    const [second, third] = [registry.reloadTools(), registry.reloadTools()];
    expect(second).toBe(third);
    expect(second).not.toBe(first);
    go();
    await Promise.all([first, second]);
    expect(project.reads).toBe(3);
    expect(registry.has("late")).toBe(true);
  });

  it("holds what configuration narrows at once, for loaded code too", async () => {
    const { project, registry } = await open({
      a: { version: 1, tools: ["read", "write"] },
      b: { version: 1, tools: ["grep"] },
    });
    await registry.getTool("read").execute({}, context);
    project.disk.set("a", { version: 2, tools: ["read", "write"] });
    project.setup = { disabled: ["a/re*"], enabled: ["a"], config: { tools: { disabled: ["a/re*"], enabled: ["a"] } } };
    expect(await registry.reloadTools()).toEqual({
      added: [],
      removed: ["a/read", "b/grep"],
      changed: [],
      restartRequired: ["a/write"],
    });
    expect(registry.config).toBe(project.setup.config);
    expect(registry.report.notEnabled).toMatchObject([
      { code: "disabled_by_config", tool: "read", reason: expect.stringContaining("tools.disabled") },
      { code: "disabled_by_config", tool: "grep", reason: expect.stringContaining("tools.enabled") },
    ]);
  });

  it("shows open toolsets the tools and configuration of now; one that is no longer defined has none", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read", "write"] } });
    const configure = (toolsets: RegistrySetup["config"]["toolsets"]): void => {
      project.setup = { config: toolsets === undefined ? {} : { toolsets } };
    };
    configure({ some: { include: ["read"] } });
    await registry.reloadTools();
    const some = registry.toolset("some");
    const names = (): string[] => some.specs().map(({ name }) => name);
    expect(names()).toEqual(["read"]);
    configure({ some: { include: ["read", "fresh"] } });
    project.disk.set("b", { version: 1, tools: ["fresh"] });
    await registry.reloadTools();
    expect(names()).toEqual(["fresh", "read"]);
    configure(undefined);
    await registry.reloadTools();
    expect(names()).toEqual([]);
    expect(some.has("read")).toBe(false);
    expect(() => registry.toolset("some")).toThrow(expect.objectContaining({ code: "toolset_unknown" }));
  });

  it("keeps what was registered by hand and asks added sources again", async () => {
    const { project, registry } = await open({ a: { version: 1, tools: ["read"] } });
    const list = vi.fn(async () => [] as ToolEntry[]);
    registry.register(makeTool("own", 1));
    registry.addSource({ name: "mine", list });
    await registry.readSources();
    await registry.readSources();
    expect(list).toHaveBeenCalledTimes(1);
    project.disk.clear();
    await registry.reloadTools();
    expect(list).toHaveBeenCalledTimes(2);
    expect(registry.specs().map(({ name }) => name)).toEqual(["own"]);
  });

  it("loads again what only code tells, once the registry was loaded", async () => {
    const project = new FakeProject();
    const entry = (key: string): ToolEntry =>
      createEntry({
        id: `${key}/t_${key}`,
        name: `t_${key}`,
        origin: { source: "package", package: key, version: "1.0.0" },
        load: async () => makeTool(`t_${key}`, 1),
      });
    project.setup = { sources: [{ name: "maps", list: async () => [entry("a")] }] };
    const registry = new ToolRegistry({ project });
    await registry.load();
    project.setup = { sources: [{ name: "maps", list: async () => [entry("a"), entry("b")] }] };
    expect(await registry.reloadTools()).toEqual({ added: ["b/t_b"], removed: [], changed: [], restartRequired: [] });
    expect(registry.specs().map(({ name }) => name)).toEqual(["t_a", "t_b"]);
  });

  it("gives what code has told the options of now, without running it again", async () => {
    const project = new FakeProject();
    const load = vi.fn(async () => makeTool("read", 1));
    const offer = (options: unknown): void => {
      const origin = { source: "package", package: "a", version: "1.0.0" };
      const list = async (): Promise<ToolEntry[]> => [
        createEntry({ id: "a/read", name: "read", origin, options, load }),
      ];
      project.setup = { sources: [{ name: "map", list }] };
    };
    offer({ limit: 9 });
    const registry = new ToolRegistry({ project });
    await registry.load();
    offer({ limit: 1 });
    expect((await registry.reloadTools()).changed).toEqual(["a/read"]);
    expect(registry.getEntry("read")?.options).toEqual({ limit: 1 });
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("can only be asked of a project for watching and scanning", async () => {
    const registry = new ToolRegistry();
    expect(() => registry.watch()).toThrow(expect.objectContaining({ code: "project_required" }));
    await expect(registry.scan("tools")).rejects.toThrow(expect.objectContaining({ code: "project_required" }));
    expect(await registry.reloadTools()).toEqual({ added: [], removed: [], changed: [], restartRequired: [] });
  });
});

describe("a registry that lives long", () => {
  const keys = fc.constantFrom("p", "q");
  const names = fc.constantFrom("a", "b", "c");
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("install" as const), key: keys, version: fc.integer({ min: 1, max: 2 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), key: keys }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("register" as const), name: names }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("unregister" as const), name: names }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("disable" as const), key: fc.option(keys) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("call" as const), pick: fc.nat(11) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("load" as const) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant("reload" as const), fails: fc.nat(9) }) },
  );

  it("never mixes the definition of one version with the code of another, and tells every change", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: "max" }), async (steps) => {
        const { project, registry } = await open({});
        const model = new Model(project);
        const known = new Set<string>();
        registry.onChange(({ added, removed }) => {
          for (const id of added) expect(known.size).toBe(known.add(id).size - 1);
          for (const id of removed) expect(known.delete(id)).toBe(true);
        });
        for (const one of steps) {
          await take(one, { project, registry, model });
          expect(listAll(registry)).toEqual(model.list());
          expect([...known].toSorted()).toEqual(model.list().map(([id]) => id));
        }
      }),
      { numRuns: 200 },
    );
  });

  type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

  interface World {
    readonly project: FakeProject;
    readonly registry: ToolRegistry;
    readonly model: Model;
  }

  async function take(one: Step, { project, registry, model }: World): Promise<void> {
    switch (one.do) {
      case "install":
        // What a version holds never changes.
        project.disk.set(one.key, { version: one.version, tools: one.version === 1 ? ["a", "b"] : ["b", "c"] });
        return;
      case "remove":
        project.disk.delete(one.key);
        return;
      case "register":
        registry.register(makeTool(one.name, 0), { override: true });
        model.explicit.add(one.name);
        return;
      case "unregister":
        expect(registry.unregister(one.name)).toBe(model.explicit.delete(one.name));
        return;
      case "disable":
        project.setup = one.key === null ? {} : { disabled: [one.key] };
        return;
      case "call":
        await model.call(registry, one.pick);
        return;
      case "load":
        await registry.load();
        return;
      case "reload":
        project.failure = one.fails === 0 ? new AiwError("config_invalid", "Wrong.") : undefined;
        if (one.fails === 0) await expect(registry.reloadTools()).rejects.toBe(project.failure);
        else expect(await registry.reloadTools()).toEqual(model.reload());
    }
  }

  /** Every tool with its version, shadowed ones too. */
  function listAll(registry: ToolRegistry): [string, string | undefined][] {
    const ids = ["p", "q"].flatMap((key) => ["a", "b", "c"].map((name) => `${key}/${name}`));
    return [...ids, "a", "b", "c"]
      .flatMap((id): [string, string | undefined][] => {
        const entry = registry.getEntry(id);
        return entry?.id === id ? [[id, entry.origin.version]] : [];
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The same in a few lines, without entries. */
  class Model {
    readonly explicit = new Set<string>();
    readonly #project: FakeProject;
    /** In use, or away with its code still in memory. */
    readonly #known = new Map<string, Installed>();
    /** Which version goes on, and in place of which. */
    #kept = new Map<string, string>();
    #offered = new Map<string, Installed>();

    constructor(project: FakeProject) {
      this.#project = project;
    }

    list(): [string, string | undefined][] {
      const found = [...this.#offered].flatMap(([key, { version, tools: has }]) =>
        has.map((name): [string, string] => [`${key}/${name}`, `${version}.0.0`]),
      );
      const explicit = [...this.explicit].map((name): [string, undefined] => [name, undefined]);
      return [...found, ...explicit].toSorted(([a], [b]) => (a < b ? -1 : 1));
    }

    reload(): ToolsChange {
      const before = new Map(this.list());
      const keptBefore = this.#kept;
      const kept = new Map<string, string>();
      this.#kept = kept;
      this.#offered = new Map();
      for (const key of ["p", "q"]) {
        const now = this.#project.disk.get(key);
        const former = this.#known.get(key);
        const hasRun = former?.tools.some((name) => this.#project.memory.has(`${key}/${name}`)) === true;
        const isKept = now !== undefined && hasRun && former?.version !== now.version;
        const used = isKept ? former : now;
        if (isKept) kept.set(key, `${former.version} for ${now.version}`);
        if (used !== undefined) this.#known.set(key, used);
        else if (!hasRun) this.#known.delete(key);
        if (used !== undefined && this.#project.setup.disabled?.includes(key) !== true) this.#offered.set(key, used);
      }
      const after = new Map(this.list());
      return {
        added: [...after.keys()].filter((id) => !before.has(id)),
        removed: [...before.keys()].filter((id) => !after.has(id)),
        changed: [...after].flatMap(([id, version]) => (before.has(id) && before.get(id) !== version ? [id] : [])),
        restartRequired: [...after.keys()].filter((id) => {
          const key = id.split("/")[0] ?? "";
          return id.includes("/") && kept.has(key) && kept.get(key) !== keptBefore.get(key);
        }),
      };
    }

    async call(registry: ToolRegistry, pick: number): Promise<void> {
      const offered = this.list().filter(([, version]) => version !== undefined);
      const [id = ""] = offered[pick % offered.length] ?? [];
      const tool = registry.getToolByName(id);
      if (tool === undefined) return;
      const [key = "", name = ""] = id.split("/");
      try {
        expect(await tool.execute({}, context)).toBe(tool.spec.description);
      } catch (error) {
        // Refused, and only because the disk is not what was listed, or was not at the last reload.
        expect(error).toMatchObject({ message: expect.stringMatching(/restart|removed|runs in this process/) });
        const installed = this.#project.disk.get(key);
        if (this.#kept.has(key)) return;
        expect([installed?.version, installed?.tools.includes(name)]).not.toEqual([
          this.#offered.get(key)?.version,
          true,
        ]);
      }
    }
  }
});
