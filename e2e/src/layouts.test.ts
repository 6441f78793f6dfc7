import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANSWERS, IDS } from "./fixtures/nine.ts";
import { installLayout, type InstalledLayout } from "./installed-layout.ts";
import { LAYOUTS } from "./layouts.ts";
import { idsOf, readListing } from "./listing.ts";
import { findingsOf, probe, type Seen } from "./probe.ts";
import { run } from "./run.ts";
import { theWorld } from "./world.ts";

const world = theWorld();
const available = LAYOUTS.filter(({ manager }) => world.managers[manager] !== undefined);

/** What `aiw list --json` gave in each layout. */
const listed = new Map<string, string>();

/** Layouts that keep one version of a package twice when its peers differ. */
const WITH_TWINS = ["pnpm", "pnpm workspace", "bun isolated"];

describe.each(LAYOUTS)("under $name", (layout) => {
  describe.skipIf(!available.includes(layout))("nine packages", () => {
    let installed: InstalledLayout;
    let seen: Seen;

    beforeAll(async () => {
      installed = await installLayout(layout, world);
      seen = await probe(installed, IDS);
    });

    afterAll(() => installed?.[Symbol.asyncDispose]());

    it("LAYOUT-2 finds eight packages and refuses none", async () => {
      const listing = readListing(await installed.aiw(["list", "--json"]));
      listed.set(layout.name, idsOf(listing));
      expect(listing.tools.map(({ id }) => id)).toEqual(IDS);
      expect(listing.findings).toEqual([]);
      expect(await realpath(listing.project.dir)).toBe(installed.dir);
      expect(listing.project.mode).toBe(layout.isZipped ? "pnp" : "node_modules");
      expect(seen.report.found).toHaveLength(8);
      expect(seen.report.rejected).toEqual([]);
    });

    it("LAYOUT-3 row 16: a dependency that is not for this platform is told of, without alarm", () => {
      expect(seen.report.missing).toMatchObject([
        { code: "optional_absent", severity: "info", package: "fx-optional" },
      ]);
    });

    it("LAYOUT-4 row 1: a tool package of a dependency is never active, and the inventory lists it", async () => {
      expect(seen.ids).toEqual(IDS);
      const transitive = seen.report.notEnabled.filter(({ code }) => code === "transitive_dependency");
      expect(transitive).toMatchObject([{ package: "fx-transitive", severity: "info" }]);
      expect(transitive[0]?.fix).toContain(`${layout.manager} ${layout.manager === "npm" ? "install" : "add"}`);
      const all = readListing(await installed.aiw(["list", "--all", "--json"]));
      expect(all.tools.map(({ id }) => id)).toEqual(IDS);
      expect(all.notEnabled?.map(({ code, package: name }) => `${name}: ${code}`)).toEqual(
        seen.report.notEnabled.map(({ code, package: name }) => `${name}: ${code}`),
      );
    });

    it("LAYOUT-5 calls every tool that was found, each with the dependencies it was installed with", async () => {
      expect(seen.answers).toEqual(ANSWERS);
      for (const name of ["@fx/scoped/scoped", "nested_dist"]) {
        const { code, stdout } = await installed.aiw(["call", name, "--input", '{"text":"by command"}']);
        expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/ 1\.0\.0: by command\n$/) });
      }
    });

    it("LAYOUT-6 row 9: an alias goes by its key, and both names are shown", () => {
      const aliases = findingsOf(seen).filter(({ code }) => code === "alias");
      expect(aliases).toMatchObject([
        { package: "events", severity: "info", reason: expect.stringContaining("fx-aliased") },
      ]);
    });

    it("LAYOUT-7 row 11: of two installed versions the project's own wins, and the other's place is told", () => {
      expect(seen.report.found.find(({ id }) => id === "@fx/scoped")).toMatchObject({ version: "1.0.0" });
      const others = findingsOf(seen).filter(({ code }) => code === "duplicate_version");
      expect(others).toMatchObject([{ package: "@fx/scoped" }]);
      expect(JSON.stringify(others)).toContain("0.9.0");
    });

    if (WITH_TWINS.includes(layout.name))
      it("LAYOUT-8 row 12: one version in two folders, for two versions of its peer, is one package", async () => {
        expect(await findTwins(installed)).toHaveLength(2);
        expect(seen.report.found.filter(({ id }) => id === "fx-plain")).toHaveLength(1);
        expect(findingsOf(seen).filter((finding) => finding.package === "fx-plain")).toEqual([]);
      });

    if (layout.isWorkspace)
      it("LAYOUT-9 row 3: a member climbs for files, and does not inherit what the root depends on", async () => {
        const names = (await readdir(join(installed.dir, "../../node_modules"))).filter((name) => name === "fx-around");
        expect(names).toEqual(["fx-around"]);
        expect(seen.ids.filter((id) => id.startsWith("fx-around/"))).toEqual([]);
        const root = readListing(await installed.aiw(["list", "--json", "--cwd", join(installed.dir, "../..")]));
        expect(root.tools.map(({ id }) => id)).toEqual(["fx-around/around"]);
      });

    if (layout.isZipped)
      it("LAYOUT-10 row 5: tools in archives are listed and called", () => {
        const zipped = seen.report.found.filter(({ dir }) => dir.includes(".zip/")).map(({ id }) => id);
        expect(zipped).toEqual(expect.arrayContaining(["@fx/scoped", "events", "fx-exports-only", "fx-with-dep"]));
        expect(zipped).not.toContain("fx-linked");
      });

    if (layout.isZipped)
      it("LAYOUT-11 row 5: without the hook it says so and how to run, with exit code 4", async () => {
        const { code, stdout, stderr } = await run(world.globalAiw, ["list", "--json"], { cwd: installed.dir });
        expect(code).toBe(4);
        expect(JSON.parse(stdout)).toMatchObject({
          error: { code: "pnp_not_active", fix: expect.stringContaining("yarn node") },
        });
        expect(stderr).toContain(".pnp.cjs");
      });

    it.each([
      ["row 6: exports that hide package.json", "fx-exports-only/exports_only"],
      ["row 7: sub-paths alone and no main", "fx-subpath-only/subpath_only"],
      ["row 8: another package.json on the way to the module", "fx-nested-dist/nested_dist"],
    ])("LAYOUT-13 %s changes nothing", (_what, id) => {
      expect(seen.report.found.map((found) => found.id)).toContain(id.split("/")[0]);
      expect(seen.answers[id]).toBe(ANSWERS[id]);
    });

    if (layout.name.startsWith("pnpm"))
      it("LAYOUT-14 row 4: a strict layout is searched from the project, not from the command's own files", async () => {
        const ended = await run(world.globalAiw, ["list", "--json"], { cwd: installed.dir });
        expect(readListing(ended).tools.map(({ id }) => id)).toEqual(IDS);
      });

    it("LAYOUT-12 row 13: a linked package is itself where it really is, and called by where it was found", () => {
      const linked = seen.report.found.find(({ id }) => id === "fx-linked");
      expect(linked?.realDir).toContain("fx-linked");
      if (layout.manager === "bun") return;
      const home = layout.isWorkspace
        ? join(installed.dir, "../fx-linked")
        : join(installed.folder, "linked/fx-linked");
      expect(linked?.realDir).toBe(home);
    });
  });
});

it("LAYOUT-1 the same project gives the byte-same ids in every layout", () => {
  expect([...listed.keys()]).toEqual(available.map(({ name }) => name));
  expect(new Set(listed.values())).toEqual(new Set([JSON.stringify(IDS)]));
});

/** The folders that hold `fx-plain`, wherever its manager puts packages. */
async function findTwins({ dir, layout }: InstalledLayout): Promise<string[]> {
  const modules = join(dir, layout.isWorkspace ? "../../node_modules" : "node_modules");
  const store = join(modules, layout.manager === "bun" ? ".bun" : ".pnpm");
  return (await readdir(store)).filter((name) => name.startsWith("fx-plain@"));
}
