import type { AiwError, ToolLog } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeAudited } from "./__fixtures__/audited-tools.ts";
import { audit } from "./audit.ts";
import type { AuditOptions } from "./audit-options.ts";
import type { AuditCallEntry, AuditEntry } from "./audit-entry.ts";
import type { AuditSink } from "./audit-sink.ts";
import { databaseSink } from "./database/database-sink.ts";
import { fileSink } from "./file/file-sink.ts";
import { memorySink, type MemorySink } from "./memory-sink.ts";

type Call = AuditCallEntry;

function callsOf({ records }: Pick<MemorySink, "records">): Call[] {
  return records.filter((record): record is typeof record & Call => record.kind === "call");
}

/** A sink that fails while it is told to. */
function makeFlaky(): { readonly sink: AuditSink; readonly memory: MemorySink; isBroken: boolean } {
  const memory = memorySink();
  const flaky = {
    memory,
    isBroken: false,
    sink: {
      open: () => (flaky.isBroken ? Promise.reject(new TypeError("no disk")) : undefined),
      append(entries: readonly AuditEntry[]) {
        if (flaky.isBroken) return Promise.reject(new TypeError("disk full"));
        return memory.append(entries);
      },
    },
  };
  return flaky;
}

function makeLog(): { readonly log: ToolLog; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  return { lines, log: { debug: write, info: write, warn: write, error: write } };
}

describe("audit options", () => {
  const sink = memorySink();
  it.each<readonly [unknown, RegExp]>([
    [{ file: "a.jsonl", onFail: "warn" }, /Did you mean|Options/],
    [{ file: "a.jsonl", onFailure: "Block" }, /"block" or "warn"/],
    [{ file: "a.jsonl", database: "a.db" }, /Write audit/],
    [{}, /Write audit/],
    [{ sink, key: "sixteen characters" }, /Leave key out/],
    [{ sink, sync: true }, /Leave sync out/],
    [{ database: "a.db", maxFiles: 3 }, /Leave maxFiles out/],
    [{ sink: {} }, /append/],
    [{ file: "a.jsonl", secrets: "hunter2" }, /Correct/],
    [{ file: "a.jsonl", arguments: "no" }, /Correct/],
    [{ file: "a.jsonl", maxPending: 0 }, /default/],
    [null, /\{ \}/],
  ])("refuses %j: nothing else may be recorded than its operator believes", (options, fix) => {
    expect(() => audit(options as AuditOptions)).toThrow(
      expect.objectContaining({ code: "config_invalid", fix: expect.stringMatching(fix) }),
    );
  });

  it.each([
    () => memorySink({ max: 4 } as object),
    () => fileSink("a.jsonl", { maxByte: 4 } as object),
    () => databaseSink("a.db", { busy: 4 } as object),
  ])("refuses options of sinks that nobody knows", (make) => {
    expect(make).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });
});

