import { ts } from "@ts-morph/common";
import type { CompiledTool } from "@aiw/core";
import type { Diagnostic } from "../diagnostic.ts";
import { compileCandidate, type CompiledCandidate } from "./compile-candidate.ts";
import { isOwnFile, type Sources } from "./compilation.ts";
import { DiagnosticLog } from "./diagnostic-log.ts";
import { findExports, findsToolPackage, type ModuleExport } from "./find-exports.ts";
import { KeptExports } from "./kept-exports.ts";
import { toCandidates } from "./to-candidates.ts";

/** What was made of a program. */
export interface CompiledProgram {
  readonly tools: readonly CompiledTool[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes the tools of what an entry exports; what was kept of an earlier program counts where nothing it depends on changed. */
export function compileProgram(sources: Sources, kept: KeptExports = new KeptExports()): CompiledProgram {
  const log = new DiagnosticLog((file) => isOwnFile(file, sources));
  const compilation = { ...sources, tellsItself: findsToolPackage(sources) };
  const broken = reportSyntax(compilation, log);
  const exports = findExports(sources, log).filter(({ declaration }) => !broken.has(declaration.getSourceFile()));
  const make = (found: ModuleExport): CompiledCandidate[] =>
    toCandidates(found, compilation, log).flatMap((candidate) => compileCandidate(candidate, compilation, log) ?? []);
  const compiled = kept.compile(exports, compilation, { log, make });
  const tools = withoutCollisions(compiled, log);
  return { tools: tools.map(({ tool }) => tool).sort(byName), diagnostics: log.list() };
}

/** Nothing is made of a file that cannot be read. */
function reportSyntax(sources: Sources, log: DiagnosticLog): ReadonlySet<ts.SourceFile> {
  const broken = new Set<ts.SourceFile>();
  for (const file of sources.program.getSourceFiles()) {
    if (!isOwnFile(file.fileName, sources)) continue;
    const [first] = sources.program.getSyntacticDiagnostics(file);
    if (first === undefined) continue;
    broken.add(file);
    log.add({
      code: "syntax_error",
      severity: "error",
      message: ts.flattenDiagnosticMessageText(first.messageText, " "),
      fix: "Correct the syntax; nothing is made of this file until then.",
      node: file,
      position: first.start,
    });
  }
  return broken;
}

/** Two names that differ in case alone are one name to a model, and neither tool is the right one. */
function withoutCollisions(compiled: readonly CompiledCandidate[], log: DiagnosticLog): CompiledCandidate[] {
  const byFoldedName = Map.groupBy(compiled, ({ tool }) => tool.spec.name.toLowerCase());
  return compiled.filter((one) => {
    const { tool, node } = one;
    const { name } = tool.spec;
    const same = byFoldedName.get(name.toLowerCase()) ?? [];
    const other = same.find((another) => another !== one);
    if (other === undefined) return true;
    log.openTool(name, node).report({
      code: "name_collision",
      severity: "error",
      message: `Another tool is called ${other.tool.spec.name} too: ${describePlace(other)}.`,
      fix: "Write @tool another_name in the comment of one of them.",
      node,
    });
    return false;
  });
}

function describePlace({ tool, place }: CompiledCandidate): string {
  return place === undefined ? tool.export : `${tool.export}.${place.method}`;
}

function byName(a: CompiledTool, b: CompiledTool): number {
  return a.spec.name < b.spec.name ? -1 : 1;
}
