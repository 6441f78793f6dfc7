import { defineTool, toFileResource, workLog, ToolError } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import { ToolManager } from "./tool-manager.ts";

const SAFE = { readOnly: false, destructive: false, openWorld: false };

function makeConversation() {
  const cells = new Map<string, string>();
  const put = defineTool({
    name: "put",
    description: "Puts a text into a cell.",
    input: z.strictObject({ name: z.string(), text: z.string() }),
    effects: SAFE,
    assess: ({ name }) => ({ decision: "allow", reason: "Ours.", resources: [toFileResource(`/${name}`), "db:x"] }),
    execute: async ({ name, text }, context) => {
      if (text === "") throw new ToolError("failed", "Nothing to put.");
      const before = cells.get(name) ?? "";
      cells.set(name, text);
      const log = await context.session.get(workLog);
      log.record(context, { title: `put ${name}`, undo: () => void cells.set(name, before) });
    },
  });
  const get = defineTool({
    name: "get",
    description: "Gets a cell.",
    input: z.strictObject({ name: z.string() }),
    effects: "read",
    assess: ({ name }) => ({ decision: "allow", reason: "Looks.", resources: [toFileResource(`/${name}`)] }),
    execute: ({ name }) => cells.get(name) ?? "",
  });
  const twice = defineTool({
    name: "twice",
    description: "Puts twice.",
    effects: SAFE,
    execute: async (_input, { callTool }) => {
      await callTool("put", { name: "n", text: "1" });
      await callTool("put", { name: "n", text: "2" });
    },
  });
  const { executor } = makeExecutor([put, get, twice]);
  return { cells, tools: new ToolManager(executor), executor };
}

describe("ToolManager.files", () => {
  it("lists what calls that succeeded read and wrote, by call and turn", async () => {
    const { tools } = makeConversation();
    await tools.executeTool("put", { name: "a", text: "1" }, { callId: "w" });
    await tools.executeTool("put", { name: "failed", text: "" });
    tools.clearCurrentTurn();
    await tools.executeTool("get", { name: "a" }, { callId: "r" });
    await tools.authorize("get", { name: "unread" });
    expect(await tools.files()).toEqual([
      { path: "/a", written: { callId: "w", turn: 1, calls: 1 }, read: { callId: "r", turn: 2, calls: 1 } },
    ]);
    await tools.clearState();
    expect(await tools.files()).toEqual([]);
    await tools.close();
    await expect(tools.files()).rejects.toMatchObject({ code: "session_closed" });
  });
});

describe("ToolManager.undo", () => {
  it("takes back what the calls of the newest turn did, calls within calls included", async () => {
    const { tools, cells } = makeConversation();
    await tools.executeTool("put", { name: "n", text: "0" });
    tools.clearCurrentTurn();
    await tools.executeTool("twice", {});
    expect((await tools.changes()).done).toMatchObject([{ turn: 1 }, { turn: 2, changes: [{}, {}] }]);
    expect(await tools.undo()).toMatchObject({ turn: 2, left: 0 });
    expect(cells.get("n")).toBe("0");
    expect(await tools.redo()).toMatchObject({ refused: { code: "failed" } });
    expect(await tools.undo({ signal: AbortSignal.abort() })).toMatchObject({ refused: { code: "cancelled" } });
    await tools.close();
  });

  it("lets what was read before be read again", async () => {
    const { tools } = makeConversation();
    await tools.executeTool("put", { name: "a", text: "1" });
    await tools.executeTool("get", { name: "b" });
    expect(await tools.executeTool("get", { name: "b" })).toMatchObject({ code: "repeated_call" });
    await tools.undo();
    expect(await tools.executeTool("get", { name: "b" })).toMatchObject({ success: true });
    await tools.close();
  });

  it("ends with the state of the conversation", async () => {
    const { tools, cells } = makeConversation();
    await tools.executeTool("put", { name: "a", text: "1" });
    await tools.clearState();
    expect(await tools.undo()).toEqual({ changes: [], left: 0 });
    expect(cells.get("a")).toBe("1");
    await tools.close();
  });
});
