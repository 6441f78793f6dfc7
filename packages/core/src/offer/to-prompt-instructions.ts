import type { JsonObject } from "../contract/json.ts";
import type { ToolExample, ToolSpec } from "../contract/tool-spec.ts";
import { toTypeWords } from "../schema/describe-schema.ts";
import { escapeHiddenText, findHiddenText } from "../schema/hidden-text.ts";
import { sampleInput } from "../schema/sample/sample-input.ts";
import { compileDefinition, isOmitted, type CompileOptions } from "./compile-definition.ts";
import { describeFields, describeParameters, type ParameterDescription } from "./describe-parameters.ts";
import { renameMembers } from "./rename-members.ts";

/** How a block is written. */
export interface PromptInstructionsOptions {
  /** Names tool and parameters as this format's definitions do. */
  readonly format?: CompileOptions["format"];
}

/** Writes the block that tells a model how and when to use a tool; `instructions.text` replaces it whole. */
export function toPromptInstructions(spec: ToolSpec, options: PromptInstructionsOptions = {}): string {
  if (spec.instructions?.text !== undefined) return show(spec.instructions.text);
  const wire = toWireForm(spec, options);
  return [
    `**Tool: \`${wire.name}\`**`,
    bullet("Description", oneLine(spec.description)),
    bullet("Purpose", purposeOf(spec)),
    ...parameterLines(wire),
    ...expectedOutputLines(spec),
    bullet("Example (for AI to understand usage)", ""),
    ...exampleLines(wire),
  ].join("\n");
}

/** Joins the blocks of several tools, sorted by name, with one blank line between them. */
export function toAllPromptInstructions(specs: Iterable<ToolSpec>, options: PromptInstructionsOptions = {}): string {
  const sorted = [...specs].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((spec) => toPromptInstructions(spec, options)).join("\n\n");
}

/** A tool under the names a format gives it. */
type WireForm = Pick<ToolSpec, "name" | "inputSchema" | "instructions">;

/** The parameters' own schema is described, since it says more than what a format can. */
function toWireForm(spec: ToolSpec, { format }: PromptInstructionsOptions): WireForm {
  if (format === undefined) return spec;
  const compiled = compileDefinition(spec, { format });
  if (isOmitted(compiled) || format !== "openrouter") return { ...spec, name: compiled.name };
  const { schema, toWire } = renameMembers(spec.inputSchema);
  const examples = spec.instructions?.examples?.map((example) => ({ ...example, input: toWire(example.input) }));
  return {
    name: compiled.name,
    inputSchema: schema,
    instructions: { ...spec.instructions, ...(examples && { examples }) },
  };
}

function bullet(title: string, text: string): string {
  return text === "" ? `*   **${title}:**` : `*   **${title}:** ${text}`;
}

function purposeOf({ instructions, metadata }: ToolSpec): string {
  const { readOnly, destructive, openWorld } = metadata.effects;
  return [
    instructions?.purpose === undefined
      ? "Use it when the task calls for what the description says."
      : oneLine(instructions.purpose),
    ...(readOnly ? ["Reads only."] : []),
    ...(destructive ? ["May overwrite or delete."] : []),
    ...(openWorld ? ["Reaches systems outside this project."] : []),
    ...(metadata.requiresApproval === true ? ["A person may be asked first."] : []),
  ].join(" ");
}

function parameterLines(wire: WireForm): string[] {
  const parameters = describeParameters(wire);
  return parameters.length === 0
    ? [bullet("Parameters", "none")]
    : [bullet("Parameters", ""), ...parameters.map(toParameterLine)];
}

function toParameterLine(parameter: ParameterDescription): string {
  const facts = [parameter.type, parameter.required ? "required" : "optional"];
  if (parameter.default !== undefined) facts.push(`default: \`${JSON.stringify(parameter.default)}\``);
  return toFieldLine(parameter, facts);
}

function toFieldLine({ path, description, constraints }: ParameterDescription, facts: readonly string[]): string {
  const said = [
    ...(description === undefined ? [] : [description]),
    ...(constraints.length === 0 ? [] : [`[${constraints.join("; ")}]`]),
  ];
  const head = `    *   \`${path}\` (${facts.join(", ")})`;
  return oneLineAfter(head, said.join(" "));
}

function oneLineAfter(head: string, text: string): string {
  return text === "" ? show(head) : `${show(head)}: ${oneLine(text)}`;
}

function expectedOutputLines({ instructions, outputSchema }: ToolSpec): string[] {
  if (instructions?.expectedOutput !== undefined) {
    const [first = "", ...more] = show(instructions.expectedOutput.trim()).split(/\r?\n/);
    return [bullet("Expected Output", first), ...more.map((line) => `    ${line}`.trimEnd())];
  }
  if (outputSchema === undefined) return [];
  const fields = describeFields(outputSchema);
  if (fields.length === 0)
    return [
      bullet(
        "Expected Output",
        oneLine(`${outputSchema.description ?? `A value of type ${toTypeWords(outputSchema, outputSchema)}`}`),
      ),
    ];
  const kind = outputSchema.type === "array" ? "A JSON array of objects containing:" : "A JSON object containing:";
  return [bullet("Expected Output", kind), ...fields.map((field) => toFieldLine(field, [field.type]))];
}

function exampleLines(wire: WireForm): string[] {
  const examples = wire.instructions?.examples ?? [];
  if (examples.length === 0) return ["    For example:", toCallLine(wire.name, sampleInput(wire))];
  return examples.flatMap((example) => [...situationLines(example), toCallLine(wire.name, example.input)]);
}

function situationLines({ need, when }: ToolExample): string[] {
  if (need === undefined) return [`    If you need to ${oneLine(when)}:`];
  return [`    If you need to ${oneLine(need)}, use this tool.`, `    For example, to ${oneLine(when)}:`];
}

function toCallLine(name: string, input: JsonObject): string {
  const parts = Object.entries(input).map(([parameter, value]) => `\`${parameter}=${JSON.stringify(value)}\``);
  return show(`    Call: \`${name}\`${parts.length === 0 ? "" : ` with ${parts.join(", ")}`}`);
}

function oneLine(text: string): string {
  return show(text.replaceAll(/\s*[\r\n]+\s*/g, " ").trim());
}

/** Hidden characters are shown escaped; emoji, whose parts count as hidden, are text (SEC-META-1). */
function show(text: string): string {
  return findHiddenText(text).length === 0 ? text : escapeHiddenText(text);
}
