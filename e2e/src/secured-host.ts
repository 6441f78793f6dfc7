/** What an operator writes; the first five narrow and hold at once, the others wait for trust. */
export const SECURED = {
  limits: { timeoutMs: 20_000, concurrency: 4 },
  isolation: { packages: { "fx-wild": "isolated" } },
  extensions: {
    approval: { remember: [] },
    auth: {
      anonymousRoles: ["reader"],
      roles: {
        reader: {
          rules: [
            { match: { effects: { readOnly: true } }, decision: "allow" },
            { match: { tools: ["bash"] }, decision: "allow" },
          ],
        },
        editor: { extends: ["reader"], rules: [{ match: { tools: ["write"] }, decision: "allow" }] },
      },
    },
    rateLimit: { limits: [{ by: ["tool"], tools: ["list"], calls: 1, seconds: 3600 }] },
    audit: { file: ".aiw/audit.jsonl" },
    logging: { level: "info", file: ".aiw/calls.log" },
    telemetry: { prometheus: { port: 0 } },
  },
} as const;

/** The least host in code: prints whether it could be opened. */
export const OPEN = `
import { openTools } from "@aiw/executor/node";

const opened = await openTools().catch((error) => error);
if (opened instanceof Error) console.log(JSON.stringify({ code: opened.code, fix: opened.fix }));
else {
  await opened[Symbol.asyncDispose]();
  console.log(JSON.stringify({ code: "opened" }));
}
`;

/** A host in code: another process answers its questions; prints what became of each call, and what it was asked and measured. */
export const HOST = `
import { fork } from "node:child_process";
import { connectApprovals, createApprovalQueue } from "@aiw/extensions/approval";
import { openTools } from "@aiw/executor/node";

const queue = createApprovalQueue();
const child = fork("./answers.mjs");
const line = connectApprovals(queue, (notice) => child.send(notice));
child.on("message", (message) => line.receive(message));
const codeOf = (result) => (result.success ? "ok" : result.code);
const results = {};
let metrics;
{
  await using tools = await openTools({ approver: queue.approver, principal: { id: "ada", roles: ["editor"] } });
  results.list = codeOf(await tools.executeTool("list", { path: "." }));
  results.listAgain = codeOf(await tools.executeTool("list", { path: "node_modules" }));
  results.write = codeOf(await tools.executeTool("write", { path: "from-host.txt", content: "hello" }));
  results.bash = codeOf(await tools.executeTool("bash", { command: "touch no" }));
  results.execute = codeOf(await tools.executeTool("execute_command", { command: "touch no" }));
  const [{ url }] = tools.executor.extensions.list().flatMap(({ extension }) => extension.prometheus ?? []);
  metrics = await (await fetch(url)).text();
}
line.close();
child.disconnect();
console.log(JSON.stringify({ results, metrics }));
`;

/** Says yes to writing and no to everything else. */
export const ANSWERS = `
process.on("message", (message) => {
  if (message.type !== "approval_pending") return;
  const { id, request } = message.approval;
  const answer = request.toolName === "write" ? { decision: "allow" } : { decision: "deny", reason: "Not on my machine." };
  process.send({ type: "approval_answer", id, answer: { ...answer, answeredBy: "bob" } });
});
`;