describe("audit", () => {
  it("records who called what, what was decided, and how it ended, but no value", async () => {
    const sink = memorySink();
    const { executor } = makeAudited({ sink });
    await executor.execute(
      "echo",
      { path: "/srv/a.ts", answer: "the-value" },
      {
        callId: "c1",
        sessionId: "s1",
        turn: 3,
        principal: { id: "ann", roles: ["dev"] },
      },
    );
    const [record] = callsOf(sink);
    expect(record).toMatchObject({
      seq: 1,
      kind: "call",
      callId: "c1",
      sessionId: "s1",
      turn: 3,
      principal: { id: "ann", roles: ["dev"] },
      tool: { id: "echo", name: "echo", known: true, source: "explicit" },
      arguments: { path: "/srv/a.ts", answer: "the-value" },
      verdict: { decision: "allow", by: "effects" },
      outcome: { status: "ok" },
      attempts: 1,
    });
    expect(record?.definitionHash).toMatch(/^sha256-/);
    expect(record).not.toHaveProperty("value");
  });

  it("records each call once, whatever became of it, and none that was only judged", async () => {
    const sink = memorySink();
    const { executor } = makeAudited(
      { sink },
      { rules: [{ match: { tool: "echo", input: { no: true } }, decision: "deny", reason: "Never." }] },
    );
    const abort = new AbortController();
    const hanging = executor.execute("hang", {}, { callId: "cancelled", signal: abort.signal });
    setTimeout(() => abort.abort(), 20);
    await Promise.all([
      executor.execute("echo", { a: 1 }, { callId: "ok" }),
      executor.execute("echo", { no: true }, { callId: "ruled" }),
      executor.execute("fail", {}, { callId: "failed" }),
      executor.execute("wipe", {}, { callId: "unapproved" }),
      executor.execute("no_such_tool", {}, { callId: "unknown" }),
      executor.execute("fail", { extra: 1n }, { callId: "unreadable" }),
      executor.execute("outer", {}, { callId: "outer" }),
      executor.authorize("echo", {}),
      hanging,
    ]);
    const byId = new Map(callsOf(sink).map((record) => [record.callId, record]));
    expect(callsOf(sink)).toHaveLength(9);
    const nested = callsOf(sink).find(({ parentCallId }) => parentCallId === "outer");
    expect(nested?.tool.name).toBe("echo");
    const outcome = (id: string): unknown => byId.get(id)?.outcome;
    expect(outcome("ok")).toEqual({ status: "ok" });
    expect(outcome("ruled")).toMatchObject({ status: "denied", code: "denied_by_policy", settled: true });
    expect(byId.get("ruled")?.verdict).toMatchObject({ decision: "deny", reason: "Never.", by: "rule" });
    expect(outcome("failed")).toMatchObject({ status: "error", code: "internal_error" });
    expect(outcome("unapproved")).toMatchObject({ status: "denied", code: "approval_required" });
    expect(outcome("unknown")).toMatchObject({ code: "tool_not_found" });
    expect(byId.get("unknown")?.tool).toEqual({ id: "no_such_tool", name: "no_such_tool", known: false });
    expect(byId.get("unreadable")).not.toHaveProperty("arguments");
    expect(outcome("cancelled")).toMatchObject({ status: "cancelled" });
  });

  it("records calls that a closed executor refuses", async () => {
    const sink = memorySink();
    const { executor } = makeAudited({ sink });
    await executor.close();
    const result = await executor.execute("echo", {}, { callId: "late" });
    expect(result.success).toBe(false);
    expect(callsOf(sink).map(({ callId }) => callId)).toEqual(["late"]);
  });

  it("shows a planted secret in no field (SEC-LOG-2)", async () => {
    const sink = memorySink();
    const token = `ghp_${"s3cR".repeat(9)}`;
    const { executor } = makeAudited(
      { sink, secrets: ["host-known-secret"] },
      {
        rules: [
          { id: token, match: { tool: "echo" }, decision: "deny", reason: `Not with ${token} host-known-secret` },
        ],
      },
    );
    for (const text of [token, "host-known-secret"]) {
      await executor.execute(
        "echo",
        { [text]: text, list: [text], path: "/a/b" },
        {
          callId: `id ${text}`,
          sessionId: text,
          principal: { id: text, roles: [text] },
        },
      );
      await executor.execute(`tool ${text}`, {});
    }
    await executor.execute("echo", { password: "hunter22", command: "login hunter22" });
    const text = JSON.stringify(sink.records);
    expect(sink.records).toHaveLength(5);
    expect(text).not.toMatch(/s3cRs3cR|host-known-secret|hunter22/);
    expect(text).toContain("/a/b");
  });

  it("leaves arguments out where it is told to", async () => {
    const sink = memorySink();
    const { executor } = makeAudited({ sink, arguments: false });
    await executor.execute("echo", { a: 1 });
    expect(callsOf(sink)[0]).not.toHaveProperty("arguments");
  });

  it("refuses calls while records cannot be written, and keeps the records of the refusals", async () => {
    const flaky = makeFlaky();
    flaky.isBroken = true;
    const { executor } = makeAudited({ sink: flaky.sink, retryMs: 0 });
    const refused = await executor.execute("echo", {}, { callId: "refused" });
    expect(refused).toMatchObject({ success: false, status: "denied", code: "audit_unavailable" });
    expect(refused.call.attempts).toBe(0);
    flaky.isBroken = false;
    expect(await executor.execute("echo", {}, { callId: "after" })).toMatchObject({ success: true });
    expect(callsOf(flaky.memory).map(({ callId, outcome: { status } }) => [callId, status])).toEqual([
      ["refused", "denied"],
      ["after", "ok"],
    ]);
    expect(callsOf(flaky.memory)[0]?.outcome).not.toHaveProperty("withheld");
  });

  it("withholds the result of work that could not be recorded, and records that it did", async () => {
    const flaky = makeFlaky();
    const { log, lines } = makeLog();
    const { executor, extension } = makeAudited({ sink: flaky.sink, retryMs: 0, log });
    await executor.execute("echo", {}, { callId: "first" });
    flaky.isBroken = true;
    const withheld = await executor.execute("echo", { a: "the-value" }, { callId: "second" });
    expect(withheld).toMatchObject({ success: false, code: "audit_failed", retryable: false });
    expect(extension.state).toMatchObject({ written: 1, pending: 1, dropped: 0 });
    flaky.isBroken = false;
    await extension.flush();
    expect(callsOf(flaky.memory).at(-1)).toMatchObject({ callId: "second", outcome: { status: "ok", withheld: true } });
    expect(lines).toEqual(["Calls cannot be recorded.", "Calls are recorded again."]);
  });

  it("with warn lets calls go on, and records how many records were lost (SEC-RES-1)", async () => {
    const flaky = makeFlaky();
    flaky.isBroken = true;
    const { log, lines } = makeLog();
    const { executor, extension } = makeAudited({
      sink: flaky.sink,
      onFailure: "warn",
      maxPending: 2,
      retryMs: 0,
      log,
    });
    for (const callId of ["a", "b", "c", "d"])
      expect(await executor.execute("echo", {}, { callId })).toMatchObject({ success: true });
    await extension.flush().catch(() => undefined);
    expect(extension.state).toMatchObject({ written: 0, pending: 2, dropped: 2 });
    flaky.isBroken = false;
    await extension.flush();
    expect(flaky.memory.records.map((record) => (record.kind === "call" ? record.callId : record.kind))).toEqual([
      "a",
      "b",
      "gap",
    ]);
    expect(flaky.memory.records.at(-1)).toMatchObject({ kind: "gap", dropped: 2 });
    expect(extension.state).toMatchObject({ written: 2, pending: 0, dropped: 0 });
    expect(lines[0]).toBe("Calls cannot be recorded.");
  });

  it("says at its end what could not be written", async () => {
    const flaky = makeFlaky();
    flaky.isBroken = true;
    const { log, lines } = makeLog();
    const { executor } = makeAudited({ sink: flaky.sink, onFailure: "warn", log });
    await executor.execute("echo", {});
    await executor.close();
    expect(lines).toContain("Records of calls were lost.");
  });

  it.each([{}, { file: "a", database: "b" }, { sink: memorySink(), file: "a" }])(
    "refuses %j, which names no one place",
    (options) => {
      expect(() => audit(options)).toThrow(expect.objectContaining({ code: "config_invalid" }) as AiwError);
    },
  );
});
