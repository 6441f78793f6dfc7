import { defineTool, ToolRegistry, type Tool } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor } from "@aiw/executor";
import { approval, createApprovalQueue } from "../../approval.ts";
import { audit } from "../../audit.ts";
import { rateLimit } from "../../rate-limit.ts";
import { telemetry } from "../../telemetry.ts";

// A host that closes in the middle of everything, and then must end by itself: nothing of the engine keeps it alive.
const [folder = "."] = process.argv.slice(2);
const make = (name: string, execute: Tool["execute"], destructive = false): Tool =>
  defineTool({
    name,
    description: "Works.",
    effects: { readOnly: !destructive, destructive, idempotent: true, openWorld: false },
    execute,
  }) as Tool;
const registry = new ToolRegistry();
for (const tool of [
  make("value", () => 1),
  make("hang", () => new Promise(() => undefined)),
  make("obey", (_input, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject))),
  make("ask", () => 1, true),
  make("nest", (_input, { callTool }) => callTool("hang", {})),
])
  registry.register(tool);
const executor = new UnifiedToolExecutor(registry, {
  limits: { graceMs: 200, concurrency: 3, queue: 100, queueMs: 3_600_000, unsettledMs: 3_600_000 },
  extensions: [
    audit({ file: `${folder}/audit.jsonl` }),
    rateLimit({ perHour: 1000 }),
    approval({ approver: createApprovalQueue().approver, expiresMs: 3_600_000 }),
    await telemetry({ prometheus: { port: 0 } }),
  ],
});
const tools = new ToolManager(executor);
const calls = ["value", "hang", "obey", "ask", "nest", "value", "hang", "value"].flatMap((name) => [
  tools.executeTool(name, {}, { timeoutMs: 3_600_000 }),
  executor.execute(name, {}),
]);
await calls[0];
await new Promise((resolve) => setTimeout(resolve, 50));
await tools.close();
await executor.close();
const results = await Promise.all(calls);
process.stdout.write(
  JSON.stringify({ running: executor.running, results: results.length, left: process.getActiveResourcesInfo() }),
);
