import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { defineTool, ToolRegistry, type Principal } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor, type UnifiedToolExecutorOptions } from "@aiw/executor";
import { openTools } from "@aiw/executor/node";
import { createApprovalQueue, type ApprovalQueue } from "@aiw/extensions/approval";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRepo, ROOT } from "../repo/repo.ts";
import { importSnippet } from "./snippet-modules.ts";
import { readSnippets } from "./snippets.ts";

const PAGE = "docs/guides/secure-a-host.md";
const execute = promisify(execFile);
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

function openProject(): string {
  const projectDir = realpathSync(mkdtempSync(path.join(tmpdir(), "aiw-guide-")));
  onTestFinished(() => rmSync(projectDir, { recursive: true, force: true }));
  writeFileSync(path.join(projectDir, "package.json"), JSON.stringify({ name: "guide", dependencies: {} }));
  return projectDir;
}

/** A project with the shell tool, as `npm install` would leave it, and with the modules of the page. */
function openShellProject(names: readonly string[]): string {
  const projectDir = openProject();
  const dependencies = { "@aiw/executor": "*", "@aiw/plugin-shell": "*" };
  writeFileSync(path.join(projectDir, "package.json"), JSON.stringify({ name: "guide", type: "module", dependencies }));
  mkdirSync(path.join(projectDir, "node_modules/@aiw"), { recursive: true });
  for (const name of Object.keys(dependencies))
    symlinkSync(
      realpathSync(path.join(ROOT, "tooling/repo-checks/node_modules", name)),
      path.join(projectDir, "node_modules", name),
    );
  const snippets = readSnippets(PAGE, openRepo().read(PAGE) ?? "");
  for (const name of names)
    writeFileSync(path.join(projectDir, name), snippets.find(({ text }) => text.startsWith(`// ${name}`))?.text ?? "");
  return projectDir;
}

async function waitsForTrust(config: string): Promise<boolean> {
  const projectDir = openProject();
  writeFileSync(path.join(projectDir, "aiw.config.json"), config);
  await using tools = await openTools({ projectDir });
  return tools.registry.report.waiting.length > 0;
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
    for (const none of ["no JSON", "null", ""]) expect((await post(none)).status).toBe(400);
    for (const none of ["5", "[]", '{"id":null,"answer":null}'])
      expect(await (await post(none)).json()).toMatchObject({ accepted: false });
    const edit = { id: question?.id, answer: { decision: "allow", arguments: {} } };
    expect(await (await post(JSON.stringify(edit))).json()).toMatchObject({ accepted: false, why: "invalid" });
    const answer = { id: question?.id, answer: { decision: "allow" } };
    expect(await (await post(JSON.stringify(answer))).json()).toMatchObject({ accepted: true });
    expect(await result).toMatchObject({ success: true, value: "dropped" });
  });

  it("shows how a call is answered later, once, by another process", async () => {
    const projectDir = openShellProject(["answer-later.ts", "ask.ts", "go-on.ts"]);
    for (const folder of ["build", ".aiw/waiting"]) mkdirSync(path.join(projectDir, folder), { recursive: true });
    const env = { ...process.env, SEAL_KEY: "5e".repeat(32) };
    const run = async (...args: string[]): Promise<unknown> => {
      const { stdout } = await execute(process.execPath, ["--conditions=aiw-source", ...args], {
        cwd: projectDir,
        env,
      });
      return JSON.parse(stdout);
    };
    const { waits, asks } = (await run("ask.ts")) as { waits: string; asks: unknown[] };
    expect(asks).toMatchObject([{ key: "approval", approval: { arguments: { command: "rm -r build" } } }]);
    expect(existsSync(path.join(projectDir, "build"))).toBe(true);
    expect(await run("go-on.ts", waits)).toMatchObject({ success: true, call: { callId: waits, sessionId: "ada-1" } });
    expect(existsSync(path.join(projectDir, "build"))).toBe(false);
    expect(await run("go-on.ts", waits)).toMatchObject({ code: "suspension_used" });
  }, 60_000);

  it("says of every step whether its configuration waits for trust", async () => {
    const sections = (openRepo().read(PAGE) ?? "").split(/^## /mu).slice(1);
    for (const section of sections) {
      const [title = ""] = section.split("\n");
      let waits = false;
      for (const { groups } of section.matchAll(/^```json\n(?<json>.*?)^```/gmsu))
        waits ||= await waitsForTrust(groups?.["json"] ?? "");
      expect([title, section.includes("**Trust**") || section.includes("**trust**")]).toEqual([title, waits]);
    }
  }, 60_000);

  it("shows a host that opens nothing while something waits for trust", async () => {
    const { openHost } = (await importFromGuide("open-host.ts")) as {
      openHost(projectDir: string, principal: Principal): Promise<ToolManager>;
    };
    const projectDir = openProject();
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
