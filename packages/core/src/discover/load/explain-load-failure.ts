import { toShownText } from "../../register/create-finding.ts";
import type { Refusal } from "../read/read-declaration.ts";

/** Fixes by error code; anything else is the package's own fault. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ["ERR_DLOPEN_FAILED", "Rebuild the native addon for this Node: npm rebuild."],
  ["ERR_MODULE_NOT_FOUND", "Install the missing package (a peer dependency?), or build the package again."],
  ["MODULE_NOT_FOUND", "Install the missing package (a peer dependency?), or build the package again."],
  ["ERR_REQUIRE_ESM", "The package requires an ES module from CommonJS: update it, or use a newer Node."],
  ["ERR_UNKNOWN_FILE_EXTENSION", "Publish JavaScript: Node does not run TypeScript under node_modules."],
  [
    "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING",
    "Publish JavaScript: Node does not run TypeScript under node_modules.",
  ],
]);

/** Turns what an import threw into a refusal; Node keeps a failed evaluation, so trying again needs a new process. */
export function explainLoadFailure(error: unknown, { module }: { readonly module: string }): Refusal {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    code: "load_failed",
    reason: `${module} threw while it was loading: ${toShownText(message)}`,
    fix: FIXES.get(code ?? "") ?? "Correct the module, or remove the package, and start again.",
  };
}
