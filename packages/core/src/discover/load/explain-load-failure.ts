import * as path from "node:path";
import { AiwError } from "../../errors/aiw-error.ts";
import { quote, toShownText } from "../../register/create-finding.ts";
import type { ThrownElsewhere } from "../guards/trial-import.ts";
import type { Refusal } from "../read/read-declaration.ts";
import { findSyntaxError } from "./find-syntax-error.ts";

/** Where the module is that failed. */
export interface FailedModule {
  readonly module: string;
  readonly packageKey: string;
  readonly realDir: string;
  /** A package, the project itself, or a directory; who mends it depends on that. */
  readonly source?: string | undefined;
}

/** Fixes by error code; anything else is the package's own fault. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ["ERR_DLOPEN_FAILED", "Rebuild the native addon for this Node: npm rebuild."],
  ["ERR_REQUIRE_ESM", "The package requires an ES module from CommonJS: update it, or use a newer Node."],
  [
    "ERR_REQUIRE_ASYNC_MODULE",
    "The package requires an ES module that awaits at its top level: update it, or import() the module.",
  ],
  [
    "ERR_PACKAGE_PATH_NOT_EXPORTED",
    "A dependency does not export what the package imports: install the version it was written for.",
  ],
  ["ERR_UNKNOWN_FILE_EXTENSION", "Publish JavaScript: Node runs TypeScript outside of node_modules alone, if at all."],
  [
    "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
    "Publish JavaScript: Node does not run TypeScript under node_modules.",
  ],
  [
    "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
    "Write TypeScript whose types can be erased (no enums, no parameter properties), or build JavaScript.",
  ],
  ["ERR_INVALID_TYPESCRIPT_SYNTAX", "Correct the TypeScript, or build JavaScript."],
]);

const NOT_FOUND: ReadonlySet<string> = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);

/** What Node says where CommonJS was expected and the file is an ES module. */
const MODULE_IN_COMMONJS =
  /^(?:Cannot use import statement outside a module|Unexpected token 'export'|Cannot use 'import\.meta' outside a module|await is only valid in async functions)/;

/** Turns what an import threw into a refusal; Node keeps a failed evaluation, so trying again needs a new process. */
export function explainLoadFailure(error: unknown, failed: FailedModule): Refusal {
  // A hook of ours threw it, before the code was evaluated.
  if (isDrift(error))
    return { code: "lock_drift", reason: toShownText(error.message), fix: "Look at it, then run: aiw lock" };
  return explainThrown(describe(error), failed);
}

/** Code may throw what cannot be looked at. */
function isDrift(error: unknown): error is AiwError {
  try {
    return AiwError.is(error) && error.code === "lock_drift";
  } catch {
    return false;
  }
}

/** The same, of what was thrown in another process. */
export function explainThrown(thrown: ThrownElsewhere, failed: FailedModule): Refusal {
  const { code = "", message } = thrown;
  const syntax = findSyntaxError(thrown, failed.realDir);
  const at = syntax === undefined ? "" : ` (${toShownText(`${syntax.file}:${syntax.line}:${syntax.column}`)})`;
  const special =
    syntax !== undefined && isModuleInCommonJs(thrown) && !syntax.file.split("/").includes("node_modules")
      ? fixCommonJs(syntax.file, failed)
      : undefined;
  const fix = special ?? (NOT_FOUND.has(code) ? fixMissing(message) : FIXES.get(code));
  return {
    code: "load_failed",
    reason: `${failed.module} threw while it was loading: ${sayThrown(thrown)}${at}`,
    fix: fix ?? `${orRemove("Correct the module", failed)}, and start again.`,
  };
}

/** Of a module that settled and then brought its process down. */
export function explainLateFailure(thrown: ThrownElsewhere, failed: FailedModule): Refusal {
  return {
    code: "load_failed",
    reason: `${failed.module} was loaded and then ended its process by what nobody caught: ${sayThrown(thrown)}`,
    fix: `${orRemove("Catch it in the module", failed)}, and start again.`,
  };
}

/** Of a module that ended its process. */
export function explainExit(by: number | string, failed: FailedModule): Refusal {
  const how = typeof by === "number" ? `exit code ${by}` : by;
  return {
    code: "load_exited",
    reason: `${failed.module} ended its process (${how}) while it was loading, or just after.`,
    fix: isOthers(failed)
      ? `Remove ${failed.packageKey}, or ask its author.`
      : `${orRemove("Take what ends the process out of the module's top level", failed)}, and start again.`,
  };
}

/** True for an ES module that Node took for CommonJS, because of its name or its package.json. */
export function isModuleInCommonJs({ name, message, stack }: ThrownElsewhere): boolean {
  return name === "SyntaxError" && MODULE_IN_COMMONJS.test(message) && stack.includes("node:internal/modules/cjs/");
}

function fixCommonJs(file: string, failed: FailedModule): string {
  const { dir, name, ext } = path.posix.parse(file);
  const beside = dir === "" || !isOthers(failed) ? "the package.json nearest to it" : "its package.json";
  const other = ext === ".ts" || ext === ".cts" ? "" : `Name it ${toShownText(`${name}.mjs`)}, or set `;
  return `It is an ES module, and Node takes it for CommonJS. ${other === "" ? "Set " : other}"type": "module" in ${beside}; then start again.`;
}

function sayThrown({ name, message }: ThrownElsewhere): string {
  return toShownText(name === "" ? message : `${name}: ${message}`);
}

/** A file of one's own is mended; a package may be somebody else's. */
function orRemove(mend: string, { source, ...failed }: FailedModule): string {
  if (source === "project") return mend;
  return `${mend}, or remove the ${isOthers({ source, ...failed }) ? "package" : "file"}`;
}

function isOthers({ source = "package" }: FailedModule): boolean {
  return source === "package";
}

/** What is thrown is the package's own: looking at it may throw again. */
function describe(error: unknown): ThrownElsewhere {
  try {
    if (!(error instanceof Error)) return { name: "", message: String(error), stack: "" };
    const { name, message, stack } = error;
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    return { name: String(name), message: String(message), stack: String(stack), code };
  } catch {
    return { name: "", message: "a value that cannot be shown", stack: "" };
  }
}

/** Node names what it looked for: a package is missing in the project, a path in the package. */
function fixMissing(message: string): string {
  const wanted = /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] ?? "";
  if (wanted === "" || /^(?:[./\\]|file:|[a-zA-Z]:)/.test(wanted))
    return 'Build the package again: a file of its own is missing, or not in its "files". Then start again.';
  const name = wanted
    .split("/")
    .slice(0, wanted.startsWith("@") ? 2 : 1)
    .join("/");
  return `Install the missing package ${quote(name)} (a peer dependency?), and start again.`;
}
