import type { ts } from "@ts-morph/common";
import type { Diagnostic } from "../diagnostic.ts";
import { SourceGraph, type FileState } from "../program/source-graph.ts";
import type { Compilation } from "./compilation.ts";
import type { CompiledCandidate } from "./compile-candidate.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import type { ModuleExport } from "./find-exports.ts";

/** What was made of one export, and of which files. */
interface KeptExport {
  readonly declaration: ts.Node;
  readonly place: ts.Node;
  /** Its own file's, and that of the place where it is said. */
  readonly files: readonly (readonly FileState[])[];
  readonly compiled: readonly CompiledCandidate[];
  readonly said: readonly Diagnostic[];
}

type MakeExport = (found: ModuleExport) => readonly CompiledCandidate[];

/** Remembers what was made of exports from one compilation to the next, for as long as no file that it may depend on changes. */
export class KeptExports {
  #kept: ReadonlyMap<string, KeptExport> = new Map();
  #graph: SourceGraph | undefined;
  #options: ts.CompilerOptions | undefined;
  #tellsItself = false;

  /** Gives what is made of each export, of those alone that are not as they were; what is said of them is said again. */
  compile(
    exports: readonly ModuleExport[],
    compilation: Compilation,
    { log, make }: { readonly log: DiagnosticLog; readonly make: MakeExport },
  ): CompiledCandidate[] {
    const graph = this.#readGraph(compilation);
    const next = new Map<string, KeptExport>();
    for (const found of exports) {
      const { name, declaration, place } = found;
      const files = [declaration, place].map((node) => graph.reachedFrom(node.getSourceFile()));
      const former = this.#kept.get(name);
      if (former !== undefined && isSame(former, found, files)) {
        log.repeat(former.said);
        next.set(name, former);
        continue;
      }
      const { value: compiled, said } = log.record(() => make(found));
      next.set(name, { declaration, place, files, compiled, said });
    }
    this.#kept = next;
    return [...next.values()].flatMap(({ compiled }) => compiled);
  }

  #readGraph(compilation: Compilation): SourceGraph {
    const { program, checker, packages, tellsItself } = compilation;
    const options = program.getCompilerOptions();
    const holds = this.#options === options && this.#tellsItself === tellsItself;
    const ownerOf = (file: string): string => `${packages.directoryOf(file) ?? ""}\0${packages.nameOf(file) ?? ""}`;
    const graph = new SourceGraph({ program, checker, ownerOf }, holds ? this.#graph : undefined);
    if (!holds) this.#kept = new Map();
    this.#graph = graph;
    this.#options = options;
    this.#tellsItself = tellsItself;
    return graph;
  }
}

function isSame(
  former: KeptExport,
  { declaration, place }: ModuleExport,
  files: readonly (readonly FileState[])[],
): boolean {
  return (
    former.declaration === declaration &&
    former.place === place &&
    files.every((states, index) => areSame(states, former.files[index] ?? []))
  );
}

function areSame(one: readonly FileState[], other: readonly FileState[]): boolean {
  return one.length === other.length && one.every((state, index) => state === other[index]);
}
