import path from "node:path";
import {
  createEntry,
  ToolRegistry,
  type CompiledFunction,
  type ToolCode,
  type ToolEntry,
  type ToolSpec,
} from "@aiw/core";
import { loadToolCode } from "@aiw/core/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { UnifiedToolExecutor } from "../unified-tool-executor.ts";
import { isolatePackages } from "./isolate-packages.ts";
import { DEFAULT_GRANT } from "./__fixtures__/open-behaving.ts";

const DIRECTORY = path.join(import.meta.dirname, "__fixtures__", "compiled-package");
const PACKAGE = "@acme/compiled";
const TIME = { type: "string", format: "date-time" };

/** A tool as a manifest lists it whose code tells no definition. */
function entryOf(
  name: string,
  exported: string,
  implementation: Partial<CompiledFunction>,
  schemas: Partial<ToolSpec> = {},
): ToolEntry {
  const spec: ToolSpec = {
    name,
    description: `Runs ${name}.`,
    type: "function",
    inputSchema: { type: "object", properties: {} },
    metadata: {
      tags: [],
      permissions: [],
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    implementation: { compiled: true, ...implementation },
    ...schemas,
  };
  const code: ToolCode = {
    packageKey: PACKAGE,
    directory: DIRECTORY,
    realDirectory: DIRECTORY,
    module: "tools.ts",
    export: exported,
  };
  return createEntry({
    id: `${PACKAGE}/${name}`,
    name,
    origin: { source: "package", package: PACKAGE },
    spec,
    resolveCode: async () => code,
    load: () => loadToolCode(code, spec),
  });
}

const ENTRIES = [
  entryOf(
    "plan",
    "plan",
    { parameters: ["at", "others"], rest: true, dates: ["/at"], outputDates: ["/at"] },
    {
      inputSchema: {
        type: "object",
        properties: { at: TIME, others: { type: "array", items: { type: "string" } } },
        required: ["at"],
      },
      outputSchema: { type: "object", properties: { at: TIME, isDate: { type: "boolean" } }, required: ["at"] },
    },
  ),
  entryOf(
    "count",
    "Counter",
    { method: "count" },
    { inputSchema: { type: "object", properties: { by: { type: "integer", default: 2 } } } },
  ),
  entryOf("stream", "Counter", { method: "stream" }),
  entryOf("named", "Counter", { method: "named", static: true }),
  entryOf("broken", "Broken", { method: "run" }),
];

const CALLS: readonly (readonly [name: string, input: object])[] = [
  ["plan", { at: "2030-01-31T09:30:00+02:00", others: ["a", "b"] }],
  ["plan", { at: "2030-06-30T23:59:60Z" }],
  ["plan", { at: 5 }],
  ["count", {}],
  ["count", { by: 5 }],
  ["stream", {}],
  ["named", {}],
  ["broken", {}],
];

async function open(isIsolated: boolean): Promise<UnifiedToolExecutor> {
  const registry = new ToolRegistry({ sources: [{ name: "fixture", list: async () => ENTRIES }] });
  await registry.readSources();
  const config = { packages: { [PACKAGE]: "isolated" as const }, grants: { [PACKAGE]: DEFAULT_GRANT } };
  const isolation = isolatePackages({ config: () => config, projectDir: DIRECTORY });
  const executor = new UnifiedToolExecutor(registry, isIsolated ? { isolation } : {});
  onTestFinished(() => executor.close());
  return executor;
}

describe("isolatePackages with compiled tools", () => {
  it("gives the results of the same calls in process", async () => {
    const [here, elsewhere] = [await open(false), await open(true)];
    const values: unknown[] = [];
    for (const [name, input] of CALLS) {
      const { call: _here, ...expected } = await here.execute(name, input);
      const { call: _there, ...actual } = await elsewhere.execute(name, input);
      expect(actual, `${name} ${JSON.stringify(input)}`).toEqual(expected);
      values.push(actual.success ? actual.value : actual.code);
    }
    const plan = { at: "2030-01-31T07:30:00.000Z", isDate: true, others: ["a", "b"] };
    expect(values).toEqual([plan, "invalid_input", "invalid_input", 2, 7, "string", "Counter", "load_failed"]);
  });
});
