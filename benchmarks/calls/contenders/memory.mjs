// Ours keeps nothing of calls that have ended: the heap before and after many.
import { defineTool, ToolRegistry } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor } from "@aiw/executor";
import { createAllExtensions, principal } from "../all-extensions.mjs";
import { CASES } from "../cases.mjs";
import { toValue } from "../measure.mjs";

const calls = Number(process.argv[3]);
const { name, description, schema, execute, args, expected } = CASES[process.argv[2]];
const registry = new ToolRegistry();
registry.register(defineTool({ name, description, input: schema, effects: "pure", execute }));
const extensions = process.argv[4] === "all" ? await createAllExtensions() : [];
await using executor = new UnifiedToolExecutor(registry, { extensions });
await using tools = new ToolManager(executor, undefined, { principal });
// Twice what the record in memory keeps.
await callOften(20_000);
const before = heapUsed();
const started = performance.now();
await callOften(calls);
const milliseconds = [(performance.now() - started) / calls];
process.stdout.write(`${JSON.stringify({ answer: expected, grownBytes: heapUsed() - before, milliseconds })}\n`);

async function callOften(times) {
  for (let index = 0; index < times; index += 1) {
    // The same call again would be a repetition within its turn.
    tools.clearCurrentTurn();
    if (toValue(await tools.executeTool(name, args)) !== expected) throw new Error("wrong");
  }
}

function heapUsed() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
