import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readListing } from "./listing.ts";
import { startRegistry, type LocalRegistry } from "./local-registry.ts";
import { findManagers, strangersEnvironment, type Managers } from "./managers.ts";
import { createProject, type Project } from "./project.ts";
import { expectVersions, readChangesets, writeChangeset, type Changeset } from "./release/changesets.ts";
import { cloneRepository, ORIGINAL, type ReleaseClone } from "./release/clone-repository.ts";
import { judgeTarball } from "./release/judge-tarball.ts";
import { readPackages, versionsOf, type ReleasedPackage } from "./release/read-packages.ts";
import { runWell } from "./run.ts";

const PLUGIN = "@aiw/plugin-filesystem";

/** Stands beside whatever waits already, so that there is a release to rehearse right after one, too. */
const FIRST: Changeset = { bumps: { "@aiw/core": "minor", [PLUGIN]: "minor" }, text: "Rehearsed: something new." };

interface PackedRelease {
  readonly name: string;
  readonly version: string;
  readonly tarball: { readonly path: string };
}

let folder: string;
let managers: Managers;
let registry: LocalRegistry;
let clone: ReleaseClone;
let project: Project;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aiw-released-"));
  managers = await findManagers();
  registry = await startRegistry();
  clone = await cloneRepository(registry.address.scopedNpmrc, managers.pnpm.command);
  project = await createProject({ registry: registry.address, managers }, "npm");
  // What is committed was mostly built already: the build after the versions begins from it.
  await clone.build();
});

