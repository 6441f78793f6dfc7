import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { createLock, readLock, writeLock } from "@aiw/core/node";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it, vi } from "vitest";
import {
  fakeManager,
  toFiles,
  type FakeManager,
  type FakePackage,
  type ManagerPlan,
} from "../__fixtures__/fake-manager.ts";
import type { FakeIo } from "../__fixtures__/fake-io.ts";
import { runAiw, type EndedAiw } from "../__fixtures__/run-aiw.ts";

const OLD: FakePackage = {
  name: "fx-tools",
  version: "1.0.0",
  tools: ["find"],
  packageJson: { dependencies: { "fx-helper": "1.0.0" } },
};
const NEW: FakePackage = {
  name: "fx-tools",
  version: "2.0.0",
  tools: ["find", "send"],
  description: "Finds, and sends it.",
  metadata: {
    permissions: ["net"],
    effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  },
  packageJson: { dependencies: { "fx-helper": "1.0.0" } },
};
const HELPER: FakePackage = {
  name: "fx-helper",
  version: "1.0.0",
  packageJson: { scripts: { postinstall: "exit 1" } },
};
const OTHER: FakePackage = {
  name: "fx-other",
  version: "1.0.0",
  tools: ["other"],
  packageJson: { scripts: { install: "x" } },
};

/** As somebody wrote it, which no serializer would. */
const PACKAGE_JSON = '{ "name":"project",\r\n\t"dependencies": {"fx-tools":"^1.0.0" } }';

interface MoreOfAiw {
  readonly interactive?: boolean;
  readonly prepare?: (fake: FakeIo) => void;
  readonly environment?: { readonly [name: string]: string };
}

interface World extends AsyncDisposable {
  readonly project: TemporaryWorkspace;
  readonly manager: FakeManager;
  aiw(args: readonly string[], more?: MoreOfAiw): Promise<EndedAiw>;
}

/** A project that has `fx-tools` 1.0.0 installed and pinned. */
async function makeWorld({
  packages = [] as readonly FakePackage[],
  plan = {} as ManagerPlan,
  isLocked = true,
} = {}): Promise<World> {
  const manager = await fakeManager([HELPER, OLD, NEW, OTHER, ...packages]);
  const entries = async (one: FakePackage): Promise<[string, string][]> =>
    Object.entries(await toFiles(one)).map(([name, text]) => [`node_modules/${one.name}/${name}`, text]);
  const project = await temporaryWorkspace({
    "package.json": PACKAGE_JSON,
    "package-lock.json": '{"packages":{"fx-tools":"1.0.0"}}',
    "README.md": "Mine.",
    ...Object.fromEntries([...(await entries(OLD)), ...(await entries(HELPER))]),
  });
  if (isLocked)
    writeLock(
      project.cwd,
      (await createLock({ projectDir: project.cwd }, { environment: {}, trust: { isTrusted: () => false } })).lock,
    );
  await project.mark();
  await manager.plan(plan);
  return {
    project,
    manager,
    aiw: (args, more = {}) =>
      runAiw(project.cwd, args, { ...more, environment: { ...more.environment, ...manager.environment } }),
    [Symbol.asyncDispose]: async () => {
      await project[Symbol.asyncDispose]();
      await manager[Symbol.asyncDispose]();
    },
  };
}

async function expectUntouched({ project }: World): Promise<void> {
  expect(await project.changes()).toEqual({ added: [], changed: [], removed: [] });
}

