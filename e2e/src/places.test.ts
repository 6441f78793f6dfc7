import { chmod, lstat, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANSWERS, IDS } from "./fixtures/nine.ts";
import { installLayout, writeFiles, type InstalledLayout } from "./installed-layout.ts";
import { layoutOf } from "./layouts.ts";
import { idsOf, readListing } from "./listing.ts";
import { strangersEnvironment } from "./managers.ts";
import { probe } from "./probe.ts";
import { run, type Ended } from "./run.ts";
import { theWorld } from "./world.ts";

const world = theWorld();
const environment = strangersEnvironment(world.caches);
const THE_IDS = JSON.stringify(IDS);

/** What paths may hold and URLs, shells and patterns take for something else. */
const ODD_NAME = "a b#c?d%25e'f\u00FC";

/** Somebody who owns nothing here. */
const NOBODY = 65_534;

describe("a project that npm installed", () => {
  let installed: InstalledLayout;

  beforeAll(async () => {
    installed = await installLayout(layoutOf("npm"), world, { withoutHost: true });
  });

  afterAll(() => installed?.[Symbol.asyncDispose]());

  it("PLACE-1 row 17: a global command has the project's tools and none of its own folder", async () => {
    const { globalAiw } = world;
    const listing = readListing(await run(globalAiw, ["list", "--json"], { cwd: installed.dir, environment }));
    expect(idsOf(listing)).toBe(THE_IDS);
    const called = await run(globalAiw, ["call", "with_dep", "--input", '{"text":"hello"}'], {
      cwd: installed.dir,
      environment,
    });
    expect(called.stdout).toBe(`${ANSWERS["fx-with-dep/with_dep"]}\n`);
  });

  it("PLACE-2 row 17: so has a command that npx fetched", async () => {
    const args = [
      "exec",
      "--yes",
      "--prefer-offline",
      "--no-audit",
      "--package=@aiw/cli",
      "--",
      "aiw",
      "list",
      "--json",
    ];
    expect(idsOf(readListing(await run("npm", args, { cwd: installed.dir, environment })))).toBe(THE_IDS);
  });

  it("PLACE-3 row 2: a subdirectory belongs to the project above it, whose folder is named", async () => {
    const deep = join(installed.dir, "src/deep");
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, "package.json"), '{ "type": "commonjs" }\n');
    const listing = readListing(await run(world.globalAiw, ["list", "--json"], { cwd: deep, environment }));
    expect(idsOf(listing)).toBe(THE_IDS);
    expect(listing.project.dir).toBe(installed.dir);
  });

  it("PLACE-3 row 2: a list and a name that is not found tell a person which project was looked at", async () => {
    const list = await run(world.globalAiw, ["list"], { cwd: join(installed.dir, "src"), environment });
    expect(list.stdout + list.stderr).toContain(installed.dir);
    const unknown = await run(world.globalAiw, ["call", "no_such_tool"], {
      cwd: join(installed.dir, "src"),
      environment,
    });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain(installed.dir);
  });

  it("PLACE-4 a root that is reached through a link has the same tools", async () => {
    const link = join(installed.folder, "link");
    await symlink(installed.dir, link);
    const ended = await run(world.globalAiw, ["list", "--json", "--cwd", link], { cwd: installed.folder, environment });
    expect(idsOf(readListing(ended))).toBe(THE_IDS);
    const called = await run(world.globalAiw, ["call", "linked", "--input", '{"text":"hello"}', "--cwd", link], {
      cwd: installed.folder,
      environment,
    });
    expect(called.stdout).toBe(`${ANSWERS["fx-linked/linked"]}\n`);
  });

  it("PLACE-5 row 20: a project that another owns and nobody may write is read and left as it is", async ({ skip }) => {
    const isRoot = process.getuid?.() === 0;
    if (isRoot && !(await isOpenToAll(process.execPath))) skip("This Node is in a folder that only root may enter.");
    const home = { HOME: "/nonexistent" };
    const user = isRoot ? { user: NOBODY } : {};
    await chmod(installed.folder, 0o755);
    const before = await listFiles(installed.dir);
    await setWritable(installed.dir, false);
    try {
      const start = (...args: string[]): Promise<Ended> =>
        run(process.execPath, args, { cwd: installed.dir, environment, env: home, ...user });
      const write = await start("-e", "require('fs').writeFileSync('new', '')");
      expect(write.stderr).toContain("EACCES");
      const command = await commandOfHost();
      expect(idsOf(readListing(await start(command, "list", "--json")))).toBe(THE_IDS);
      const called = await start(command, "call", "plain", "--input", '{"text":"hello"}');
      expect(called.stdout).toBe(`${ANSWERS["fx-plain/plain"]}\n`);
      expect(await listFiles(installed.dir)).toEqual(before);
    } finally {
      await setWritable(installed.dir, true);
    }
  });
});

