import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ToolRegistry, type ToolPackage } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor } from "@aiw/executor";
import filesystem from "@aiw/plugin-filesystem";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openRepo, ROOT } from "../repo/repo.ts";
import { importSnippet } from "./snippet-modules.ts";

const PAGE = "docs/guides/change-files.md";

/** A conversation in a folder of its own that has the guide's tool and the filesystem tools. */
async function openConversation(): Promise<{ tools: ToolManager; cwd: string; state: string }> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "aiw-guide-")));
  const [cwd, state] = [path.join(folder, "work"), path.join(folder, "state")];
  mkdirSync(cwd);
  vi.stubEnv("AIW_STATE_HOME", state);
  const cache = path.join(ROOT, "tooling/repo-checks/.cache/change-files");
  const snippet = await importSnippet(openRepo(), { page: PAGE, name: "replace-word.ts", folder: cache });
  const registry = new ToolRegistry();
  for (const tool of [...(snippet as { default: ToolPackage }).default.tools, ...filesystem.tools])
    registry.register(tool);
  const executor = new UnifiedToolExecutor(registry, { approver: () => ({ decision: "allow" }) });
  const tools = new ToolManager(executor, undefined, { workspace: { cwd, roots: [cwd] } });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await executor.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const name of ["a.txt", "b.txt"]) writeFileSync(path.join(cwd, name), `red ${name}\n`);
  return { tools, cwd, state };
}

function readBoth(cwd: string): string[] {
  return ["a.txt", "b.txt"].map((name) => readFileSync(path.join(cwd, name), "utf8"));
}

const INPUT = { paths: ["a.txt", "b.txt"], word: "red", replacement: "$& blue" };
const CHANGED = ["$& blue a.txt\n", "$& blue b.txt\n"];

describe("docs/guides/change-files.md", () => {
  it("changes all files of a call, and the undo of the filesystem tools takes them back", async () => {
    const { tools, cwd, state } = await openConversation();
    const made = await tools.executeTool("replace_word", INPUT);
    expect(made).toMatchObject({ success: true, value: { group_id: "g1" } });
    expect(readBoth(cwd)).toEqual(CHANGED);
    expect(readdirSync(state)).toEqual(["journal"]);
    expect(await tools.executeTool("undo", { group_id: "g1" })).toMatchObject({ success: true });
    expect(readBoth(cwd)).toEqual(["red a.txt\n", "red b.txt\n"]);
    expect(await tools.executeTool("redo", {})).toMatchObject({ success: true });
    expect(readBoth(cwd)).toEqual(CHANGED);
  });

  it("lets a host take the turn back", async () => {
    const { tools, cwd } = await openConversation();
    await tools.executeTool("replace_word", INPUT);
    expect((await tools.changes()).done[0]?.changes).toMatchObject([{ title: "Replaced red" }]);
    expect(await tools.undo()).toMatchObject({ changes: [{ title: "Replaced red" }] });
    expect(readBoth(cwd)).toEqual(["red a.txt\n", "red b.txt\n"]);
  });

  it("changes no file where one of them cannot be", async () => {
    const { tools, cwd } = await openConversation();
    mkdirSync(path.join(cwd, ".git"));
    writeFileSync(path.join(cwd, ".git/config"), "red\n");
    const failed = await tools.executeTool("replace_word", { ...INPUT, paths: ["a.txt", ".git/config"] });
    expect(failed).toMatchObject({
      success: false,
      error: expect.stringContaining("never written by file tools") as unknown,
    });
    expect(readBoth(cwd)).toEqual(["red a.txt\n", "red b.txt\n"]);
  });
});
