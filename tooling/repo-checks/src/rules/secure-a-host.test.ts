import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineTool, ToolRegistry, type Principal } from "@aiw/core";
import {
  ToolManager,
  UnifiedToolExecutor,
  type SuspensionAnswers,
  type UnifiedToolExecutorOptions,
} from "@aiw/executor";
import { createApprovalQueue, type ApprovalQueue } from "@aiw/extensions/approval";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRepo, ROOT } from "../repo/repo.ts";
import { importSnippet } from "./snippet-modules.ts";

const PAGE = "docs/guides/secure-a-host.md";
const ADA: Principal = { id: "ada" };

function importFromGuide(name: string): Promise<unknown> {
  const folder = path.join(ROOT, "tooling/repo-checks/.cache/secure-a-host", name);
  return importSnippet(openRepo(), { page: PAGE, name, folder });
}

function openExecutor(options: UnifiedToolExecutorOptions = {}): UnifiedToolExecutor {
  const registry = new ToolRegistry();
  registry.register(defineTool({ name: "drop", description: "Drops.", effects: "write", execute: () => "dropped" }));
  const executor = new UnifiedToolExecutor(registry, options);
  onTestFinished(() => executor.close());
  return executor;
}

describe("docs/guides/secure-a-host.md", () => {
  it("shows a page that lists and answers questions for who has the token", async () => {
    const { createApprovalsPage } = (await importFromGuide("approvals-page.ts")) as {
      createApprovalsPage(queue: ApprovalQueue, token: string): Server;
    };
    const queue = createApprovalQueue();
    const page = createApprovalsPage(queue, "secret").listen(0, "127.0.0.1");
    onTestFinished(() => void page.close());
    await once(page, "listening");
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;
    const headers = { authorization: "Bearer secret" };
    const asked = Promise.withResolvers<void>();
    queue.subscribe(() => asked.resolve());
    const result = openExecutor({ approver: queue.approver }).execute("drop", {});
    await asked.promise;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    const [question] = (await (await fetch(url, { headers })).json()) as { id: string; request: object }[];
    expect(question?.request).toMatchObject({ toolName: "drop" });
    const post = async (body: string): Promise<Response> => fetch(url, { method: "POST", headers, body });
    expect((await post("no JSON")).status).toBe(400);
    const answer = { id: question?.id, answer: { decision: "allow" } };
    expect(await (await post(JSON.stringify(answer))).json()).toMatchObject({ accepted: true });
    expect(await result).toMatchObject({ success: true, value: "dropped" });
  });

  it("shows how a call is answered later", async () => {
    const later = (await importFromGuide("answer-later.ts")) as {
      call(tools: ToolManager, name: string, input: unknown): Promise<{ waits: string; asks: string[] }>;
      answer(tools: ToolManager, callId: string, answers: SuspensionAnswers): Promise<unknown>;
    };
    const tools = new ToolManager(openExecutor());
    const { waits, asks } = await later.call(tools, "drop", {});
    expect(asks).toHaveLength(1);
    const answers = { approval: { decision: "allow" } } as const;
    expect(await later.answer(tools, waits, answers)).toMatchObject({ success: true, value: "dropped" });
    expect(await later.answer(tools, waits, answers)).toBeUndefined();
  });

  it("shows a host that opens nothing while something waits for trust", async () => {
    const { openHost } = (await importFromGuide("open-host.ts")) as {
      openHost(projectDir: string, principal: Principal): Promise<ToolManager>;
    };
    const projectDir = mkdtempSync(path.join(tmpdir(), "aiw-guide-"));
    onTestFinished(() => rmSync(projectDir, { recursive: true, force: true }));
    writeFileSync(path.join(projectDir, "package.json"), JSON.stringify({ name: "guide", dependencies: {} }));
    const configFile = path.join(projectDir, "aiw.config.json");
    writeFileSync(configFile, JSON.stringify({ policy: { approval: "always" } }));
    await using tools = await openHost(projectDir, ADA);
    expect(tools.executor.extensions.list().map(({ extension }) => extension.name)).toEqual(["extensions.audit"]);
    writeFileSync(configFile, JSON.stringify({ policy: { approval: "never" } }));
    await expect(openHost(projectDir, ADA)).rejects.toThrow("Not trusted yet: /policy/approval");
  });

  it("shows conversations that are their owner's alone", async () => {
    const { Conversations } = (await importFromGuide("conversations.ts")) as {
      Conversations: new (host: ToolManager) => {
        of(sessionId: string, principal: Principal): ToolManager;
        end(sessionId: string): Promise<void>;
      };
    };
    const conversations = new Conversations(new ToolManager(openExecutor({ approver: () => ({ decision: "allow" }) })));
    const first = conversations.of("one", ADA);
    expect(conversations.of("one", ADA)).toBe(first);
    expect(() => conversations.of("one", { id: "bob" })).toThrow("somebody else's");
    expect(await first.executeTool("drop", {})).toMatchObject({ success: true, call: { sessionId: "one" } });
    await conversations.end("one");
    expect(await first.executeTool("drop", {})).toMatchObject({ status: "cancelled" });
    expect(await conversations.of("two", ADA).executeTool("drop", {})).toMatchObject({ success: true });
  });
});
