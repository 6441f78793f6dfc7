import type { JsonObject } from "../contract/json.ts";
import { CONTRACT_VERSION, isTool, type Parse, type Parsed, type Tool } from "../contract/tool.ts";
import { ToolError } from "../errors/tool-error.ts";
import { boundInput } from "../validate/bound-input.ts";
import { explainParseIssues } from "../validate/explain-parse-issues.ts";
import { validateInput } from "../validate/validate-input.ts";
import { describeThrown } from "./describe-thrown.ts";

/** A call whose arguments and options passed every check; only {@link validateCall} makes one. */
export interface ValidatedCall {
  /** The tool with its code loaded. */
  readonly tool: Tool;
  /** The arguments as plain JSON, defaults of raw schemas filled: what people approve and records keep. */
  readonly input: JsonObject;
  /** What `execute` receives: the output of the author's schema. */
  readonly arguments: unknown;
  /** The package's options after their schema. */
  readonly options: unknown;
}

const validated = new WeakSet<ValidatedCall>();
const loadedTools = new WeakMap<Tool, Tool>();

/**
 * Checks a call in this order: bounds, JSON Schema, then the author's schema; code loads only for input the schema admits.
 * @throws ToolError `invalid_input`, `options_invalid`, `load_failed`, or `schema_invalid`.
 */
export async function validateCall(tool: Tool, input: unknown, options: unknown = {}): Promise<ValidatedCall> {
  const bounded = boundInput(input);
  const loaded = loadedTools.get(tool) ?? (await admit(tool, bounded));
  const checked = await validateInput(loaded.spec, bounded, { fillDefaults: loaded.parseInput === undefined });
  const call = Object.freeze({
    tool: loaded,
    input: checked,
    arguments: await parseArguments(loaded, checked),
    options: await parseOptions(loaded, options),
  });
  validated.add(call);
  return call;
}

/** True for what {@link validateCall} made, so that nothing else can be executed. */
export function isValidatedCall(call: ValidatedCall): boolean {
  return validated.has(call);
}

/** Loads a tool's code at its first call, and only for input that its schema admits. */
async function admit(tool: Tool, input: JsonObject): Promise<Tool> {
  if (tool.load !== undefined) await validateInput(tool.spec, input, { fillDefaults: false });
  const loaded = supported(tool.load === undefined ? tool : await load(tool.load.bind(tool)));
  loadedTools.set(tool, loaded);
  return loaded;
}

async function load(loadCode: () => Promise<Tool>): Promise<Tool> {
  try {
    return await loadCode();
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    throw new ToolError("load_failed", `The tool's code could not be loaded: ${describeThrown(cause)}`, { cause });
  }
}

function supported(tool: Tool): Tool {
  if (!isTool(tool)) throw new ToolError("load_failed", "What was loaded is no tool.");
  if (tool.contractVersion <= CONTRACT_VERSION) return tool;
  throw new ToolError("load_failed", "The tool speaks a newer contract than this host.", {
    suggestion: "Update @aiw/core in the project.",
  });
}

async function parseArguments(tool: Tool, input: JsonObject): Promise<unknown> {
  // A tool may write to what it is given; records and approvals keep what was asked.
  if (tool.parseInput === undefined) return structuredClone(input);
  const parsed = await parse(tool.parseInput, input);
  if (parsed.issues === undefined) return parsed.value;
  throw explainParseIssues(tool.spec, input, parsed.issues);
}

async function parseOptions(tool: Tool, options: unknown): Promise<unknown> {
  if (tool.parseOptions === undefined) return options;
  const parsed = await parse(tool.parseOptions, options);
  if (parsed.issues === undefined) return parsed.value;
  const lines = parsed.issues.map(({ message, path = [] }) => `${path.map(String).join(".") || "options"}: ${message}`);
  throw new ToolError("options_invalid", `The package's options are wrong: ${lines.slice(0, 20).join("; ")}.`, {
    suggestion: "Ask the operator to correct the package's entry under plugins in the configuration.",
  });
}

/** An author's schema is code and may throw; that is the tool's fault, not the caller's. */
async function parse<Value>(schema: Parse<Value>, value: unknown): Promise<Parsed<Value>> {
  try {
    return await schema(value);
  } catch (cause) {
    throw new ToolError("internal_error", "The tool's own schema threw while checking.", { cause });
  }
}
