import { defineTool, ToolError, type Tool } from "@aiw/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeExecutor, type MadeExecutor } from "../__fixtures__/make-executor.ts";
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../call/approver.ts";
import type { UnifiedToolExecutorOptions } from "../executor-options.ts";

interface Removing extends MadeExecutor {
  readonly ran: unknown[];
}

function removing(options: UnifiedToolExecutorOptions = {}, more: readonly Tool[] = []): Removing {
  const ran: unknown[] = [];
  const remove = defineTool({
    name: "remove",
    title: "Remove a file",
    description: "Removes a file.",
    input: z.strictObject({ path: z.string(), token: z.string().optional() }),
    effects: { readOnly: false, destructive: true, openWorld: false },
    timeoutMs: 500,
    assess: ({ path }) => ({
      decision: path.startsWith("/etc") ? "deny" : "allow",
      reason: `Looked at ${path}.`,
      effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      resources: [path],
    }),
    execute: (input) => {
      ran.push(input);
      return "removed";
    },
  });
  return { ...makeExecutor([remove, ...more], options), ran };
}

const yes: Approver = () => ({ decision: "allow" });

describe("approval", () => {
  it("is refused where nobody can be asked, naming what would allow exactly this call", async () => {
    const { executor, ran, typesOf } = removing();
    const result = await executor.execute("remove", { path: "a" }, { callId: "c" });
    expect(result).toMatchObject({ status: "denied", code: "approval_required", error_type: "permission_error" });
    const suggestion = result.success ? "" : (result.suggestion ?? "");
    const rule = /\{"decision":.*\}\}/.exec(suggestion)?.[0] ?? "";
    expect(JSON.parse(rule)).toEqual({ decision: "allow", match: { input: { path: "a" }, tool: "remove" } });
    expect(suggestion).toContain("approver");
    expect(ran).toEqual([]);
    expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
    const allowed = removing({ rules: [JSON.parse(rule)] });
    expect(await allowed.executor.execute("remove", { path: "a" })).toMatchObject({ success: true });
    expect(await allowed.executor.execute("remove", { path: "b" })).toMatchObject({ code: "approval_required" });
  });

  it("names no rule where none would help, and none with a secret in it", async () => {
    const asked = removing({ rules: [{ match: { tool: "remove" }, decision: "ask" }] });
    const refused = await asked.executor.execute("remove", { path: "a" });
    expect(refused.success ? "" : refused.suggestion).not.toContain('"decision"');
    const secret = await removing().executor.execute("remove", { path: "a", token: "tok-12345678" });
    expect(JSON.stringify(secret.success ? "" : secret.suggestion)).not.toContain("tok-12345678");
  });

  it("shows the person all that will run, hidden characters escaped, secrets masked, paths legible (SEC-APR-2)", async () => {
    const requests: ApprovalRequest[] = [];
    const { executor, ran } = removing({
      approver: (request) => {
        requests.push(request);
        return { decision: "allow" };
      },
      workspace: { cwd: "/home/me/project", roots: ["/home/me/project"] },
    });
    const path = `/home/me/secret/notes.txt${" ".repeat(5000)}\u202Efdp.exe`;
    await executor.execute(
      "remove",
      { path, token: "hunter2hunter2" },
      { callId: "c", sessionId: "s", principal: { id: "ada" } },
    );
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      callId: "c",
      sessionId: "s",
      principal: { id: "ada" },
      toolId: "remove",
      toolName: "remove",
      title: "Remove a file",
      reason: expect.stringMatching(/^Looked at \/home\/me\/secret\/notes\.txt/),
      rule: "unsafe_effects",
      effects: { destructive: true },
      resources: [path.replace("\u202E", "\\u{202e}")],
      cwd: "/home/me/project",
      definitionHash: expect.stringMatching(/^sha256-/),
    });
    expect(requests[0]?.arguments["path"]).toBe(path.replace("\u202E", "\\u{202e}"));
    expect(requests[0]?.arguments["token"]).toBe("[secret, 14 characters]");
    expect(ran).toEqual([{ path, token: "hunter2hunter2" }]);
  });

  it("masks and escapes what the tool says of the call, for the person and in events", async () => {
    const fetching = defineTool({
      name: "fetching",
      description: "Fetches.",
      effects: "pure",
      execute: () => 1,
      assess: () => ({
        decision: "ask",
        reason: "Fetches https://ada:hunter2@host.test\u202E.",
        resources: ["https://ada:hunter2@host.test\u202E"],
      }),
    });
    const asked: ApprovalRequest[] = [];
    const approver: Approver = (request) => {
      asked.push(request);
      return { decision: "deny" };
    };
    const { executor, events } = removing({ approver }, [fetching]);
    await executor.execute("fetching", {});
    expect(asked[0]?.resources).toEqual(["https://ada:[secret]@host.test\\u{202e}"]);
    expect(JSON.stringify([asked, events])).not.toMatch(/hunter2|\u202E/);
  });

  it("tells the question and the answer between start and end", async () => {
    const { executor, events, typesOf } = removing({ approver: yes });
    await executor.execute("remove", { path: "a" }, { callId: "c" });
    expect(typesOf("c")).toEqual([
      "tool_call_start",
      "tool_approval_request",
      "tool_approval_decision",
      "tool_call_end",
    ]);
    expect(events[1]?.data).toMatchObject({ arguments: { path: "a" }, rule: "unsafe_effects" });
    expect(events[2]?.data).toMatchObject({ decision: "allow" });
  });

  it("denies with the person's reason", async () => {
    const { executor, ran, events } = removing({ approver: async () => ({ decision: "deny", reason: "Not today." }) });
    expect(await executor.execute("remove", { path: "a" })).toMatchObject({
      status: "denied",
      code: "approval_denied",
      error: expect.stringContaining("Not today."),
      suggestion: expect.stringContaining("Do not repeat"),
    });
    expect(events[2]?.data).toMatchObject({ decision: "deny", reason: "Not today." });
    expect(ran).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
    [
      "throws null",
      () => {
        throw null;
      },
    ],
    ["answers nothing", () => undefined],
    ["answers true", () => true],
    ["answers yes", () => "yes"],
    ["answers another word", () => ({ decision: "allowed" })],
    ["gives a list as input", () => ({ decision: "allow", input: [] })],
    ["gives an edit another name", () => ({ decision: "allow", arguments: { path: "b" } })],
    ["bounds a yes by what nobody knows", () => ({ decision: "allow", until: 5 })],
    ["gives text as input", () => ({ decision: "allow", input: "{}" })],
    [
      "has a getter that throws",
      () => ({
        get decision(): never {
          throw new Error("boom");
        },
      }),
    ],
  ])("denies when the approver %s (SEC-APR-5)", async (_what, approver) => {
    const { executor, ran, typesOf } = removing({ approver: approver as Approver });
    expect(await executor.execute("remove", { path: "a" }, { callId: "c" })).toMatchObject({ code: "approval_denied" });
    expect(ran).toEqual([]);
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_approval_request", "tool_approval_decision", "error"]);
  });

  it("ends the wait of an approver that never answers when the call is aborted", async () => {
    let given: AbortSignal | undefined;
    const { executor, ran, typesOf } = removing({
      approver: (_request, { signal }) => {
        given = signal;
        return new Promise(() => undefined);
      },
    });
    const stop = new AbortController();
    const running = executor.execute("remove", { path: "a" }, { callId: "c", signal: stop.signal });
    await vi.waitFor(() => expect(given).toBeDefined());
    stop.abort();
    expect(await running).toMatchObject({ status: "cancelled", settled: true, call: { attempts: 0 } });
    expect(given?.aborted).toBe(true);
    expect(executor.running).toBe(0);
    expect(ran).toEqual([]);
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_approval_request", "error"]);
  });

  it("asks nobody when who hears of the question ends the call, and tells everyone in that order", async () => {
    const stop = new AbortController();
    let asked = 0;
    const approver: Approver = () => {
      asked += 1;
      return { decision: "allow" };
    };
    const { executor, activity, ran } = removing({ approver });
    activity.subscribe("tool_approval_request", () => stop.abort());
    const seen: string[] = [];
    activity.subscribe("*", ({ type }) => seen.push(type));
    expect(await executor.execute("remove", { path: "a" }, { signal: stop.signal })).toMatchObject({
      status: "cancelled",
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(["tool_call_start", "tool_approval_request", "error"]);
    expect(asked).toBe(0);
    expect(ran).toEqual([]);
  });

  it("runs nothing when the yes comes after the abort", async () => {
    const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>();
    const asked = vi.fn(() => promise);
    const { executor, ran, typesOf } = removing({ approver: asked });
    const stop = new AbortController();
    const running = executor.execute("remove", { path: "a" }, { callId: "c", signal: stop.signal });
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    stop.abort();
    await running;
    resolve({ decision: "allow" });
    await new Promise((done) => setTimeout(done, 5));
    expect(ran).toEqual([]);
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_approval_request", "error"]);
  });

  it.each(["approver", "answerer"])("refuses an %s that is no function, and takes null for nobody", async (member) => {
    expect(() => removing({ [member]: "ada" })).toThrow(expect.objectContaining({ code: "config_invalid" }));
    const { executor } = removing({ [member]: null });
    expect(await executor.execute("remove", { path: "a" })).toMatchObject({ code: "approval_required" });
  });

  it.each([{ mode: "always" }, { approver: yes }, { expiresMS: 5 }, { remember: "turn" }, 5, null])(
    "refuses terms that are none: %j",
    (approvalTerms) => {
      expect(() => removing({ approvalTerms: approvalTerms as never })).toThrow(
        expect.objectContaining({ code: "config_invalid" }),
      );
    },
  );

  it("asks an approver given for one call about that call alone", async () => {
    const inner = defineTool({
      name: "outer",
      description: "Removes by another tool.",
      input: z.strictObject({}),
      effects: { destructive: true },
      execute: (_input, { callTool }) => callTool("remove", { path: "a" }),
    });
    const { executor } = removing({}, [inner]);
    expect(await executor.execute("remove", { path: "a" }, { approver: yes })).toMatchObject({ success: true });
    expect(await executor.execute("outer", {}, { approver: yes })).toMatchObject({
      success: true,
      value: { code: "approval_required" },
    });
  });

  describe("with edited arguments (SEC-APR-3)", () => {
    const edit =
      (input: Record<string, unknown>): Approver =>
      () => ({ decision: "allow", input });

    it("runs the edit", async () => {
      const { executor, ran } = removing({ approver: edit({ path: "b" }) });
      expect(await executor.execute("remove", { path: "a" })).toMatchObject({ success: true });
      expect(ran).toEqual([{ path: "b" }]);
    });

    it("masks a secret that the person wrote where the failure repeats it", async () => {
      const login = defineTool({
        name: "login",
        description: "Logs in.",
        input: z.strictObject({ token: z.string() }),
        execute: ({ token }) => {
          throw new ToolError("not_found", `Nobody has ${token}.`);
        },
      });
      const { executor } = removing({ approver: edit({ token: "written-by-hand" }) }, [login]);
      const result = await executor.execute("login", { token: "given-by-the-model" });
      expect(result).toMatchObject({ code: "not_found", error: expect.stringContaining("Nobody has [secret].") });
      expect(JSON.stringify(result)).not.toContain("written-by-hand");
    });

    it("denies an edit that cannot be read or still holds a mask", async () => {
      const circle: Record<string, unknown> = {};
      circle["path"] = circle;
      for (const input of [circle, { path: "a", token: "[secret, 12 characters] and more" }]) {
        const { executor, ran } = removing({ approver: edit(input) });
        expect(await executor.execute("remove", { path: "a", token: "tok-12345678" })).toMatchObject({
          code: "approval_denied",
        });
        expect(ran).toEqual([]);
      }
    });

    it("keeps what the person left as it was shown", async () => {
      const { executor, ran } = removing({
        approver: ({ arguments: shown }) => ({ decision: "allow", input: { ...shown, path: "b" } }),
      });
      await executor.execute("remove", { path: "a\u200B", token: "hunter2hunter2" });
      expect(ran).toEqual([{ path: "b", token: "hunter2hunter2" }]);
      const same = removing({ approver: ({ arguments: shown }) => ({ decision: "allow", input: shown }) });
      await same.executor.execute("remove", { path: "a\u200B" });
      expect(same.ran).toEqual([{ path: "a\u200B" }]);
    });

    it.each<[string, Record<string, unknown>, object]>([
      ["to what is invalid", { path: 5 }, { code: "approval_denied" }],
      ["to what the tool denies", { path: "/etc/passwd" }, { code: "denied_by_tool" }],
      ["to what a rule denies", { path: "forbidden" }, { code: "denied_by_policy" }],
    ])("refuses an edit %s", async (_what, input, expected) => {
      const { executor, ran } = removing({
        approver: edit(input),
        rules: [{ match: { tool: "remove", input: { path: "forbidden" } }, decision: "deny" }],
      });
      expect(await executor.execute("remove", { path: "a" })).toMatchObject({ status: "denied", ...expected });
      expect(ran).toEqual([]);
    });
  });

  describe("of edited arguments, before the call waits for its turn (SEC-APR-3)", () => {
    it("locks what the edit touches, not what was asked about", async () => {
      const { promise: held, resolve: letGo } = Promise.withResolvers<string>();
      const holding = Promise.withResolvers<void>();
      const hold = defineTool({
        name: "hold",
        description: "Holds a file.",
        effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
        assess: () => ({ decision: "allow", reason: "It only holds.", resources: ["b"] }),
        execute: () => {
          holding.resolve();
          return held;
        },
      }) as Tool;
      const asked = Promise.withResolvers<void>();
      const { executor, ran } = removing(
        {
          limits: { queue: 0 },
          approver: () => {
            asked.resolve();
            return { decision: "allow", input: { path: "b" } };
          },
        },
        [hold],
      );
      const holder = executor.execute("hold", {});
      await holding.promise;
      expect(await executor.execute("remove", { path: "a" })).toMatchObject({ code: "too_busy" });
      await asked.promise;
      expect(ran).toEqual([]);
      letGo("done");
      expect(await holder).toMatchObject({ success: true });
    });

    it("keeps with the call what was said of the edit, and nothing of what was said before", async () => {
      const verdicts: unknown[] = [];
      const { executor, ran } = removing({
        approver: () => ({ decision: "allow", input: { path: "b" } }),
        extensions: [
          {
            name: "careful",
            stage: "authorize_arguments",
            beforeExecute: ({ arguments: given }) => ({
              decision: "ask",
              reason: "Careful.",
              rule: `of ${String(given?.["path"])}`,
            }),
          },
          {
            name: "records",
            stage: "audit_open",
            afterExecute: ({ verdict }) => void verdicts.push(verdict?.rule, verdict?.resources),
          },
        ],
      });
      expect(await executor.execute("remove", { path: "a" })).toMatchObject({ success: true });
      expect(ran).toEqual([{ path: "b" }]);
      expect(verdicts).toEqual(["of b", ["b"]]);
    });
  });

  describe("is bound to what was approved (SEC-APR-1)", () => {
    it("does not cover another definition that came meanwhile", async () => {
      const made: Removing = removing({
        approver: () => {
          const other = defineTool({
            name: "remove",
            description: "Removes everything.",
            input: z.strictObject({ path: z.string() }),
            execute: () => "gone",
          });
          made.registry.register(other, { override: true });
          return { decision: "allow" };
        },
      });
      expect(await made.executor.execute("remove", { path: "a" })).toMatchObject({
        code: "approval_denied",
        call: { attempts: 0 },
      });
      expect(made.ran).toEqual([]);
    });

    it("does not cover a tool that was taken away meanwhile", async () => {
      const made: Removing = removing({
        approver: () => {
          made.registry.unregister("remove");
          return { decision: "allow" };
        },
      });
      expect(await made.executor.execute("remove", { path: "a" })).toMatchObject({ code: "approval_denied" });
      expect(made.ran).toEqual([]);
    });

    it("does not cover another folder", async () => {
      const workspace = { cwd: "/a", roots: ["/a"] };
      const made = removing({
        workspace,
        approver: () => {
          workspace.cwd = "/b";
          return { decision: "allow" };
        },
      });
      expect(await made.executor.execute("remove", { path: "a" })).toMatchObject({ code: "approval_denied" });
      expect(made.ran).toEqual([]);
    });

    it("cannot be changed through the arguments the approver was shown", async () => {
      const { executor, ran } = removing({
        approver: ({ arguments: shown }) => {
          Object.assign(shown, { path: "/etc/passwd" });
          return { decision: "allow" };
        },
      });
      expect(await executor.execute("remove", { path: "a" })).toMatchObject({ success: true });
      expect(ran).toEqual([{ path: "a" }]);
    });
  });

  describe("stops the clock", () => {
    const slowYes: Approver = async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return { decision: "allow" };
    };

    it("of the call", async () => {
      const { executor } = removing({ approver: slowYes });
      const result = await executor.execute("remove", { path: "a" }, { timeoutMs: 200 });
      expect(result).toMatchObject({ success: true });
      expect(result.call.durationMs).toBeLessThan(200);
    });

    it("also for a question that is never answered", async () => {
      const { executor } = removing({ approver: () => new Promise(() => undefined) });
      const result = await executor.execute("remove", { path: "a" }, { signal: AbortSignal.timeout(300) });
      expect(result.call.durationMs).toBeLessThan(150);
    });

    it("of the call around it, which runs on afterwards", async () => {
      const outer = defineTool({
        name: "outer",
        description: "Removes by another tool, then hangs.",
        input: z.strictObject({ hang: z.boolean() }),
        effects: "pure",
        timeoutMs: 300,
        execute: async ({ hang }, { callTool, signal }) => {
          const inner = await callTool("remove", { path: "a" });
          if (!hang) return inner.success;
          return new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason as Error)),
          );
        },
      });
      const { executor } = removing({ approver: slowYes }, [outer]);
      expect(await executor.execute("outer", { hang: false })).toMatchObject({ value: true });
      expect(await executor.execute("outer", { hang: true })).toMatchObject({ status: "timed_out", code: "timeout" });
    });
  });

  it("says nothing of a ToolError the approver throws as if it were the tool's", async () => {
    const { executor } = removing({
      approver: () => {
        throw new ToolError("not_found", "No person.");
      },
    });
    expect(await executor.execute("remove", { path: "a" })).toMatchObject({ code: "approval_denied" });
  });
});