describe("aiw add", () => {
  it("shows what a package declares and installs nothing where nobody is there to be asked", async () => {
    await using world = await makeWorld();
    const { code, out, err } = await world.aiw(["add", "fx-other"]);
    expect(code).toBe(3);
    expect(out).toContain("fx-other 1.0.0");
    expect(out).toContain("other: effects reads (readOnly, idempotent); permissions none");
    expect(out).toContain("published 2020-01-01");
    expect(err).toContain("--yes");
    await expectUntouched(world);
  });

  it("asks at a terminal, installs on yes and pins what it added beside what was pinned", async () => {
    await using world = await makeWorld();
    const { code, out } = await world.aiw(["add", "fx-other"], {
      interactive: true,
      prepare: (fake) => fake.when("Add this?", () => fake.type("y\n")),
    });
    expect(code).toBe(0);
    expect(out).toContain("Pinned in aiw.lock");
    expect([...(readLock(world.project.cwd)?.packages.keys() ?? [])]).toEqual(["fx-other", "fx-tools"]);
    expect(JSON.parse(await world.project.read("package.json"))).toMatchObject({
      dependencies: { "fx-other": "^1.0.0" },
    });
  });

  it("leaves all as it was on no and on Ctrl-C at the question", async () => {
    await using world = await makeWorld();
    const no = await world.aiw(["add", "fx-other"], {
      interactive: true,
      prepare: (fake) => fake.when("Add this?", () => fake.type("n\n")),
    });
    const stopped = await world.aiw(["add", "fx-other"], {
      interactive: true,
      prepare: (fake) => fake.when("Add this?", () => fake.interrupt()),
    });
    expect([no.code, stopped.code]).toEqual([3, 130]);
    await expectUntouched(world);
  });

  it("pins what was added alone: the drift of another package stays for whoever looks at it", async () => {
    await using world = await makeWorld();
    await world.project.write("node_modules/fx-tools/index.js", "tampered();");
    const before = readLock(world.project.cwd)?.packages.get("fx-tools");
    expect((await world.aiw(["add", "fx-other", "--yes"])).code).toBe(0);
    expect(readLock(world.project.cwd)?.packages.get("fx-tools")).toEqual(before);
  });

  it("says that nothing is pinned where there is no lock, and makes none", async () => {
    await using world = await makeWorld({ isLocked: false });
    const { code, out } = await world.aiw(["add", "fx-other", "--dev", "--yes"]);
    expect(code).toBe(0);
    expect(out).toContain("aiw lock");
    expect(await world.project.list()).not.toContain("aiw.lock");
    expect(JSON.parse(await world.project.read("package.json"))).toMatchObject({
      devDependencies: { "fx-other": "^1.0.0" },
    });
  });

  it("shows what an upgrade changes, what may do more first", async () => {
    await using world = await makeWorld();
    const { out } = await world.aiw(["add", "fx-tools@latest"]);
    expect(out).toMatch(/may do more than before: find is no longer readOnly, now destructive, .*now with net/);
    expect(out).toContain('version "1.0.0" → "2.0.0"');
    expect(out).toContain("+ fx-tools/send");
    expect(out.indexOf("may do more")).toBeLessThan(out.indexOf("description at"));
  });

  it("gives programs all of it as data", async () => {
    await using world = await makeWorld();
    const { code, json } = await world.aiw(["add", "fx-tools", "--json"]);
    expect(code).toBe(3);
    expect(json()).toMatchObject({
      manager: "npm",
      state: "shown",
      packages: [
        {
          name: "fx-tools",
          version: "2.0.0",
          installed: "1.0.0",
          form: "manifest",
          brings: [{ name: "fx-helper", isNew: false }],
        },
      ],
      lock: { present: true, pinned: [] },
    });
  });

  it("refuses a package without tools before anything is installed", async () => {
    await using world = await makeWorld();
    const { code, err } = await world.aiw(["add", "fx-helper", "--yes"]);
    expect(code).toBe(1);
    expect(err).toContain("npm install fx-helper");
    await expectUntouched(world);
  });

  it("refuses a release that is too young, and one whose age nobody tells", async () => {
    const young = { name: "fx-young", version: "1.0.0", tools: ["young"], published: new Date().toISOString() };
    await using world = await makeWorld({ packages: [young, { ...OTHER, name: "fx-silent", facts: { time: {} } }] });
    const refused = await world.aiw(["add", "fx-young", "--minimum-age", "7", "--yes"]);
    const unknown = await world.aiw(["add", "fx-silent", "--minimum-age", "7", "--yes"]);
    expect([refused.code, unknown.code]).toEqual([3, 3]);
    expect(unknown.err).toContain("does not say when");
    await expectUntouched(world);
    expect((await world.aiw(["add", "fx-other", "--minimum-age", "7", "--yes"])).code).toBe(0);
  });

  it("SEC-SUP-2: shows provenance as a statement nobody verified, and asks all the same", async () => {
    const attested = {
      ...OTHER,
      name: "fx-attested",
      facts: { dist: { attestations: { provenance: { predicateType: "https://slsa.dev/provenance/v1" } } } },
    };
    await using world = await makeWorld({ packages: [attested] });
    const { code, out } = await world.aiw(["add", "fx-attested"]);
    expect(code).toBe(3);
    expect(out).toMatch(/origin .*slsa\.dev\/provenance\/v1\), not verified here/);
  });

  it.each([
    "--registry=http://evil",
    "git+https://host/a.git",
    "https://host/a.tgz",
    "./folder",
    "fx-a@npm:fx-b",
    "fx-a@file:../b",
    "acme/repo",
    "",
  ])("refuses %j as wrong use, and starts no package manager", async (text) => {
    await using world = await makeWorld();
    const { code } = await world.aiw(["add", "--yes", "--", text]);
    expect(code).toBe(2);
    expect(await world.manager.calls()).toEqual([]);
  });

  it("refuses a package that is named twice, however it is written", async () => {
    await using world = await makeWorld();
    const { code, err } = await world.aiw(["add", "--yes", "fx-other", "fx-other@1.0.0"]);
    expect(code).toBe(2);
    expect(err).toContain("named twice");
    expect(await world.manager.calls()).toEqual([]);
  });

  it("refuses to work on a damaged lock, which stays as it is", async () => {
    await using world = await makeWorld();
    await world.project.write("aiw.lock", "{<<<<<<<");
    await world.project.mark();
    const { code, err } = await world.aiw(["add", "fx-other", "--yes"]);
    expect(code).toBe(4);
    expect(err).toContain("aiw.lock");
    expect(await world.manager.calls()).toEqual([]);
    await expectUntouched(world);
  });

  it("escapes what a package says", async () => {
    const hostile = {
      ...OTHER,
      name: "fx-hostile",
      description: "Good.\n\u202Edetsurt\u200B",
      packageJson: { license: "MIT\u001b[2J" },
    };
    await using world = await makeWorld({ packages: [hostile] });
    const { out, err } = await world.aiw(["add", "fx-hostile"]);
    expect(out + err).not.toMatch(/[\u202e\u200b\u001b]/);
  });

  it("escapes what a registry says, the time of a release as well", async () => {
    const time = { "1.0.0": "(\u001b[2J) 2020-01-01 00:00:00 GMT", "\n2.0.0": "x" };
    const hostile = { ...OTHER, name: "fx-timed", facts: { time, deprecated: "Use \u001b[2J\u202e that." } };
    await using world = await makeWorld({ packages: [hostile] });
    const { out, err } = await world.aiw(["add", "fx-timed"]);
    expect(out).toContain("published 2020-01-01");
    expect(out + err).not.toMatch(/[\u202e\u001b]/);
  });

  it("warns of commands, of the package and of what it brings, that would answer in place of others", async () => {
    const helper = { ...HELPER, name: "fx-shady", packageJson: { bin: { git: "./x.js" } } };
    const named = {
      ...OTHER,
      name: "fx-commands",
      packageJson: { bin: { fine: "./x.js", npm: "./x.js" }, dependencies: { "fx-shady": "1.0.0" } },
    };
    await using world = await makeWorld({ packages: [helper, named] });
    const { out } = await world.aiw(["add", "fx-commands"]);
    expect(out).toMatch(/warning +fx-commands puts a command npm into node_modules/);
    expect(out).toMatch(/warning +fx-shady puts a command git/);
    expect(out).toMatch(/commands +fine, npm: in node_modules/);
  });

  it("refuses a tarball whose package.json has another name than was asked for", async () => {
    const named = { ...OTHER, name: "fx-named", packageJson: { name: "fx-tools" } };
    await using world = await makeWorld({ packages: [named] });
    const { code, err } = await world.aiw(["add", "fx-named", "--yes"]);
    expect(code).toBe(1);
    expect(err).toContain("package_name_mismatch");
    await expectUntouched(world);
  });

  it("shows no credential that the package manager repeats, and lets no variable bring scripts back", async () => {
    await using world = await makeWorld();
    const secret = "s3cr3t-of-the-registry";
    const { code, err } = await world.aiw(["add", "fx-absent", "--yes"], {
      environment: {
        FX_SAYS: `GET https://user:${secret}@host/x _authToken=${secret} Bearer ${secret}`,
        NPM_CONFIG_IGNORE_SCRIPTS: "false",
        npm_config_dry_run: "true",
        NPM_CONFIG_GLOBAL: "true",
      },
    });
    expect(code).toBe(4);
    expect(err).toContain("https://***@host/x");
    expect(err).not.toContain(secret);
    expect((await world.manager.calls()).every(({ scripts }) => scripts === "true")).toBe(true);
    expect((await world.manager.calls()).flatMap(({ misled }) => misled)).toEqual([]);
  });

  it("says what the package manager said without what it repeats before each line", async () => {
    await using world = await makeWorld();
    const { err } = await world.aiw(["add", "fx-absent", "--yes"], { environment: { FX_SAYS: "it may be private." } });
    expect(err).toContain("E404 | Not Found | Note that it may be private.");
  });

  it("row 46: runs no script of anybody, and says who wanted one", async () => {
    await using world = await makeWorld();
    const { out } = await world.aiw(["add", "fx-other", "fx-tools", "--yes"]);
    expect(out).toContain("fx-other@1.0.0 (install)");
    expect(out).toContain("fx-helper@1.0.0 (postinstall)");
    const calls = await world.manager.calls();
    expect(calls.every(({ scripts }) => scripts === "true")).toBe(true);
    expect(
      calls.filter(({ args }) => args[0] === "install").every(({ args }) => args.includes("--ignore-scripts")),
    ).toBe(true);
  });

  it("SEC-SUP-3: writes nothing into the home folder, and leaves nothing in the temporary one", async () => {
    await using world = await makeWorld();
    await using home = await temporaryWorkspace({
      ".claude/settings.json": "{}",
      ".config/Cursor/mcp.json": "{}",
      "tmp/": "",
    });
    vi.stubEnv("HOME", home.cwd);
    vi.stubEnv("TMPDIR", home.path("tmp"));
    try {
      expect((await world.aiw(["add", "fx-other", "--yes"])).code).toBe(0);
      expect((await world.aiw(["add", "fx-absent", "--yes"])).code).toBe(4);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await home.changes()).toEqual({ added: [], changed: [], removed: [] });
  });

  it("row 47: warns of a name that looks like a dependency's before it asks", async () => {
    await using world = await makeWorld({
      packages: [
        { ...OTHER, name: "fx-too1s" },
        { ...OTHER, name: "@evil/plugin-shell" },
      ],
    });
    let shown = "";
    const { code } = await world.aiw(["add", "fx-too1s", "@evil/plugin-shell"], {
      interactive: true,
      prepare: (fake) =>
        fake.when("Add this?", () => {
          shown = fake.stderr();
          fake.type("n\n");
        }),
    });
    expect(code).toBe(3);
    expect(shown).toContain("fx-too1s looks like fx-tools");
    expect(shown).toContain("@evil/plugin-shell has the name of @aiw/plugin-shell in another scope");
  });

  it("tells a second one that the first is at work, and takes over from one that is dead", async () => {
    await using world = await makeWorld();
    await world.project.write(
      ".aiw/package-change/owner.json",
      JSON.stringify({ pid: process.pid, host: hostname(), startedAt: "2026-01-01" }),
    );
    const second = await world.aiw(["add", "fx-other", "--yes"]);
    expect(second.code).toBe(4);
    expect(second.err).toContain(`Process ${process.pid}`);
    // No process has so high a number.
    await world.project.write(
      ".aiw/package-change/owner.json",
      JSON.stringify({ pid: 2 ** 30, host: hostname(), startedAt: "2026-01-01" }),
    );
    await world.project.write(".aiw/package-change/1-package.json", PACKAGE_JSON);
    const third = await world.aiw(["add", "fx-other", "--yes"]);
    expect(third.code).toBe(0);
    expect(third.err).toContain("killed half-way");
    await world.project.write(".aiw/package-change/1-package.json", PACKAGE_JSON);
    const nameless = await world.aiw(["add", "fx-tools", "--yes"]);
    expect(nameless.code).toBe(4);
    expect(nameless.err).toContain("If none runs, remove");
    expect(await world.project.list()).toContain(`.aiw/package-change-ended-2026-01-01-${2 ** 30}/1-package.json`);
  });
});

