import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { runTool } from "@aiw/core";
import { assertSuccess, fakeContext, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { readTree } from "../__fixtures__/tree-state.ts";
import { history } from "../tools/history.ts";
import { undo } from "../tools/undo.ts";

/** Moments of each call at which its process is killed. */
const MOMENTS = Math.min(runs(7), 60);

const MANY = Array.from({ length: 50 }, (_, index) => `many/${index}.txt`);
const PATCH = [
  "*** Begin Patch",
  ...["*** Add File: made/new.txt", "+new"],
  ...["*** Update File: a.txt", "@@", "-one", "+ONE"],
  ...["*** Update File: b.txt", "*** Move to: moved/b.txt", "@@", "-bee", "+BEE"],
  ...["*** Delete File: gone.txt", "*** End Patch"],
].join("\n");
const MANY_PATCH = [
  "*** Begin Patch",
  ...MANY.flatMap((name, index) => [`*** Update File: ${name}`, "@@", `-many ${index}`, `+MANY ${index}`]),
  "*** End Patch",
].join("\n");

const seen = ["read", { file_paths: ["a.txt", "b.txt", "gone.txt"] }] as const;
const seenMany = [0, 20, 40].map((start) => ["read", { file_paths: MANY.slice(start, start + 20) }] as const);
type Calls = readonly (readonly [name: string, input: object])[];

async function plant(): Promise<TemporaryWorkspace> {
  return await temporaryWorkspace({
    "a.txt": "one\ntwo\n",
    "b.txt": "bee\n",
    "gone.txt": "gone\n",
    "tree/x.txt": "x",
    "tree/deep/y.txt": "y",
    "tree/empty/": "",
    ...Object.fromEntries(MANY.map((name, index) => [name, `many ${index}\n`])),
  });
}

/** Says whether the process was killed before it was done. */
async function killAfter(root: string, calls: Calls, most: number): Promise<boolean> {
  const script = fileURLToPath(new URL("../__fixtures__/killed-call.ts", import.meta.url));
  const args = ["--conditions=aiw-source", script, root, JSON.stringify(calls), String(most)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`The process ended with ${code}.`);
  return signal === "SIGKILL";
}

const scenarios: readonly { readonly name: string; readonly calls: Calls; readonly step: number }[] = [
  { name: "apply_patch of four files", calls: [seen, ["apply_patch", { patch: PATCH }]], step: 60 },
  { name: "delete of a tree", calls: [["delete", { paths: ["tree", "a.txt"], recursive: true }]], step: 45 },
  { name: "copy of a tree", calls: [["copy", { from: "tree", to: "made/tree", recursive: true }]], step: 45 },
  { name: "move of a folder", calls: [["move", { from: "tree", to: "made/tree" }]], step: 25 },
  {
    name: "undo of a patch of four files",
    calls: [seen, ["apply_patch", { patch: PATCH }], ["undo", {}]],
    step: 50,
  },
  {
    name: "undo of a patch of 50 files",
    calls: [...seenMany, ["apply_patch", { patch: MANY_PATCH }], ["undo", {}]],
    step: 300,
  },
];

describe("a process that is killed", { timeout: 3_600_000 }, () => {
  it.each(scenarios)(
    "in the middle of $name leaves files old or new, and what the next one takes back",
    async (one) => {
      const step = Math.max(1, Math.round((one.step * 7) / MOMENTS));
      const met: string[] = [];
      for (let most = Math.min(step, 20); ; most += step) {
        await using folder = await plant();
        const before = await readTree(folder.cwd);
        const isKilled = await killAfter(folder.cwd, one.calls, most);
        const now = await readTree(folder.cwd);
        for (const [name, state] of Object.entries(now)) {
          if (!name.includes(".tmp"))
            expect(state, `${name} after ${most}`).toMatch(
              /^folder|^644 {2}(one\n|ONE\n)two\n$|^644 {2}(\w+)( \d+)?\n?$/u,
            );
        }
        await using fake = fakeContext({ workspace: { cwd: folder.cwd, roots: [folder.cwd] }, sessionId: "killed" });
        const { environment } = fake;
        const listed = await runTool(history, {}, environment);
        assertSuccess(listed);
        const [newest] = listed.value.entries;
        met.push(newest?.state ?? "none");
        if (newest !== undefined && newest.state !== "undone") {
          const undone = await runTool(undo, { group_id: newest.group_id }, environment);
          expect(undone, `after ${most}`).toMatchObject({ success: true });
        }
        expect(await readTree(folder.cwd), `after ${most}: ${newest?.state}`).toEqual(before);
        if (!isKilled) break;
      }
      expect(met).toContain("interrupted");
    },
  );
});
