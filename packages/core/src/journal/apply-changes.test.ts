import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Session, SessionKey, ToolContext } from "../contract/tool-context.ts";
import { workLog } from "../record/work-log.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { applyChanges, revertChanges } from "./apply-changes.ts";

const { signal } = new AbortController();

let base: string;
let context: ToolContext<unknown>;
const at = (path: string): string => join(base, "root", path);
const text = async (path: string): Promise<string | undefined> =>
  await readFile(at(path), "utf8").catch(() => undefined);

/** A conversation with the parts that changes need. */
function contextIn(cwd: string): ToolContext<unknown> {
  const values = new Map<string, Promise<unknown>>();
  const workspace = { cwd, roots: [cwd], history: "memory" };
  const session: Session = {
    id: "s",
    get: async <Value>(key: SessionKey<Value>) => {
      const given = { sessionId: "s", workspace, signal } as never;
      const value = values.get(key.name) ?? Promise.resolve(key.create(given));
      values.set(key.name, value);
      return (await value) as Value;
    },
  };
  return { callId: "c1", sessionId: "s", turn: 1, signal, workspace, session } as unknown as ToolContext<unknown>;
}

async function write(path: string, content: string, mode: "overwrite" | "append" = "overwrite") {
  await using workspace = await openWorkspace(context.workspace);
  const change = { op: "write", path, content: new TextEncoder().encode(content), options: { mode } } as const;
  return await applyChanges(context, workspace, { tool: "write", title: `Wrote ${path}`, changes: [change] });
}

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-apply-"));
  await mkdir(at("."));
  context = contextIn(at("."));
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

describe("applyChanges", () => {
  it("lets the conversation take its changes back, and agrees with what tools take back", async () => {
    await write("a", "1");
    await write("b", "1");
    const { changes, files } = await context.session.get(workLog);
    expect(files.list().map(({ path }) => path)).toEqual([at("a"), at("b")]);
    await using workspace = await openWorkspace(context.workspace);
    await revertChanges(context, workspace, { direction: "undo" });
    expect(changes.list()).toMatchObject({
      done: [{ changes: [{ title: "Wrote a", resources: [`file:${at("a")}`] }] }],
      undone: [{ changes: [{ title: "Wrote b" }] }],
    });
    expect(await changes.undo({ signal })).toMatchObject({ left: 0 });
    expect([await text("a"), await text("b")]).toEqual([undefined, undefined]);
    await expect(revertChanges(context, workspace, { direction: "undo" })).rejects.toMatchObject({
      code: "nothing_to_undo",
    });
    await changes.redo({ signal });
    expect([await text("a"), await text("b")]).toEqual(["1", "1"]);
  });

  it("refuses what was changed since when the conversation takes it back", async () => {
    await write("a", "1");
    await writeFile(at("a"), "theirs");
    const { changes } = await context.session.get(workLog);
    expect(await changes.undo({ signal })).toMatchObject({
      refused: { code: "conflict", reason: "No more as it was left: a changed since" },
      left: 1,
    });
    expect(await text("a")).toBe("theirs");
  });

  it("lets two calls at once follow one another", async () => {
    await Promise.all([
      write("a", "x", "append"),
      write("a", "y", "append"),
      write("b", "z"),
      write("a", "x", "append"),
    ]);
    expect((await text("a"))?.length).toBe(3);
    await using workspace = await openWorkspace(context.workspace);
    await revertChanges(context, workspace, { direction: "undo", count: 4 });
    expect([await text("a"), await text("b")]).toEqual([undefined, undefined]);
  });

  it("records nothing where nothing changes", async () => {
    await writeFile(at("a"), "1");
    const { changes, groupId } = await write("a", "1");
    expect([changes[0]?.undoId, changes[0]?.notices, groupId]).toEqual([undefined, ["unchanged"], ""]);
    expect((await context.session.get(workLog)).changes.list().done).toEqual([]);
  });

  it("changes nothing for a call that was stopped", async () => {
    await using workspace = await openWorkspace(context.workspace, { signal: AbortSignal.abort() });
    const change = { op: "write", path: "a", content: new Uint8Array(1) } as const;
    await expect(applyChanges(context, workspace, { tool: "t", title: "t", changes: [change] })).rejects.toThrow(
      "abort",
    );
    expect(await text("a")).toBeUndefined();
  });
});
