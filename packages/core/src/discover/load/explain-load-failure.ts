import { quote, toShownText } from "../../register/create-finding.ts";
import type { Refusal } from "../read/read-declaration.ts";

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

/** Turns what an import threw into a refusal; Node keeps a failed evaluation, so trying again needs a new process. */
export function explainLoadFailure(error: unknown, { module }: { readonly module: string }): Refusal {
  const { code, message } = describe(error);
  const fix = NOT_FOUND.has(code) ? fixMissing(message) : FIXES.get(code);
  return {
    code: "load_failed",
    reason: `${module} threw while it was loading: ${toShownText(message)}`,
    fix: fix ?? "Correct the module, or remove the package, and start again.",
  };
}

/** What is thrown is the package's own: looking at it may throw again. */
function describe(error: unknown): { readonly code: string; readonly message: string } {
  try {
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
    return { code, message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  } catch {
    return { code: "", message: "a value that cannot be shown" };
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
