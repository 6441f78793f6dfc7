import { deepStrictEqual, ok } from "node:assert/strict";
import {
  compileDefinition,
  CONTRACT_VERSION,
  isTool,
  isToolPackage,
  runTool,
  ToolError,
  toPromptInstructions,
  validateCall,
  validateSpec,
  type JsonSchema,
  type Tool,
  type ToolPackage,
} from "@aiw/core";
import type { ContractCheck } from "./contract-check.ts";
import { fakeContext } from "../fake-context.ts";
import { packageChecks } from "./package-json-checks.ts";
import { temporaryWorkspace } from "../workspace/temporary-workspace.ts";

/** What the contract is run against. */
export interface ContractSubject {
  /** The default export of the package, or its tools. */
  readonly tools: ToolPackage | readonly Tool[];
  /** Options an operator would give; the tools' own schema checks them. */
  readonly options?: unknown;
  /** The package's folder, so that package.json is checked too; `import.meta.dirname + "/.."`. */
  readonly packageDir?: string;
}

/** Formats every tool must be expressible in. */
const FORMATS = ["openai", "openrouter", "mcp"] as const;

/**
 * Gives the contract as a list of checks, for any test runner:
 * `for (const check of contractChecks({ tools })) it(check.name, check.run)`.
 */
export function contractChecks({ tools, options, packageDir }: ContractSubject): ContractCheck[] {
  const list = isToolPackage(tools) ? tools.tools : tools;
  return [
    { name: "offers at least one tool", run: async () => ok(list.length > 0, "The package has no tool.") },
    ...list.flatMap((tool) => toolChecks(tool, options)),
    ...(packageDir === undefined ? [] : packageChecks(packageDir)),
  ];
}

function toolChecks(tool: Tool, options: unknown): ContractCheck[] {
  const named = (name: string, run: () => void | Promise<void>): ContractCheck => ({
    name: `${tool.spec.name} ${name}`,
    run: async () => run(),
  });
  return [
    named("is a tool of this contract", () => {
      ok(isTool(tool), "The tool has no brand: make it with defineTool, BaseTool or adaptTool.");
      deepStrictEqual(tool.contractVersion, CONTRACT_VERSION);
    }),
    named("has a legal, frozen spec", () => {
      deepStrictEqual(validateSpec(tool.spec), []);
      ok(Object.isFrozen(tool.spec) && Object.isFrozen(tool.spec.inputSchema), "The spec can still change.");
    }),
    named("has effects that agree with each other", () => {
      const { readOnly, destructive } = tool.spec.metadata.effects;
      ok(!(readOnly && destructive), "A tool that changes nothing cannot be destructive.");
    }),
    named("has an assess function exactly when its spec says so", () => {
      deepStrictEqual(tool.assess !== undefined, tool.spec.metadata.assess === true);
    }),
    named("is called in snake_case and describes every parameter", () => {
      ok(/^[a-z_][a-z0-9_]*$/.test(tool.spec.name), `${tool.spec.name} is not snake_case.`);
      deepStrictEqual(undescribed(tool.spec.inputSchema, ""), []);
    }),
    named("accepts its own examples", async () => {
      for (const { input } of tool.spec.instructions?.examples ?? []) await validateCall(tool, input, options);
    }),
    ...FORMATS.map((format) =>
      named(`can be offered as ${format}`, () => {
        const compiled = compileDefinition(tool.spec, { format });
        ok("definition" in compiled, `Left out: ${JSON.stringify(compiled)}`);
      }),
    ),
    named("is named in the first line of its prompt instructions", () => {
      ok(toPromptInstructions(tool.spec).split("\n", 1)[0]?.includes(`\`${tool.spec.name}\``));
    }),
    named("refuses arguments that are no object, as a result", async () => {
      for (const input of [[], "text", 5, true]) await refuses(tool, input, options);
    }),
    ...(tool.spec.inputSchema.additionalProperties === undefined || tool.spec.inputSchema.additionalProperties === false
      ? [named("refuses unknown parameters", () => refuses(tool, { no_such_parameter_: 1 }, options))]
      : []),
    named("gives a verdict on its own examples, where it assesses arguments", async () => {
      for (const { input } of tool.spec.instructions?.examples ?? []) await assesses(tool, input, options);
    }),
  ];
}

async function refuses(tool: Tool, input: unknown, options: unknown): Promise<void> {
  const result = await runTool(tool, input, { options });
  ok(!result.success, "The call succeeded.");
  deepStrictEqual([result.code, result.error_type, result.settled], ["invalid_input", "validation_error", true]);
  ok(result.error.startsWith(`${tool.spec.name}(`), `The message does not open with the call: ${result.error}`);
}

/** A verdict or a refusal; anything else would be taken as a denial. */
async function assesses(tool: Tool, input: unknown, options: unknown): Promise<void> {
  if (tool.assess === undefined) return;
  const call = await validateCall(tool, input, options);
  await using workspace = await temporaryWorkspace();
  await using fake = fakeContext({ workspace, options: call.options });
  try {
    const { decision, reason } = await tool.assess(call.arguments, fake.context);
    ok(["allow", "ask", "deny"].includes(decision), `The decision is ${JSON.stringify(decision)}.`);
    ok(reason !== "", "The verdict has no reason.");
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
}

function undescribed(schema: JsonSchema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (typeof property !== "object") return [at];
    const own = property.description === undefined ? [at] : [];
    const { items } = property;
    return [...own, ...(typeof items === "object" ? undescribed(items, `${at}[]`) : undescribed(property, at))];
  });
}
