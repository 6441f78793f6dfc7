import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { defineTool, ToolRegistry, type ToolResult } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor, type ApprovalAnswer } from "@aiw/executor";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { connectApprovals, type ApprovalNotice } from "./connect-approvals.ts";
import { createApprovalQueue, type ApprovalQueue } from "./create-approval-queue.ts";
import type { ApprovalQueueEvent, PendingApproval } from "./pending-approval.ts";

interface Opened {
  readonly queue: ApprovalQueue;
  readonly tools: ToolManager;
  remove(path: string, signal?: AbortSignal): Promise<ToolResult>;
  /** Waits until so many questions wait. */
  waiting(count: number): Promise<readonly PendingApproval[]>;
}

function open(capacity?: number): Opened {
  const queue = createApprovalQueue(capacity === undefined ? {} : { capacity });
  const remove = defineTool({
    name: "remove",
    description: "Removes a file.",
    input: z.strictObject({ path: z.string() }),
    effects: { readOnly: false, destructive: true, openWorld: false },
    execute: ({ path }) => `removed ${path}`,
  });
  const registry = new ToolRegistry();
  registry.register(remove);
  const tools = new ToolManager(new UnifiedToolExecutor(registry, { approver: queue.approver }));
  return {
    queue,
    tools,
    remove: (path, signal) => tools.executeTool("remove", { path }, signal === undefined ? {} : { signal }),
    waiting: async (count) => {
      await vi.waitFor(() => expect(queue.pending()).toHaveLength(count));
      return queue.pending();
    },
  };
}

const allow: ApprovalAnswer = { decision: "allow" };

describe("createApprovalQueue", () => {
  it("keeps questions, in order and as plain JSON, until somebody answers them", async () => {
    const { queue, remove, waiting } = open();
    const calls = [remove("a")];
    await waiting(1);
    calls.push(remove("b"));
    const [first, second] = await waiting(2);
    expect([first, second].map((one) => one?.request.arguments)).toEqual([{ path: "a" }, { path: "b" }]);
    expect(JSON.parse(JSON.stringify(queue.pending()))).toEqual(queue.pending());
    expect(first?.id).toMatch(/^[\da-f-]{36}$/);
    expect(first?.id).not.toBe(first?.request.callId);
    expect(queue.get(second?.id ?? "")).toBe(second);
    expect(queue.answer(second?.id ?? "", { decision: "deny", reason: "Not b." })).toEqual({
      accepted: true,
      id: second?.id,
    });
    expect(queue.answer(first?.id ?? "", allow)).toMatchObject({ accepted: true });
    expect(await Promise.all(calls)).toMatchObject([
      { success: true, value: "removed a" },
      { code: "approval_denied", error: expect.stringContaining("Not b.") },
    ]);
    expect(queue.pending()).toEqual([]);
  });

  it("takes the first answer that can be read, and says why others do not count", async () => {
    const { queue, remove, waiting } = open();
    const call = remove("a");
    const [{ id } = { id: "" }] = await waiting(1);
    const hostile = {
      get decision(): never {
        throw new Error("boom");
      },
    };
    for (const none of [undefined, null, "allow", {}, { decision: "yes" }, { decision: "allow", input: [] }, hostile])
      expect(queue.answer(id, none as never)).toMatchObject({ accepted: false, why: "invalid" });
    for (const more of [
      { arguments: { path: "b" } },
      { args: undefined },
      { remember: { rule: { parameters: [] }, days: 1 } },
    ])
      expect(queue.answer(id, { ...allow, ...more } as ApprovalAnswer)).toMatchObject({
        accepted: false,
        why: "invalid",
        message: expect.stringContaining('"input" replaces the arguments'),
      });
    expect(queue.answer("other", allow)).toMatchObject({ accepted: false, why: "unknown" });
    expect(queue.answer(id, { decision: "allow", input: { path: "b" } })).toMatchObject({ accepted: true });
    expect(queue.answer(id, { decision: "deny" })).toMatchObject({ accepted: false, why: "answered" });
    expect(await call).toMatchObject({ value: "removed b" });
  });

  it("says of a call that has ended that it no longer waits", async () => {
    const { queue, remove, waiting } = open();
    const stop = new AbortController();
    const call = remove("a", stop.signal);
    const [{ id } = { id: "" }] = await waiting(1);
    stop.abort();
    expect(await call).toMatchObject({ status: "cancelled" });
    expect(queue.pending()).toEqual([]);
    const receipt = queue.answer(id, allow);
    expect(receipt).toMatchObject({
      accepted: false,
      why: "ended",
      message: expect.stringContaining("no longer waits"),
    });
  });

  it("holds no more than its capacity, and leaves what did not fit to be asked again", async () => {
    const { queue, remove, waiting } = open(1);
    const first = remove("a");
    const [{ id } = { id: "" }] = await waiting(1);
    expect(await remove("b")).toMatchObject({
      code: "approval_denied",
      error: expect.stringContaining("nobody was asked"),
    });
    queue.answer(id, allow);
    await first;
    const again = remove("b");
    const [{ id: next } = { id: "" }] = await waiting(1);
    queue.answer(next, allow);
    expect(await again).toMatchObject({ success: true });
  });

  it("tells what happens, whatever a listener does, until it leaves", async () => {
    const { queue, remove, waiting } = open();
    const told: ApprovalQueueEvent[] = [];
    queue.subscribe(() => {
      throw new Error("boom");
    });
    queue.subscribe((() => Promise.reject(new Error("late"))) as () => void);
    const leave = queue.subscribe((event) => told.push(event));
    const call = remove("a");
    const [{ id, request } = { id: "", request: undefined }] = await waiting(1);
    queue.answer(id, allow);
    await call;
    leave();
    const later = remove("b");
    const [{ id: other } = { id: "" }] = await waiting(1);
    queue.answer(other, allow);
    await later;
    expect(told).toMatchObject([
      { type: "approval_pending", approval: { id } },
      { type: "approval_closed", id, callId: request?.callId, end: "answered", decision: "allow" },
    ]);
  });

  it("refuses what waits and what comes when it closes, without speaking for a person", async () => {
    const { queue, remove, waiting } = open();
    const call = remove("a");
    const [{ id } = { id: "" }] = await waiting(1);
    queue.close();
    for (const result of [await call, await remove("a")])
      expect(result).toMatchObject({ code: "approval_denied", error: expect.not.stringContaining("refused before") });
    expect(queue.answer(id, allow)).toMatchObject({ why: "ended" });
    expect(queue.pending()).toEqual([]);
  });

  it("gives out copies that nobody can change", async () => {
    const { queue, remove, waiting } = open();
    const call = remove("a");
    const [one] = await waiting(1);
    expect(() => Object.assign(one?.request.arguments ?? {}, { path: "/etc" })).toThrow(TypeError);
    queue.answer(one?.id ?? "", allow);
    expect(await call).toMatchObject({ value: "removed a" });
  });

  it.each([0, -1, 1.5, NaN, "10"])("refuses a capacity of %s", (capacity) => {
    expect(() => createApprovalQueue({ capacity: capacity as number })).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });

  it("refuses an option nobody knows", () => {
    expect(() => createApprovalQueue({ capactiy: 4 } as object)).toThrow(
      expect.objectContaining({ code: "config_invalid", fix: "Did you mean capacity?" }),
    );
  });
});