/** An upgrade writes this often: package.json twice, two packages, the lock file twice. */
const WRITES = 13;

describe("row 44: aiw add that fails half-way", () => {
  it.each([...Array(WRITES).keys()])(
    "restores files and tree when the package manager fails after %i writes",
    async (stopAfter) => {
      await using world = await makeWorld({ plan: { stopAfter } });
      const { code, err } = await world.aiw(["add", "fx-tools", "--yes"]);
      expect(code).toBe(4);
      expect(err).toContain("everything is as before");
      await expectUntouched(world);
    },
  );

  it("writes as often as the failing points count", async () => {
    await using world = await makeWorld({ plan: { stopAfter: WRITES } });
    expect((await world.aiw(["add", "fx-tools", "--yes"])).code).toBe(0);
  });

  it.each([1, 4, 12])("restores files and tree when Ctrl-C comes after %i writes", async (stopAfter) => {
    await using world = await makeWorld({ plan: { stopAfter, hangs: true } });
    const { code, err } = await world.aiw(["add", "fx-tools", "--yes"], {
      prepare: (fake) => void world.manager.hanging().then(() => fake.interrupt()),
    });
    expect(code).toBe(130);
    expect(err).toContain("Interrupted: everything is as before.");
    await expectUntouched(world);
  });

  it.each([
    ["other bytes than were shown", { otherCode: "evil();" }, "other files"],
    ["nothing into package.json", { keepsPackageJson: true } as const, "not in package.json"],
  ])("restores files and tree when the manager installs %s", async (_what, plan, said) => {
    await using world = await makeWorld({ plan });
    const { code, err } = await world.aiw(["add", "fx-other", "--yes"]);
    expect(code).toBe(4);
    expect(err).toContain(said);
    await expectUntouched(world);
  });

  it("leaves no tree where there was none", async () => {
    await using world = await makeWorld({ plan: { stopAfter: 6 }, isLocked: false });
    await rm(world.project.path("node_modules"), { recursive: true });
    await world.project.mark();
    expect((await world.aiw(["add", "fx-other", "--yes"])).code).toBe(4);
    await expectUntouched(world);
  });

  it("says what to run when the tree cannot be brought back, and restores the files", async () => {
    await using world = await makeWorld({ plan: { stopAfter: 5, failsToRestore: true } });
    const { code, err } = await world.aiw(["add", "fx-tools", "--yes"]);
    expect(code).toBe(4);
    expect(err).toContain("npm ci");
    expect(err).not.toContain("everything is as before");
    expect(await world.project.read("package.json")).toBe(PACKAGE_JSON);
    expect(await world.project.read("package-lock.json")).toBe('{"packages":{"fx-tools":"1.0.0"}}');
  });

  it("changes nothing when the package cannot be looked at", async () => {
    await using world = await makeWorld();
    const { code, err } = await world.aiw(["add", "fx-absent", "--yes"]);
    expect(code).toBe(4);
    expect(err).toContain("nothing was changed");
    await expectUntouched(world);
  });
});