afterAll(async () => {
  await project?.[Symbol.asyncDispose]();
  await clone?.[Symbol.asyncDispose]();
  await registry?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the versions of what waits; gives the packages before and after. */
async function version(): Promise<{ changesets: Changeset[]; before: Packages; after: Packages }> {
  const changesets = await readChangesets(clone.dir);
  const before = await readPackages(clone.dir);
  await clone.run("changeset", "version");
  return { changesets, before, after: await readPackages(clone.dir) };
}

type Packages = ReadonlyMap<string, ReleasedPackage>;

/** Builds and packs what the registry does not have; the manifests that are built name the new versions. */
async function pack(name: string): Promise<{ dir: string; releases: PackedRelease[] }> {
  await clone.build();
  const dir = join(folder, name);
  await clone.run("changeset", "pack", "--out-dir", dir);
  const { plan } = JSON.parse(await readFile(join(dir, "publish-plan.json"), "utf8")) as { plan: PackedRelease[][] };
  return { dir, releases: plan.flat() };
}

async function judge({ dir, releases }: Awaited<ReturnType<typeof pack>>, packages: Packages): Promise<string[]> {
  const token = /_authToken=(?<token>\S+)/.exec(registry.address.npmrc)?.groups?.["token"] ?? "";
  const released = { versions: versionsOf(packages), secrets: [clone.dir, join(ORIGINAL, "packages"), token] };
  const bytes = await Promise.all(releases.map(({ tarball }) => readFile(join(dir, tarball.path))));
  return bytes.flatMap((tarball) => judgeTarball(tarball, released));
}

async function publishedVersions(name: string): Promise<string[]> {
  const answer = await fetch(`${registry.address.url}${name.replace("/", "%2f")}`);
  const { versions = {} } = (await answer.json()) as { versions?: Record<string, unknown> };
  return Object.keys(versions);
}

async function tags(): Promise<string[]> {
  return (await clone.run("git", "tag", "--points-at", "HEAD")).stdout.trim().split("\n").toSorted();
}

function tagsOf(releases: readonly PackedRelease[]): string[] {
  return releases.map((release) => `${release.name}@${release.version}`).toSorted();
}

/** Publishes and tags apart, as the workflow does. */
async function publish(dir: string): Promise<void> {
  await clone.run("changeset", "publish", "--from-pack-dir", dir, "--no-git-tag");
  expect(await tags()).toEqual([""]);
  await clone.run("changeset", "git-tag");
}

/** The versions of our packages that are installed at the top of the project. */
async function installed(dir: string, names: readonly string[]): Promise<Record<string, string>> {
  const entries = names.map(async (name) => {
    const text = await readFile(join(dir, "node_modules", name, "package.json"), "utf8");
    return [name, (JSON.parse(text) as { version: string }).version] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function useTools(packages: Packages): Promise<void> {
  const { tools, findings } = readListing(await project.aiw(["list", "--json"]));
  expect(findings).toEqual([]);
  const ours = tools.filter((tool) => tool.package === PLUGIN);
  expect(ours.map((tool) => tool.name)).toContain("read_file");
  expect(new Set(ours.map((tool) => tool.version))).toEqual(new Set([packages.get(PLUGIN)?.manifest.version]));
  const called = await project.aiw(["call", "read_file", "--input", '{"path":"package.json"}', "--json"]);
  expect(JSON.parse(called.stdout)).toMatchObject({ success: true, value: expect.stringContaining("stranger") });
  const { stdout } = await project.aiw(["--version"]);
  expect(stdout.trim()).toBe(packages.get("@aiw/cli")?.manifest.version);
}

describe("the first release", () => {
  let made: Awaited<ReturnType<typeof version>>;
  let packed: Awaited<ReturnType<typeof pack>>;

  beforeAll(async () => {
    await writeChangeset(clone.dir, FIRST);
    made = await version();
  });

  it("REL-1 consumes the changesets and writes changelogs", async () => {
    expect(made.changesets.length).toBeGreaterThan(0);
    expect(await readChangesets(clone.dir)).toEqual([]);
    for (const { bumps, text } of made.changesets) {
      const [line = ""] = text.split("\n");
      for (const name of Object.keys(bumps)) expect(made.after.get(name)?.changelog).toContain(line);
    }
    for (const { manifest, changelog } of made.after.values())
      expect(changelog).toMatch(new RegExp(`^# ${manifest.name}\n\n## ${manifest.version.replaceAll(".", "\\.")}\n`));
  });

  it("REL-2 moves one group and each plugin, and leaves the lockfile true", async () => {
    expect(versionsOf(made.after)).toEqual(expectVersions(made.before, made.changesets));
    const group = [...made.after.values()].filter((each) => each.folder.startsWith("packages/"));
    expect(new Set(group.map(({ manifest }) => manifest.version)).size).toBe(1);
    const changed = await clone.run("git", "status", "--porcelain", "--untracked-files=all");
    const paths = changed.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(3));
    expect(
      paths.filter((path) => !/^(?:\.changeset\/.+\.md|p[^/]+\/[^/]+\/(?:package\.json|CHANGELOG\.md))$/.test(path)),
    ).toEqual([]);
    await clone.run(managers.pnpm.command, "install", "--frozen-lockfile", "--offline");
    await clone.commit("Version packages");
  });

  it("REL-3 packs tarballs that are fit for strangers", async () => {
    packed = await pack("first");
    const versions = Object.fromEntries(packed.releases.map((release) => [release.name, release.version]));
    expect(versions).toEqual(versionsOf(made.after));
    expect(await judge(packed, made.after)).toEqual([]);
  });

  it("REL-4 publishes what was packed, with tags, and nothing twice", async () => {
    await publish(packed.dir);
    for (const { name, version: released } of packed.releases)
      expect(await publishedVersions(name)).toEqual([released]);
    expect(await tags()).toEqual(tagsOf(packed.releases));
    expect((await pack("nothing")).releases).toEqual([]);
  });

  it("REL-5 installs back what was published", async () => {
    await project.install("@aiw/cli", PLUGIN);
    await useTools(made.after);
  });

  it("REL-6 scaffolds a package of this release", async () => {
    const userconfig = join(folder, "strangers.npmrc");
    await writeFile(userconfig, registry.address.scopedNpmrc);
    const environment = { ...strangersEnvironment(join(folder, "caches")), npm_config_userconfig: userconfig };
    const args = ["create", "--yes", "@aiw/tool", "sum", "--", "--yes", "--language", "js", "--no-git"];
    await runWell("npm", args, { cwd: folder, environment });
    const scaffolded = join(folder, "sum");
    await runWell("npm", ["install", "--ignore-scripts"], { cwd: scaffolded, environment });
    const names = ["@aiw/core", "@aiw/cli", "@aiw/testkit"];
    const group = made.after.get("@aiw/core")?.manifest.version;
    expect(await installed(scaffolded, names)).toEqual(Object.fromEntries(names.map((name) => [name, group])));
    await runWell("npm", ["test"], { cwd: scaffolded, environment });
  });
});

describe("the next release", () => {
  /** Looks at the versions that changes would get, and takes them back. */
  async function tryVersions(changeset: Changeset): Promise<{ expected: object; before: Packages; after: Packages }> {
    await writeChangeset(clone.dir, changeset);
    const { changesets, before, after } = await version();
    await clone.run("git", "reset", "--quiet", "--hard");
    return { expected: expectVersions(before, changesets), before, after };
  }

  function moved({ before, after }: { readonly before: Packages; readonly after: Packages }): string[] {
    return [...after]
      .filter(([name, { manifest }]) => manifest.version !== before.get(name)?.manifest.version)
      .map(([name]) => name);
  }

  it("REL-7 releases one plugin alone", async () => {
    const tried = await tryVersions({ bumps: { [PLUGIN]: "patch" }, text: "A fix of one plugin." });
    expect(moved(tried)).toEqual([PLUGIN]);
    expect(versionsOf(tried.after)).toEqual(tried.expected);
  });

  it("REL-8 releases a fix of core without the plugins, which admit it", async () => {
    const tried = await tryVersions({ bumps: { "@aiw/core": "patch" }, text: "A fix of core." });
    const group = [...tried.after].filter(([, { folder: place }]) => place.startsWith("packages/"));
    expect(moved(tried)).toEqual(group.map(([name]) => name));
    expect(versionsOf(tried.after)).toEqual(tried.expected);
  });

  it("REL-9 releases a new minor of core with every plugin, as an upgrade", async () => {
    await writeChangeset(clone.dir, { bumps: { "@aiw/core": "minor" }, text: "Something new in core." });
    const { changesets, before, after } = await version();
    expect(moved({ before, after })).toEqual([...before.keys()]);
    expect(versionsOf(after)).toEqual(expectVersions(before, changesets));
    await clone.commit("Version packages");
    const packed = await pack("second");
    expect(packed.releases).toHaveLength(after.size);
    expect(await judge(packed, after)).toEqual([]);
    await publish(packed.dir);
    for (const { name } of packed.releases)
      expect(await publishedVersions(name)).toEqual(
        [before.get(name), after.get(name)].map((each) => each?.manifest.version),
      );
    await project.install("@aiw/cli@latest", `${PLUGIN}@latest`);
    expect(await tags()).toEqual(tagsOf(packed.releases));
    const core = after.get("@aiw/core")?.manifest.version;
    expect(await installed(project.dir, ["@aiw/core"])).toEqual({ "@aiw/core": core });
    await useTools(after);
  });
});
