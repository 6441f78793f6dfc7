import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hazard } from "./fixtures/hazard.ts";
import { HAZARDS } from "./fixtures/hazards.ts";
import { ANSWERS, IDS } from "./fixtures/nine.ts";
import { installHazards } from "./install-hazards.ts";
import type { InstalledLayout } from "./installed-layout.ts";
import { readListing } from "./listing.ts";
import { findingsOf, probe, type Seen } from "./probe.ts";
import { theWorld } from "./world.ts";

/** Packages whose code harms the process it runs in, whatever a host does, or takes the whole deadline. */
const DEADLY = ["fx-exits", "fx-pollutes", "fx-hangs", "fx-spins"];

/** What `aiw call --json` printed. */
interface Called {
  readonly success: boolean;
  readonly code?: string;
  readonly error: string;
  readonly value?: unknown;
}

let installed: InstalledLayout;
let seen: Seen;

beforeAll(async () => {
  installed = await installHazards(theWorld());
  const others = HAZARDS.filter((hazard) => !DEADLY.includes(hazard.package.name));
  // Together, in one process and before the nine: whatever they leave behind, the nine meet.
  seen = await probe(installed, [...others.flatMap(({ calls }) => calls.map(({ tool }) => tool)), ...IDS]);
});

afterAll(() => installed?.[Symbol.asyncDispose]());

it("HAZARD-1 the nine are found and called as if nothing stood beside them", () => {
  expect(seen.ids.filter((id) => IDS.includes(id))).toEqual(IDS);
  expect(seen.answers).toMatchObject(ANSWERS);
  const about = findingsOf(seen).filter(
    (finding) => !HAZARDS.some((hazard) => hazard.package.name === finding.package),
  );
  expect(about.map(({ code, package: name }) => `${name}: ${code}`).toSorted()).toEqual([
    "@fx/scoped: duplicate_version",
    "events: alias",
    "fx-optional: optional_absent",
    "fx-transitive: transitive_dependency",
  ]);
});

it("HAZARD-2 a list holds the nine and what the hazards declare, and runs none of their code", async () => {
  const ended = await installed.aiw(["list", "--json"]);
  const expected = [...IDS, ...HAZARDS.flatMap(({ listed }) => listed)];
  expect(
    readListing(ended)
      .tools.map(({ id }) => id)
      .toSorted(),
  ).toEqual(expected.toSorted());
  expect(ended.stderr).toBe("");
});

describe.each(HAZARDS)(
  "row $row: $package.name, $what",
  ({ package: { name }, listed, finding, inventoried, calls, failure }) => {
    it("HAZARD-3 alone, gives its one finding and what it declares", async () => {
      const mine = findingsOf(seen).filter((one) => one.package === name);
      const expected = [finding, inventoried].filter((one) => one !== undefined);
      expect(mine).toMatchObject(expected.map((one) => ({ ...one, package: name })));
      expect(mine.filter(({ fix, reason }) => fix === "" || reason === "")).toEqual([]);
      const alone = readListing(await installed.aiw(["list", "--json"], { env: { AIWHISPERER_PLUGINS: name } }));
      expect(alone.tools.map(({ id }) => id)).toEqual(listed);
      expect(alone.findings.filter((one) => one.package === name)).toMatchObject(shownOf({ finding, listed }));
    });

    it.each(calls)("HAZARD-4 called, $tool ends as it must", async ({ tool, exit, value, code }) => {
      const args = ["call", tool, "--input", '{"text":"hello"}', "--json"];
      const ended = await installed.aiw(args, { timeoutMs: 60_000 });
      expect({ exit: ended.code, signal: ended.signal }).toEqual({ exit, signal: null });
      if (exit === 4) {
        expect(ended.stderr).toContain(`${failure}: ${name} `);
        return;
      }
      const result = JSON.parse(ended.stdout) as Called;
      expect(result.success).toBe(value !== undefined);
      expect(result).toMatchObject({ ...(value !== undefined && { value }), ...(code !== undefined && { code }) });
      if (failure !== undefined) expect(result.error).toContain(name);
    });

    if (failure !== undefined && failure !== "load_exited")
      it("HAZARD-5 loaded, adds the one finding that says why it failed", async () => {
        const alone = await probe(
          installed,
          calls.map(({ tool }) => tool),
          { env: { AIWHISPERER_PLUGINS: name } },
        );
        const added = alone.after.rejected.filter((one) => one.package === name);
        const expected = {
          code: failure,
          severity: "error",
          package: name,
          version: "1.0.0",
          fix: expect.stringMatching(/./),
        };
        expect(added).toMatchObject(calls.map(() => expected));
      });
  },
);

it("HAZARD-6 all that code must tell is told by doctor, which comes to its end with exit code 4", async () => {
  const { code, stdout } = await installed.aiw(["doctor", "--json"], { timeoutMs: 120_000 });
  expect(code).toBe(4);
  const { report } = JSON.parse(stdout) as { report: Seen["report"] };
  const found = findingsOf({ report });
  expect(found).toContainEqual(expect.objectContaining({ package: "fx-spins", code: "load_timed_out" }));
  expect(report.found.map(({ id }) => id)).toEqual(expect.arrayContaining(["fx-plain", "fx-map", "fx-module"]));
});

/** Of what discovery finds, a list tells problems, and why a package that may have tools is not in it. */
function shownOf({ finding, listed }: Pick<Hazard, "finding" | "listed">): object[] {
  return finding === undefined || (finding.severity === "info" && listed.length > 0) ? [] : [finding];
}
