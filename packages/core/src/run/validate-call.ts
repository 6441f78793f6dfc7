import type { JsonObject } from "../contract/json.ts";
import { CONTRACT_VERSION, isTool, type Parse, type Parsed, type ParseIssue, type Tool } from "../contract/tool.ts";
import { ToolError } from "../errors/tool-error.ts";
import { compiledOf } from "../schema/compiled-function.ts";
import { BoundedInput } from "../validate/bounded-input.ts";
import { copyJson } from "../validate/copy-json.ts";
import { explainParseIssues, valueAt } from "../validate/explain-parse-issues.ts";
import { checkInput, validateInput } from "../validate/validate-input.ts";
import { isThenable, whenReady } from "../validate/when-ready.ts";
import { toLoadError } from "./to-load-error.ts";

/** A call whose arguments and options passed every check; only {@link validateCall} and {@link admitCall} make one. */
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

/** Made by {@link admitCall} alone; a copy is none. */
class AdmittedCall implements ValidatedCall {
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly arguments: unknown;
  readonly options: unknown;
  readonly #admitted = true;

  constructor({ tool, input, arguments: parsed, options }: ValidatedCall) {
    this.tool = tool;
    this.input = input;
    this.arguments = parsed;
    this.options = options;
    Object.freeze(this);
  }

  static is(call: unknown): call is AdmittedCall {
    return typeof call === "object" && call !== null && #admitted in call && call.#admitted;
  }
}

const loadedTools = new WeakMap<Tool, Tool>();

/**
 * Checks a call in this order: bounds, JSON Schema, then the author's schema; code loads only for input the schema admits.
 * @throws ToolError `invalid_input`, `options_invalid`, `load_failed`, or `schema_invalid`.
 */
export async function validateCall(tool: Tool, input: unknown, options: unknown = {}): Promise<ValidatedCall> {
  return admitCall(tool, BoundedInput.is(input) ? input : new BoundedInput(input), options);
}

/**
 * The same for arguments within bounds; at once where the tool is loaded and its schemas answer at once.
 * @throws ToolError `invalid_input`, `options_invalid`, `load_failed`, or `schema_invalid`.
 */
export function admitCall(
  tool: Tool,
  { value }: BoundedInput,
  options: unknown = {},
): ValidatedCall | Promise<ValidatedCall> {
  const loaded = loadedTools.get(tool);
  if (loaded !== undefined) return checkCall(loaded, value, options);
  return admitTool(tool, value).then((late) => checkCall(late, value, options));
}

function checkCall(tool: Tool, value: JsonObject, options: unknown): ValidatedCall | Promise<ValidatedCall> {
  // What a compiled function's arguments are parsed with makes dates, and knows no defaults.
  const fillDefaults = tool.parseInput === undefined || compiledOf(tool.spec) !== undefined;
  const checked = checkInput(tool.spec, value, { fillDefaults });
  if (checked instanceof Promise) return checked.then((input) => parseCall(tool, input, options));
  return parseCall(tool, checked, options);
}

function parseCall(tool: Tool, input: JsonObject, options: unknown): ValidatedCall | Promise<ValidatedCall> {
  const parsed = parseInput(tool, input);
  if (parsed instanceof Promise)
    return parsed.then((value: unknown) => configureCall({ tool, input, arguments: value, options }));
  return configureCall({ tool, input, arguments: parsed, options });
}

/** Takes the options as they came and gives the call with those that the tool's schema made of them. */
function configureCall(call: ValidatedCall): ValidatedCall | Promise<ValidatedCall> {
  const options = parseOptions(call.tool, call.options);
  if (options instanceof Promise)
    return options.then((configured: unknown) => new AdmittedCall({ ...call, options: configured }));
  return options === call.options ? new AdmittedCall(call) : new AdmittedCall({ ...call, options });
}

/** True for what {@link validateCall} made, so that nothing else can be executed. */
export function isValidatedCall(call: ValidatedCall): boolean {
  return AdmittedCall.is(call);
}

/** Loads a tool's code at its first call, and only for input that its schema admits. */
async function admitTool(tool: Tool, input: JsonObject): Promise<Tool> {
  if (tool.load !== undefined) await validateInput(tool.spec, input, { fillDefaults: false });
  const loaded = supported(tool.load === undefined ? tool : await load(tool.load.bind(tool)));
  loadedTools.set(tool, loaded);
  return loaded;
}

async function load(loadCode: () => Promise<Tool>): Promise<Tool> {
  try {
    return await loadCode();
  } catch (cause) {
    throw toLoadError(cause);
  }
}

function supported(tool: Tool): Tool {
  if (!isTool(tool)) throw new ToolError("load_failed", "What was loaded is no tool.");
  if (tool.contractVersion <= CONTRACT_VERSION) return tool;
  throw new ToolError("load_failed", "The tool speaks a newer contract than this host.", {
    suggestion: "Update @aiw/core in the project.",
  });
}

function parseInput(tool: Tool, input: JsonObject): unknown {
  // A tool may write to what it is given; records and approvals keep what was asked.
  if (tool.parseInput === undefined) return copyJson(input);
  const parsing = parse(tool.parseInput, input);
  return parsing instanceof Promise
    ? parsing.then((late) => readParsed(tool, input, late))
    : readParsed(tool, input, parsing);
}

function readParsed(tool: Tool, input: JsonObject, parsed: Parsed<unknown>): unknown {
  if (parsed.issues === undefined) return parsed.value;
  throw explainParseIssues(tool.spec, input, parsed.issues);
}

function parseOptions(tool: Tool, options: unknown): unknown {
  if (tool.parseOptions === undefined) return options;
  return whenReady(parse(tool.parseOptions, options), (parsed) => {
    if (parsed.issues === undefined) return parsed.value;
    const lines = parsed.issues.map((issue) => explainOption(options, issue));
    throw new ToolError("options_invalid", `The package's options are wrong: ${lines.slice(0, 20).join("; ")}.`, {
      suggestion: "Ask the operator to correct the package's entry under plugins in the configuration.",
    });
  });
}

/** As for arguments: what is absent is missing, in whatever words a library says that it received nothing; an author's own words stay. */
function explainOption(options: unknown, { message, path = [] }: ParseIssue): string {
  const isSaidByLibrary = /\bundefined$|^required$/i.test(message.trim());
  const isMissing = path.length > 0 && isSaidByLibrary && valueAt(options, path) === undefined;
  return `${path.map(String).join(".") || "options"}: ${isMissing ? "required, missing" : message}`;
}

/** An author's schema is code and may throw; that is the tool's fault, not the caller's. */
function parse<Value>(schema: Parse<Value>, value: unknown): Parsed<Value> | Promise<Parsed<Value>> {
  try {
    const parsed = schema(value);
    return isThenable(parsed) ? waitForParse(parsed) : parsed;
  } catch (cause) {
    throw toSchemaFault(cause);
  }
}

async function waitForParse<Value>(parsing: PromiseLike<Parsed<Value>>): Promise<Parsed<Value>> {
  try {
    return await parsing;
  } catch (cause) {
    throw toSchemaFault(cause);
  }
}

function toSchemaFault(cause: unknown): ToolError {
  return new ToolError("internal_error", "The tool's own schema threw while checking.", { cause });
}