describe("a project of which something is switched off or missing", () => {
  let installed: InstalledLayout;

  beforeAll(async () => {
    installed = await installLayout(layoutOf("pnpm"), world);
  });

  afterAll(() => installed?.[Symbol.asyncDispose]());

  it.each([
    ["row 31: an empty list means none", { AIWHISPERER_PLUGINS: "" }, []],
    [
      "row 31: a list means only these",
      { AIWHISPERER_PLUGINS: "events, fx-plain" },
      ["events/aliased", "fx-plain/plain"],
    ],
  ])("PLACE-7 %s", async (_what, env, ids) => {
    const listing = readListing(await installed.aiw(["list", "--json"], { env }));
    expect(listing.tools.map(({ id }) => id)).toEqual(ids);
    expect(JSON.stringify(listing.findings)).not.toContain('"error"');
  });

  it("PLACE-7 row 31: what configuration switches off is gone, and said to be", async () => {
    await writeFiles(installed.dir, {
      "aiw.config.json": '{ "tools": { "disabled": ["fx-plain", "events/aliased"] } }\n',
    });
    const { ids, report } = await probe(installed, []);
    expect(ids).toEqual(IDS.filter((id) => !["events/aliased", "fx-plain/plain"].includes(id)));
    const disabled = report.notEnabled.filter(({ code }) => code === "disabled_by_config");
    expect(disabled.map((finding) => finding.package).toSorted()).toEqual(["events", "fx-plain"]);
    await rm(join(installed.dir, "aiw.config.json"));
  });

  it("PLACE-8 row 14: what is declared and not installed is told of, with the manager's own command", async () => {
    await rm(join(installed.dir, "node_modules/fx-nested-dist"));
    const { findings, tools } = readListing(await installed.aiw(["list", "--json"]));
    expect(findings).toMatchObject([{ code: "not_installed", package: "fx-nested-dist", fix: "pnpm install" }]);
    expect(tools.map(({ id }) => id)).toEqual(IDS.filter((id) => !id.startsWith("fx-nested-dist/")));
  });

  it("PLACE-8 row 15: what is installed and not declared is not active, and the inventory lists it", async () => {
    const file = join(installed.dir, "package.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as { dependencies: Record<string, string> };
    const { "fx-subpath-only": _left, ...dependencies } = manifest.dependencies;
    await writeFile(file, JSON.stringify({ ...manifest, dependencies }));
    const { ids, report } = await probe(installed, []);
    expect(ids.filter((id) => id.startsWith("fx-subpath-only/"))).toEqual([]);
    expect(report.notEnabled).toContainEqual(
      expect.objectContaining({
        code: "undeclared_dependency",
        package: "fx-subpath-only",
        fix: expect.stringContaining("pnpm add fx-subpath-only"),
      }),
    );
  });
});

describe.each(["npm", "pnpm", "Yarn PnP"])("an odd path, under %s", (name) => {
  it("PLACE-6 row 19: spaces and signs in the path change nothing", async () => {
    await using installed = await installLayout(layoutOf(name), world, { folderName: ODD_NAME });
    expect(idsOf(readListing(await installed.aiw(["list", "--json"])))).toBe(THE_IDS);
    expect((await probe(installed, IDS)).answers).toEqual(ANSWERS);
  });
});

/** The global command's own file; the folder around it is opened for somebody who owns nothing. */
async function commandOfHost(): Promise<string> {
  await chmod(join(world.globalAiw, "../../.."), 0o755);
  return realpath(world.globalAiw);
}

/** True when anybody may enter every folder on the way to a file. */
async function isOpenToAll(file: string): Promise<boolean> {
  for (let at = dirname(await realpath(file)); ; at = dirname(at)) {
    const { mode } = await lstat(at);
    if ((mode & 0o001) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

/** Every file below a folder, with its size and time. */
async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const facts = names.map(async (name) => {
    const { size, mtimeMs } = await lstat(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(facts)).toSorted();
}

async function setWritable(folder: string, isWritable: boolean): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [
    folder,
    ...entries.filter((entry) => !entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name)),
  ];
  for (const path of isWritable ? paths : paths.toReversed()) {
    const { mode } = await lstat(path);
    await chmod(path, isWritable ? mode | 0o200 : mode & ~0o222);
  }
}
