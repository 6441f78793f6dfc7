import * as path from "node:path";
import { compileTools, formatDiagnostic, type Diagnostic } from "@aiw/compiler";
import type { ToolManager } from "@aiw/executor";
import { openTools } from "@aiw/executor/node";
import * as exported from "./index.ts";

/** A conversation, and what was said of the sources of its tools. */
export interface OpenedTools {
  readonly tools: ToolManager;
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens a conversation with the tools that this package's own source tells. */
export async function openCompiled(): Promise<OpenedTools> {
  const packageDir = path.join(import.meta.dirname, "..");
  const { tools: compiled, diagnostics } = compileTools({ packageDir, source: "./src/index.ts" });
  for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic, { cwd: packageDir }));
  const tools = await openTools({ projectDir: packageDir });
  for (const { export: name, spec } of compiled) {
    const value = Object.entries(exported).find(([one]) => one === name)?.[1];
    if (value !== undefined) tools.registry.registerFunction(value, { spec });
  }
  return { tools, diagnostics };
}
