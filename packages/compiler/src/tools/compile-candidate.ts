import {
  AiwError,
  defineTool,
  escapeHiddenText,
  MAX_DESCRIPTION_LENGTH,
  validateSpec,
  type CompiledFunction,
  type CompiledTool,
  type JsonSchema,
  type ToolInstructions,
  type ToolSpec,
} from "@aiw/core";
import { reportHiddenText } from "../docs/hidden-comment.ts";
import { reportMisspelt } from "../docs/misspelt-tags.ts";
import type { Report } from "../docs/read-constraints.ts";
import { findTag } from "../docs/read-doc.ts";
import type { Candidate } from "./candidate.ts";
import type { Compilation } from "./compilation.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import { readExamples } from "./read-examples.ts";
import { readFacts, type TaggedFacts } from "./read-facts.ts";
import { readInput, type ToolInput, type ToolReading } from "./read-input.ts";
import { readOutput, type ToolOutput } from "./read-output.ts";
import { toToolName } from "./to-tool-name.ts";

/** A tool and where it is written. */
export interface CompiledCandidate {
  readonly tool: CompiledTool;
  readonly node: Candidate["node"];
  readonly place?: Candidate["place"];
}

/** Makes the spec of a function; undefined when something keeps it from being a tool, which was said. */
export function compileCandidate(
  candidate: Candidate,
  compilation: Compilation,
  log: DiagnosticLog,
): CompiledCandidate | undefined {
  const { name, fault } = toToolName(candidate);
  const { report, hasErrors } = log.openTool(name, candidate.node);
  if (fault !== undefined) report(fault);
  if (candidate.doc !== undefined) {
    reportHiddenText(candidate.doc.node, report);
    reportMisspelt(candidate.doc, report);
  }
  const reading = { compilation, report };
  const input = readInput(candidate, reading);
  const output = readOutput(candidate, reading);
  const facts = readFacts(candidate, report);
  const description = toDescription(candidate, report);
  if (hasErrors()) return undefined;
  const instructions = toInstructions(candidate, input, reading);
  const spec = toSpec({ name, description, facts, input, output, instructions, candidate }, report);
  if (spec === undefined || hasErrors()) return undefined;
  const { node, place } = candidate;
  return { tool: Object.freeze({ export: candidate.export, spec }), node, place };
}

interface SpecParts {
  readonly name: string;
  readonly description: string;
  readonly facts: TaggedFacts;
  readonly input: ToolInput;
  readonly output: ToolOutput;
  readonly instructions: ToolInstructions | undefined;
  readonly candidate: Candidate;
}

function toDescription({ decorator, doc, node }: Candidate, report: Report): string {
  const decorated = decorator?.values["description"];
  const deprecated = findTag(doc, "deprecated");
  const ending = deprecated === undefined ? "" : ` Deprecated${deprecated.text === "" ? "" : `: ${deprecated.text}`}`;
  const description =
    typeof decorated === "string"
      ? decorated
      : `${doc?.summary ?? ""}${ending === "" ? "" : ending.replace(/[^.!?]$/, "$&.")}`;
  const at = doc?.node ?? node;
  if (description.trim() === "") report(withoutDescription(at));
  if (description.length > MAX_DESCRIPTION_LENGTH) report(tooLong(at, description.length));
  return description;
}

function toInstructions(candidate: Candidate, input: ToolInput, reading: ToolReading): ToolInstructions | undefined {
  const { doc, decorator } = candidate;
  const examples = readExamples(candidate, input, reading);
  const decorated = decorator?.values["instructions"];
  const instructions = {
    ...(doc?.remarks !== undefined && { purpose: doc.remarks }),
    ...(doc?.returns !== undefined && { expectedOutput: doc.returns }),
    ...(examples.length > 0 && { examples }),
    ...(typeof decorated === "object" && decorated),
  };
  return Object.keys(instructions).length === 0 ? undefined : instructions;
}

/** Core's own way of making a spec, so that effects, defaults and checks are the same as for tools in code. */
function toSpec(parts: SpecParts, report: Report): ToolSpec | undefined {
  const { candidate, input, output, facts, name, description, instructions } = parts;
  const written = candidate.decorator?.values["output"];
  const outputSchema = typeof written === "object" && written !== null ? (written as JsonSchema) : output.schema;
  if (hidesText([facts, name, description, input.schema, outputSchema, instructions])) {
    report(hiddenText(candidate));
    return undefined;
  }
  try {
    const { spec } = defineTool({
      ...facts,
      name,
      description,
      inputSchema: input.schema,
      ...(outputSchema !== undefined && { output: outputSchema }),
      ...(instructions !== undefined && { instructions }),
      execute: () => undefined,
    });
    const whole: ToolSpec = { ...spec, implementation: toImplementation(parts) };
    const [issue] = validateSpec(whole);
    if (issue !== undefined) report(invalidSpec(candidate, `${issue.pointer || "/"} ${issue.message}`));
    return Object.freeze(whole);
  } catch (error) {
    if (!AiwError.is(error)) throw error;
    report(invalidSpec(candidate, error.message));
    return undefined;
  }
}

function toImplementation({ candidate: { place }, input, output }: SpecParts): CompiledFunction {
  return Object.freeze({
    compiled: true,
    ...(place !== undefined && { method: place.method }),
    ...(place?.isStatic === true && { static: true as const }),
    ...(input.parameters !== undefined && { parameters: input.parameters }),
    ...(input.rest !== undefined && { rest: input.rest }),
    ...(input.dates.length > 0 && { dates: input.dates }),
    ...(output.dates.length > 0 && { outputDates: output.dates }),
  });
}

/** Names and literals of types reach a model too. */
function hidesText(value: unknown): boolean {
  if (typeof value === "string") return escapeHiddenText(value) !== value;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => hidesText(key) || hidesText(member));
}

function hiddenText({ node }: Candidate): Parameters<Report>[0] {
  return {
    code: "hidden_text",
    severity: "error",
    message: "A name, a literal or a text of the tool has characters that a reader does not see and a model does.",
    fix: "Delete them from the types and texts that the function uses.",
    node,
  };
}

function invalidSpec({ node, decorator }: Candidate, message: string): Parameters<Report>[0] {
  return {
    code: "definition_invalid",
    severity: "error",
    message,
    fix: "Correct what the comment, the decorator or the types say of it.",
    node: decorator?.node ?? node,
  };
}

function withoutDescription(node: Candidate["node"]): Parameters<Report>[0] {
  return {
    code: "description_missing",
    severity: "error",
    message: "Nothing says what the tool does.",
    fix: "Write /** What it does. */ above it, or a `description` in @tool.",
    node,
  };
}

function tooLong(node: Candidate["node"], length: number): Parameters<Report>[0] {
  return {
    code: "description_too_long",
    severity: "error",
    message: `The description has ${length} characters; models are given at most ${MAX_DESCRIPTION_LENGTH}.`,
    fix: "Say in a few sentences what it does; move when and why to @remarks, details to @param.",
    node,
  };
}
