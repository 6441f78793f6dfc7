import { ts } from "@ts-morph/common";

/** A file as it is and leads on; the same object for as long as both are the same. */
export interface FileState {
  readonly file: ts.SourceFile;
  /** Absolute paths, a list for each module that it names; "" for one that is nowhere. */
  readonly leadsTo: readonly string[];
  /** To whom it belongs. */
  readonly owner: string;
}

/** What reading a graph needs to know. */
export interface SourceGraphOptions {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly ownerOf: (file: string) => string;
}

/** Which files the meaning of a file depends on. */
export class SourceGraph {
  readonly #states: ReadonlyMap<string, FileState>;
  /** What speaks to all files, and what that leads to. */
  readonly #world: readonly FileState[];
  readonly #reached = new Map<string, readonly FileState[]>();

  /** Takes the states of an earlier graph that are as they were. */
  constructor({ program, checker, ownerOf }: SourceGraphOptions, earlier?: SourceGraph) {
    const files = program.getSourceFiles();
    const formerly: ReadonlyMap<string, FileState> = earlier === undefined ? new Map() : earlier.#states;
    this.#states = new Map(
      files.map((file) => {
        const state = { file, leadsTo: readTargets(file, checker), owner: ownerOf(file.fileName) };
        const former = formerly.get(file.fileName);
        return [file.fileName, former !== undefined && isSame(former, state) ? former : state];
      }),
    );
    this.#world = this.#walk(files.filter((file) => touchesAll(file)).map(({ fileName }) => fileName));
  }

  /** Everything that what is written in a file may depend on: what it imports, what that imports, and what speaks to all files. */
  reachedFrom({ fileName }: ts.SourceFile): readonly FileState[] {
    const known = this.#reached.get(fileName);
    if (known !== undefined) return known;
    const reached = this.#walk([fileName], this.#world);
    this.#reached.set(fileName, reached);
    return reached;
  }

  /** Goes on from files to all they lead to; those that are done already are not gone on from. */
  #walk(open: string[], done: readonly FileState[] = []): readonly FileState[] {
    const reached = new Set(done);
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const state = this.#states.get(name);
      if (state === undefined || reached.has(state)) continue;
      if (leadsAnywhere(state.file)) return [...this.#states.values()];
      reached.add(state);
      for (const targets of state.leadsTo) open.push(...targets.split("\0"));
    }
    return [...reached];
  }
}

function isSame(one: FileState, other: FileState): boolean {
  return (
    one.file === other.file &&
    one.owner === other.owner &&
    one.leadsTo.length === other.leadsTo.length &&
    one.leadsTo.every((target, index) => target === other.leadsTo[index])
  );
}

/** Imports, re-exports, import types and calls of `import`, in the order they are written. */
function readTargets(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  return (importsOf(file) ?? []).map((specifier) => {
    const declarations = checker.getSymbolAtLocation(specifier)?.declarations ?? [];
    return declarations.map((one) => one.getSourceFile().fileName).join("\0");
  });
}

/** TypeScript collects them for itself. */
function importsOf(file: ts.SourceFile): readonly ts.StringLiteralLike[] | undefined {
  return (file as { readonly imports?: readonly ts.StringLiteralLike[] }).imports;
}

/** What other files mean may depend on it, though they do not name it: scripts, and what adds to globals or to another module. */
function touchesAll(file: ts.SourceFile): boolean {
  if (file.fileName.endsWith(".json")) return false;
  return !ts.isExternalModule(file) || file.statements.some((one) => addsElsewhere(one));
}

function addsElsewhere(statement: ts.Statement): boolean {
  if (ts.isNamespaceExportDeclaration(statement)) return true;
  if (!ts.isModuleDeclaration(statement)) return false;
  return ts.isStringLiteral(statement.name) || (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
}

/** True where more is meant than is named: JavaScript knows `require`, and JSX a module that nobody writes. */
function leadsAnywhere(file: ts.SourceFile): boolean {
  return importsOf(file) === undefined || !/\.(?:[cm]?ts|json)$/.test(file.fileName);
}
