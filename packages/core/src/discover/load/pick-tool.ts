import { CONTRACT_VERSION, TOOL_BRAND, isTool, isToolPackage, type Tool } from "../../contract/tool.ts";
import type { ToolContext } from "../../contract/tool-context.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { quote, toShownText } from "../../register/create-finding.ts";
import type { Refusal } from "../read/read-declaration.ts";

/** Which export is wanted, and what is known of the tool. */
export interface WantedTool {
  readonly name: string;
  readonly export: string;
  /** With a spec, a plain function is enough. */
  readonly spec: ToolSpec | undefined;
}

type Exports = Readonly<Record<string, unknown>>;

/** Takes a tool from a module's exports: a tool, a package's tool by name, a tool class, or a function with a known spec. */
export function pickTool(exports: Exports, wanted: WantedTool): Tool | Refusal {
  const candidates = candidatesOf(exports, wanted.export);
  if (candidates.length === 0) {
    const names = toShownText(Object.keys(exports).slice(0, 20).join(", ")) || "none";
    return {
      code: "export_missing",
      reason: `There is no export ${quote(wanted.export)}; there are: ${names}.`,
      fix: "Name an export that exists, and build again.",
    };
  }
  for (const candidate of candidates) {
    const tool = recognise(candidate, wanted);
    if (tool !== undefined) return tool;
  }
  return {
    code: "export_invalid",
    reason: `The export ${quote(wanted.export)} is no tool called ${wanted.name}.`,
    fix: "Export what defineTool or defineToolPackage returns, or a class that extends BaseTool.",
  };
}

/** Gives a tool the listed definition for good; whatever the object says later is not asked. */
export function bindTool(tool: Tool, spec: ToolSpec): Tool {
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: tool.contractVersion,
    spec,
    execute: tool.execute.bind(tool),
    ...(tool.parseInput && { parseInput: tool.parseInput.bind(tool) }),
    ...(tool.parseOutput && { parseOutput: tool.parseOutput.bind(tool) }),
    ...(tool.parseOptions && { parseOptions: tool.parseOptions.bind(tool) }),
    ...(tool.assess && { assess: tool.assess.bind(tool) }),
    ...(tool.preview && { preview: tool.preview.bind(tool) }),
  });
}

/** At the named export, else on `default`: what CommonJS assigned to `module.exports`, compiled or not. */
function candidatesOf(exports: Exports, name: string): unknown[] {
  const common = asObject(exports["default"]);
  const named = [
    Object.hasOwn(exports, name) ? exports[name] : undefined,
    own(common, name),
    own(asObject(own(common, "default")), name),
  ];
  if (name === "default") named.push(common?.["__esModule"] === true ? own(common, "default") : undefined);
  return named.filter((candidate) => candidate !== undefined);
}

function own(value: Exports | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Sees an object or function as its members. */
export function asObject(value: unknown): Exports | undefined {
  return (typeof value === "object" && value !== null) || typeof value === "function" ? (value as Exports) : undefined;
}

/** Takes a tool as it is, and makes one of a tool class. */
export function toTool(value: unknown): Tool | undefined {
  if (isTool(value)) return value;
  return isToolClass(value) ? new value() : undefined;
}

function recognise(value: unknown, { name, spec }: WantedTool): Tool | undefined {
  if (isToolPackage(value)) return value.tools.find((tool) => isTool(tool) && tool.spec.name === name);
  const tool = toTool(value);
  if (tool !== undefined || typeof value !== "function") return tool;
  // A class is a function too, but calling one throws.
  if (spec === undefined || /^class\b/.test(Function.prototype.toString.call(value))) return undefined;
  return fromFunction(value as PlainFunction, spec);
}

type PlainFunction = (input: unknown, context: ToolContext<unknown>) => unknown;

/** Recognises a class whose instances are tools. */
export function isToolClass(value: unknown): value is new () => Tool {
  if (typeof value !== "function") return false;
  const prototype: unknown = value.prototype;
  return typeof prototype === "object" && prototype !== null && TOOL_BRAND in prototype;
}

function fromFunction(execute: PlainFunction, spec: ToolSpec): Tool {
  return {
    [TOOL_BRAND]: true,
    contractVersion: CONTRACT_VERSION,
    spec,
    execute: (input, context) => execute(input, context),
  };
}
