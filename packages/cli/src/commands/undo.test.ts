import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { openChangeJournal, openWorkspace, type PlannedChange } from "@aiw/core/node";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import type { FakeIo } from "../__fixtures__/fake-io.ts";
import { runAiw, type EndedAiw } from "../__fixtures__/run-aiw.ts";

interface World extends AsyncDisposable {
  readonly project: TemporaryWorkspace;
  readonly state: TemporaryWorkspace;
  aiw(
    args: readonly string[],
    options?: { interactive?: boolean; columns?: number; cwd?: string; prepare?: (fake: FakeIo) => void },
  ): Promise<EndedAiw>;
  /** What one call of a conversation changes; the conversation has ended when `aiw` runs. */
  change(sessionId: string, ...changes: PlannedChange[]): Promise<void>;
}

async function makeWorld(files: { readonly [path: string]: string } = {}): Promise<World> {
  const project = await temporaryWorkspace({ "package.json": '{ "name": "project" }', ...files });
  const state = await temporaryWorkspace();
  let calls = 0;
  return {
    project,
    state,
    aiw: (args, { cwd = project.cwd, ...options } = {}) =>
      runAiw(cwd, args, { environment: { AIW_STATE_HOME: state.cwd }, ...options }),
    async change(sessionId, ...changes) {
      await using journal = await openChangeJournal({
        workspace: project,
        sessionId,
        folder: join(state.cwd, "journal"),
      });
      await using workspace = await openWorkspace(project);
      const callId = `call-${(calls += 1)}`;
      await journal.apply(workspace, { tool: "edit", title: "Edited", callId, changes });
    },
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await state[Symbol.asyncDispose]();
    },
  };
}

const overwrite = (path: string, content: string): PlannedChange => ({
  op: "write",
  path,
  content: Buffer.from(content),
  options: { mode: "overwrite" },
  lines: { additions: 3, deletions: 1 },
});

/** Answers the question once it is shown. */
const answer =
  (text: string) =>
  (fake: FakeIo): void => {
    const wait = (): void => {
      if (fake.stderr().includes("[y/N]")) fake.type(`${text}\n`);
      else setTimeout(wait, 5);
    };
    wait();
  };

