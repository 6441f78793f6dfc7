import { isRecord } from "../../schema/is-record.ts";
import type { JsonSchema } from "../../contract/json.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { quote } from "../../register/create-finding.ts";
import { freezeDeep } from "../../schema/freeze-deep.ts";
import { validateSpec } from "../../schema/validate-spec.ts";
import { isExportName, parseModulePath } from "../files/package-path.ts";
import { findCollision, refusePath, toCollision, type Refusal } from "./read-declaration.ts";

/** The manifest version this package reads and writes. */
export const MANIFEST_VERSION = 1;

/** Bytes a manifest may have. */
export const MAX_MANIFEST: number = 8 * 1024 * 1024;

/** One tool of a static manifest; other types than `function` have no module of their own. */
export interface ManifestTool {
  readonly spec: ToolSpec;
  readonly module?: string;
  readonly export?: string;
  /** As the manifest was written with; only tells that somebody edited it since. */
  readonly definitionHash?: string;
}

/** A static manifest whose tools were checked one by one. */
export interface Manifest {
  readonly package: { readonly name: unknown; readonly version: unknown };
  readonly optionsSchema: JsonSchema | undefined;
  readonly tools: readonly ManifestTool[];
  /** Tools that were left out. */
  readonly refusals: readonly Refusal[];
}

const REBUILD = "Write the manifest again: aiw build";
/** Tools of one package that hosts read. */
export const MAX_TOOLS = 1000;

/** What is known of a manifest before it is read. */
export interface ReadManifestOptions {
  /** The package is not under any `node_modules`. */
  readonly linked: boolean;
  /** Its text is plain JSON, which hides nothing. */
  readonly isPlain?: boolean;
}

/** Checks the parsed content of `aiw-tools.json`. */
export function readManifest(value: unknown, options: ReadManifestOptions): Manifest | Refusal {
  if (!isRecord(value)) return wrong("", `must be an object, is ${quote(value)}`);
  const version = value["manifestVersion"];
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    return wrong("/manifestVersion", `must be ${MANIFEST_VERSION}, is ${quote(version)}`);
  }
  if (version > MANIFEST_VERSION) {
    return {
      code: "manifest_version_unsupported",
      pointer: "/manifestVersion",
      reason: `manifestVersion ${version} is newer than ${MANIFEST_VERSION}, which this @aiw/core reads.`,
      fix: "Install a newer @aiw/core.",
    };
  }
  return readTools(value, options);
}

function readTools(value: Record<string, unknown>, options: ReadManifestOptions): Manifest | Refusal {
  const { tools, package: owner, optionsSchema } = value;
  if (!isRecord(owner)) return wrong("/package", "must name the package and its version");
  if (optionsSchema !== undefined && !isRecord(optionsSchema))
    return wrong("/optionsSchema", "must be a JSON Schema object");
  if (!Array.isArray(tools)) return wrong("/tools", `must be a list, is ${quote(tools)}`);
  if (tools.length === 0)
    return { code: "no_tools", pointer: "/tools", reason: "The manifest lists no tool.", fix: REBUILD };
  if (tools.length > MAX_TOOLS) return wrong("/tools", `must list at most ${MAX_TOOLS} tools, has ${tools.length}`);
  const collision = findCollision(tools.flatMap(nameOf));
  if (collision !== undefined) return toCollision(collision, "/tools");
  const read = tools.map((tool: unknown, index) => readTool(tool, `/tools/${index}`, options));
  return {
    package: { name: owner["name"], version: owner["version"] },
    optionsSchema: optionsSchema && freezeDeep(optionsSchema),
    tools: read.filter((tool): tool is ManifestTool => "spec" in tool),
    refusals: read.filter((tool): tool is Refusal => "code" in tool),
  };
}

function nameOf(tool: unknown): string[] {
  const spec = isRecord(tool) ? tool["spec"] : undefined;
  return isRecord(spec) && typeof spec["name"] === "string" ? [spec["name"]] : [];
}

function readTool(value: unknown, pointer: string, options: ReadManifestOptions): ManifestTool | Refusal {
  if (!isRecord(value)) return wrong(pointer, `must be an object, is ${quote(value)}`);
  const { spec, module, export: exported } = value;
  const [tool] = nameOf(value);
  const named = tool === undefined ? {} : { tool };
  const [issue] = validateSpec(spec, options);
  if (issue !== undefined) {
    const code = issue.pointer === "/name" ? "tool_name_invalid" : "tool_definition_invalid";
    const at = `${pointer}/spec${issue.pointer}`;
    return {
      code,
      ...named,
      pointer: at,
      reason: `${at} ${issue.message}.`,
      fix: "Correct the tool's definition and write the manifest again.",
    };
  }
  const checked = freezeDeep(spec as ToolSpec);
  const recorded = typeof value["definitionHash"] === "string" ? { definitionHash: value["definitionHash"] } : {};
  if (checked.type !== "function") return { spec: checked, ...recorded };
  if (typeof module !== "string") return { ...wrong(`${pointer}/module`, "is required for a function"), ...named };
  const parsed = parseModulePath(module, options);
  if (parsed.problem !== undefined) {
    const refusal = refusePath(parsed, module, `${pointer}/module`);
    return {
      ...refusal,
      ...named,
      ...(refusal.code === "declaration_invalid" && { code: "manifest_invalid" as const, fix: REBUILD }),
    };
  }
  if (typeof exported !== "string" || !isExportName(exported)) {
    return { ...wrong(`${pointer}/export`, `must name an export, is ${quote(exported)}`), ...named };
  }
  return { spec: checked, module: parsed.path, export: exported, ...recorded };
}

function wrong(pointer: string, message: string): Refusal {
  return { code: "manifest_invalid", pointer, reason: `${pointer || "The manifest"} ${message}.`, fix: REBUILD };
}
