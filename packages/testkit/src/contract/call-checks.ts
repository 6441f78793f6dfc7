import { deepStrictEqual, fail, ok } from "node:assert/strict";
import { runTool, ToolError, validateCall, type JsonObject, type Tool, type ToolFailure } from "@aiw/core";
import { fakeContext } from "../fake-context.ts";
import { temporaryWorkspace } from "../workspace/temporary-workspace.ts";
import { assertPreview } from "./assert-preview.ts";
import { nameCheck, type ContractCheck } from "./contract-check.ts";
import type { ContractOptions } from "./contract-subject.ts";

/** What a tool answers, judged without letting it work. */
export function callChecks(tool: Tool, { options }: ContractOptions): ContractCheck[] {
  const { spec } = tool;
  const named = (name: string, run: () => void | Promise<void>): ContractCheck => nameCheck(tool, name, run);
  const isClosed = spec.inputSchema.additionalProperties ?? false;
  return [
    named("accepts its own examples", async () => {
      for (const { input } of spec.instructions?.examples ?? []) await admit(tool, input, options);
    }),
    named("refuses arguments that are no object, as a result", async () => {
      for (const input of [[], "text", 5, true]) await refuse(tool, input, options);
    }),
    ...(isClosed === false
      ? [
          named("refuses unknown parameters", async () => {
            await refuse(tool, { no_such_parameter_: 1 }, options);
          }),
        ]
      : []),
    named("gives a verdict on its own examples, where it assesses arguments", async () => {
      for (const { input } of spec.instructions?.examples ?? []) await assess(tool, input, options);
    }),
    ...(tool.preview === undefined
      ? []
      : [
          named("previews failures as lines", async () => {
            assertPreview(tool, await refuse(tool, [], options));
            const signal = AbortSignal.abort();
            const cancelled = await runTool(tool, spec.instructions?.examples?.[0]?.input ?? {}, { options, signal });
            assertPreview(tool, cancelled);
          }),
        ]),
  ];
}

async function admit(tool: Tool, input: JsonObject, options: unknown): Promise<void> {
  try {
    await validateCall(tool, input, options);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const example = `Example ${JSON.stringify(input)}: ${error.message}`;
    fail(
      error.code === "options_invalid"
        ? `${example}\nPass the options an operator would give as \`options\`.`
        : `${example}\nCorrect the example, or the schema.`,
    );
  }
}

async function refuse(tool: Tool, input: unknown, options: unknown): Promise<ToolFailure> {
  const result = await runTool(tool, input, { options });
  const call = `${tool.spec.name}(${JSON.stringify(input)})`;
  ok(!result.success, `${call} succeeded: close the schema (z.strictObject, additionalProperties: false).`);
  deepStrictEqual(
    [result.code, result.error_type, result.settled],
    ["invalid_input", "validation_error", true],
    `${call} was not refused as invalid input, but so: ${result.error}`,
  );
  ok(result.error.startsWith(`${tool.spec.name}(`), `The message does not open with the call: ${result.error}`);
  return result;
}

/** A verdict or a refusal; anything else would be taken as a denial. */
async function assess(tool: Tool, input: unknown, options: unknown): Promise<void> {
  if (tool.assess === undefined) return;
  const call = await validateCall(tool, input, options);
  await using workspace = await temporaryWorkspace();
  await using fake = fakeContext({ workspace, options: call.options });
  try {
    const { decision, reason } = await tool.assess(call.arguments, fake.context);
    ok(
      ["allow", "ask", "deny"].includes(decision),
      `The decision is ${JSON.stringify(decision)}; give "allow", "ask" or "deny".`,
    );
    ok(typeof reason === "string" && reason.trim() !== "", "The verdict has no reason: say why in a sentence.");
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
}