describe("aiw undo", () => {
  it("takes back the newest change of any conversation that has ended", async () => {
    await using world = await makeWorld({ "a.txt": "0", "b.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"));
    await world.change("tuesday", overwrite("b.txt", "1"));
    const first = await world.aiw(["undo", "--yes"]);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("To be undone, of conversation tuesday:");
    expect(first.out).toContain("edit (write) b.txt (+3 -1)");
    expect(first.out).toContain("restore b.txt");
    expect([await world.project.read("a.txt"), await world.project.read("b.txt")]).toEqual(["1", "0"]);
    const second = await world.aiw(["undo", "--yes", "--json"]);
    expect(second.json()).toEqual({
      folder: world.project.cwd,
      conversation: "monday",
      direction: "undo",
      state: "done",
      changes: [
        { undoId: "u1", groupId: "g1", path: world.project.path("a.txt"), op: "restored", etag: expect.any(String) },
      ],
      conflicts: [],
      remaining: 0,
    });
    expect(await world.project.read("a.txt")).toBe("0");
    expect(await world.aiw(["undo", "--yes", "--json"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Nothing to undo"),
    });
  });

  it("makes again what was taken back", async () => {
    await using world = await makeWorld({ "a.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"));
    await world.aiw(["undo", "--yes"]);
    expect(await world.aiw(["undo", "--redo", "--yes"])).toMatchObject({ code: 0 });
    expect(await world.project.read("a.txt")).toBe("1");
  });

  it("shows what it would do, and changes nothing where nobody is asked", async () => {
    await using world = await makeWorld({ "a.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"));
    const shown = await world.aiw(["undo"]);
    expect(shown).toMatchObject({
      code: 3,
      out: expect.stringContaining("restore a.txt"),
      err: expect.stringContaining("--yes"),
    });
    expect(await world.aiw(["undo", "--dry-run"])).toMatchObject({ code: 0, err: "" });
    expect((await world.aiw(["undo", "--dry-run", "--json"])).json()).toMatchObject({ state: "shown" });
    expect(await world.project.read("a.txt")).toBe("1");
  });

  it("asks at a terminal, after showing the change", async () => {
    await using world = await makeWorld({ "a.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"));
    const no = await world.aiw(["undo"], { interactive: true, prepare: answer("n") });
    expect(no).toMatchObject({
      code: 3,
      err: expect.stringMatching(/restore a\.txt[^]*Undo this\? \[y\/N\][^]*Nothing was changed/),
    });
    expect(await world.project.read("a.txt")).toBe("1");
    expect(await world.aiw(["undo"], { interactive: true, prepare: answer("y") })).toMatchObject({ code: 0 });
    expect(await world.project.read("a.txt")).toBe("0");
  });

  it("breaks its lines between words at a narrow terminal, and each path stays whole", async () => {
    const path = "a-folder/of-some-length/and-a-file.txt";
    await using world = await makeWorld({ [path]: "one" });
    await world.change("first", overwrite(path, "two"));
    const list = await world.aiw(["undo", "--list"], { columns: 60 });
    const asked = await world.aiw(["undo"], { columns: 60, interactive: true, prepare: answer("n") });
    for (const said of [list.out, asked.err]) {
      expect(said).toMatch(new RegExp(`^  \\S+Z  u1 +g1 +edit \\(write\\)\\n {24}${path}$`, "mu"));
      for (const line of said.split("\n")) expect(line.length).toBeLessThanOrEqual(64);
    }
  });

  it("leaves alone what somebody changed since, and names it", async () => {
    await using world = await makeWorld({ "a.txt": "0", "b.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"), overwrite("b.txt", "1"));
    await world.project.write("a.txt", "by hand");
    expect(await world.aiw(["undo", "--yes"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("u1: a.txt"),
    });
    const { code, json } = await world.aiw(["undo", "--yes", "--json"]);
    expect({ code, said: json() }).toMatchObject({
      code: 1,
      said: { state: "conflict", conflicts: [{ undoId: "u1", path: world.project.path("a.txt") }] },
    });
    expect([await world.project.read("a.txt"), await world.project.read("b.txt")]).toEqual(["by hand", "1"]);
  });

  it("takes one change, one call, or the last calls of a conversation", async () => {
    await using world = await makeWorld({ "a.txt": "0", "b.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"), overwrite("b.txt", "1"));
    await world.change("monday", overwrite("a.txt", "2"));
    await world.change("monday", overwrite("a.txt", "3"));
    await world.aiw(["undo", "--yes", "--change", "u2"]);
    expect([await world.project.read("a.txt"), await world.project.read("b.txt")]).toEqual(["3", "0"]);
    await world.aiw(["undo", "--yes", "--count", "2"]);
    expect(await world.project.read("a.txt")).toBe("1");
    await world.aiw(["undo", "--yes", "--group", "g1"]);
    expect(await world.project.read("a.txt")).toBe("0");
  });

  it("lists every conversation's changes, with what became of them", async () => {
    await using world = await makeWorld({ "a.txt": "0" });
    expect(await world.aiw(["undo", "--list"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("No tool changed"),
    });
    await world.change("monday", overwrite("a.txt", "1"));
    await world.change("tuesday", overwrite("a.txt", "2"));
    await world.aiw(["undo", "--yes"]);
    const { out } = await world.aiw(["undo", "--list"]);
    expect(out).toMatch(
      /conversation tuesday\n {2}\S+Z {2}u1 {2}g1 {2}edit \(write\) a\.txt \(\+3 -1\), undone\n\nconversation monday/,
    );
    expect((await world.aiw(["undo", "--list", "--json"])).json()).toMatchObject({
      folder: world.project.cwd,
      conversations: [
        { id: "tuesday", entries: [{ undoId: "u1", tool: "edit", state: "undone" }], forgotten: 0, damaged: 0 },
        { id: "monday", entries: [{ state: "done" }] },
      ],
    });
  });

  it("shows a call that was cut short, and takes back what was done of it", async () => {
    await using world = await makeWorld({ "a.txt": "0", "b.txt": "0" });
    const script = join(import.meta.dirname, "../__fixtures__/killed-call.ts");
    const args = ["--conditions=aiw-source", script, world.project.cwd, join(world.state.cwd, "journal")];
    const { signal, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
    expect(await world.project.read("a.txt")).toBe("half done");
    expect(await world.aiw(["undo", "--list"])).toMatchObject({
      out: expect.stringContaining("a.txt, interrupted: its process ended in the middle"),
    });
    expect(await world.aiw(["undo", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect([await world.project.read("a.txt"), await world.project.read("b.txt")]).toEqual(["0", "0"]);
    expect(await world.aiw(["undo", "--yes"])).toMatchObject({ code: 1 });
  });

  it("shows no more of a call that changed very much than a person reads", async () => {
    await using world = await makeWorld();
    const create = (path: string): PlannedChange => ({
      op: "write",
      path,
      content: Buffer.from("new"),
      options: { mode: "create" },
    });
    await world.change("s", ...Array.from({ length: 60 }, (_, index) => create(`f${index}.txt`)));
    const listed = await world.aiw(["undo", "--list"]);
    expect(listed.out.trimEnd().split("\n")).toHaveLength(52);
    expect(listed.out).toContain("… 10 more: add --json to see all\n");
    const undone = await world.aiw(["undo", "--yes"]);
    expect(undone.out).toMatch(/(?:[^]*… 10 more){2}[^]*Undone: 60 paths/u);
  });

  it("finds from a folder below what was changed from the project's", async () => {
    await using world = await makeWorld({ "a.txt": "0", "src/b.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"));
    expect(await world.aiw(["undo", "--yes"], { cwd: world.project.path("src") })).toMatchObject({ code: 0 });
    expect(await world.project.read("a.txt")).toBe("0");
  });

  it.each([
    [["--count", "0"], "--count takes a number from 1 to 100"],
    [["--count", "2", "--group", "g1"], "name changes in two ways"],
    [["--list", "--yes"], "--list takes no --yes"],
    [["--dry-run", "--yes"], "--dry-run changes nothing"],
    [["--change", "u99"], "The latest is u1 of g1"],
    [["--conversation", "nobody"], "aiw undo --list"],
  ])("says what is wrong with %j", async (words, said) => {
    await using world = await makeWorld({ "a.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"));
    expect(await world.aiw(["undo", ...words])).toMatchObject({ code: 2, err: expect.stringContaining(said) });
    expect(await world.project.read("a.txt")).toBe("1");
  });

  it("finds what was changed before the folders of the workspace were others, and heeds what is read-only now", async () => {
    await using world = await makeWorld({ "kept/a.txt": "old\n", "b.txt": "old\n" });
    await world.change("first", overwrite("kept/a.txt", "new\n"));
    await world.change("second", overwrite("b.txt", "new\n"));
    const rules = { workspace: { roots: ["../elsewhere"], readOnly: ["kept"] } };
    await world.project.write("aiw.config.json", JSON.stringify(rules));
    expect(await world.aiw(["undo", "--yes"])).toMatchObject({ code: 0 });
    expect(await world.project.read("b.txt")).toBe("old\n");
    const refused = await world.aiw(["undo", "--yes"]);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("kept");
    expect(await world.project.read("kept/a.txt")).toBe("new\n");
  });

  it("asks whose, where several conversations have the id", async () => {
    await using world = await makeWorld({ "a.txt": "0", "b.txt": "0" });
    await world.change("monday", overwrite("a.txt", "1"));
    await world.change("tuesday", overwrite("b.txt", "1"));
    expect(await world.aiw(["undo", "--change", "u1", "--yes"])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--conversation "tuesday"'),
    });
    expect(await world.aiw(["undo", "--change", "u1", "--conversation", "monday", "--yes"])).toMatchObject({ code: 0 });
    expect([await world.project.read("a.txt"), await world.project.read("b.txt")]).toEqual(["0", "1"]);
  });
});