describe("connectApprovals", () => {
  it("lists what waits, tells what happens, and gives receipts", async () => {
    const { queue, remove, waiting } = open();
    const call = remove("a");
    const [{ id } = { id: "" }] = await waiting(1);
    const sent: ApprovalNotice[] = [];
    const connection = connectApprovals(queue, (notice) => sent.push(notice));
    for (const none of [null, 5, "x", [], {}, { type: "else" }]) connection.receive(none);
    connection.receive({ type: "approval_answer" });
    connection.receive({ type: "approval_answer", id, answer: "yes" });
    connection.receive({ type: "approval_answer", id, answer: allow });
    expect(await call).toMatchObject({ success: true });
    connection.receive({ type: "approval_list" });
    connection.close();
    connection.receive({ type: "approval_list" });
    expect(sent).toMatchObject([
      { type: "approval_list", approvals: [{ id }] },
      { type: "approval_receipt", receipt: { accepted: false, why: "unknown" } },
      { type: "approval_receipt", receipt: { accepted: false, why: "invalid" } },
      { type: "approval_closed", id, end: "answered" },
      { type: "approval_receipt", receipt: { accepted: true, id } },
      { type: "approval_list", approvals: [] },
    ]);
  });

  it("harms nothing when the line is gone", async () => {
    const { queue, remove, waiting } = open();
    connectApprovals(queue, () => {
      throw new Error("EPIPE");
    });
    connectApprovals(queue, (() => Promise.reject(new Error("EPIPE"))) as () => void);
    const call = remove("a");
    const [{ id } = { id: "" }] = await waiting(1);
    queue.answer(id, allow);
    expect(await call).toMatchObject({ success: true });
  });

  it("lets another process answer", async () => {
    const { queue, remove, tools } = open();
    const before = remove("a.txt");
    const child = fork(fileURLToPath(new URL("./__fixtures__/answering-process.mjs", import.meta.url)), ["a.txt"]);
    const connection = connectApprovals(queue, (notice) => child.send(notice));
    child.on("message", (message) => connection.receive(message));
    try {
      expect(await before).toMatchObject({ success: true, value: "removed a.txt" });
      expect(await remove("b.txt")).toMatchObject({
        code: "approval_denied",
        error: expect.stringContaining("Only a.txt."),
      });
      const decisions: unknown[] = [];
      tools.activity.subscribe("tool_approval_decision", ({ data }) => decisions.push(data));
      await remove("a.txt");
      expect(decisions).toMatchObject([{ decision: "allow", by: "remembered", scope: "turn" }]);
    } finally {
      connection.close();
      child.kill();
    }
  });
});
