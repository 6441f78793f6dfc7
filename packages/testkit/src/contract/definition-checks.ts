import { deepStrictEqual, ok } from "node:assert/strict";
import {
  compileDefinition,
  CONTRACT_VERSION,
  DEFINITION_FORMATS,
  definitionHash,
  findUndescribed,
  isOmitted,
  toPromptInstructions,
  validateSpec,
  type Tool,
  type ToolSpec,
} from "@aiw/core";
import { nameCheck, type ContractCheck } from "./contract-check.ts";

/** What a tool says of itself, judged without calling it. */
export function definitionChecks(tool: Tool): ContractCheck[] {
  const named = (name: string, run: () => void | Promise<void>): ContractCheck => nameCheck(tool, name, run);
  return [
    named("is a tool of this contract", () => {
      deepStrictEqual(tool.contractVersion, CONTRACT_VERSION, "Install the @aiw/core that the tests use.");
    }),
    named("has a legal, frozen spec", () => {
      const issues = validateSpec(tool.spec).map(({ pointer, message }) => `${pointer || "The spec"} ${message}.`);
      ok(issues.length === 0, issues.join(" "));
      ok(
        Object.isFrozen(tool.spec) && Object.isFrozen(tool.spec.inputSchema),
        "The spec can still change: make the tool with defineTool, or freeze it deeply.",
      );
    }),
    named("has a spec that survives JSON and is always the same", () => hasStableSpec(tool)),
    named("has effects that agree with each other", () => effectsAgree(tool)),
    named("has an assess function exactly when its spec says so", () => {
      deepStrictEqual(
        tool.assess !== undefined,
        tool.spec.metadata.assess === true,
        "metadata.assess and the assess function belong together.",
      );
    }),
    named("is called in snake_case", () => {
      ok(/^[a-z_][a-z0-9_]*$/.test(tool.spec.name), `${tool.spec.name} is not snake_case.`);
    }),
    named("describes every parameter", () => {
      const mute = findUndescribed(tool.spec.inputSchema);
      ok(mute.length === 0, `Describe for the model: ${mute.join(", ")}.`);
    }),
    ...DEFINITION_FORMATS.map((format) =>
      named(`can be offered as ${format}`, () => {
        const compiled = compileDefinition(tool.spec, { format });
        ok(!isOmitted(compiled), isOmitted(compiled) ? `Left out: ${compiled.reason}. ${compiled.fix}` : "");
      }),
    ),
    named("is named in the first line of its prompt instructions", () => {
      ok(
        toPromptInstructions(tool.spec).split("\n", 1)[0]?.includes(`\`${tool.spec.name}\``),
        `The first line of instructions.text must have the name in backticks: \`${tool.spec.name}\`.`,
      );
    }),
  ];
}

function effectsAgree({ spec }: Tool): void {
  const { effects, permissions } = spec.metadata;
  ok(!(effects.readOnly && effects.destructive), "A tool that changes nothing cannot be destructive.");
  ok(
    !effects.readOnly || effects.idempotent,
    "A tool that changes nothing is idempotent: calling it again changes nothing further.",
  );
  ok(
    !(effects.readOnly && permissions.includes("fs:write")),
    'A tool that changes nothing needs no permission "fs:write".',
  );
}

/** What is pinned is the hash of the spec as JSON; a spec that is other as JSON, or at another moment, could never be pinned. */
async function hasStableSpec(tool: Tool): Promise<void> {
  const { spec } = tool;
  deepStrictEqual(
    JSON.parse(JSON.stringify(spec)),
    spec,
    "The spec is other after a trip through JSON: leave out members that are undefined, functions, dates and class instances.",
  );
  deepStrictEqual(
    await definitionHash(JSON.parse(JSON.stringify(tool.spec)) as ToolSpec),
    await definitionHash(spec),
    "The spec is other at each reading: make it once.",
  );
}
