import type { JsonSchema } from "@aiw/core";
import { getLibFiles, libFolderInMemoryPath, ts } from "@ts-morph/common";
import { closeSchema } from "../close-schema.ts";
import { createDefinitions } from "../definitions.ts";
import type { DocReader, SchemaDirection, SchemaRemark } from "../schema-context.ts";
import { toSchema } from "../to-schema.ts";

/** What was made of one type. */
export interface CompiledType {
  readonly schema: JsonSchema;
  readonly dates: readonly string[];
  readonly remarks: readonly SchemaRemark[];
}

/** Stands for Node's own types, which need not be installed where types are compiled. */
const NODE_TYPES = `declare class Buffer extends Uint8Array { write(text: string): number }
declare namespace NodeJS { interface ReadableStream { read(): string } }`;

/** Parsed once, for all programs. */
const library = new Map(getLibFiles().map(({ fileName, text }) => [`${libFolderInMemoryPath}/${fileName}`, text]));
const parsed = new Map<string, ts.SourceFile>();

function parseLibrary(file: string, text: string, how: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile {
  const known = parsed.get(file) ?? ts.createSourceFile(file, text, how, true);
  parsed.set(file, known);
  return known;
}

/** A program of sources in memory; each file may have an alias `Case`. */
export class TypeProgram {
  readonly #program: ts.Program;

  constructor(sources: ReadonlyMap<string, string>, options: ts.CompilerOptions = {}) {
    const files = new Map([...sources, ["/node_modules/@types/node/index.d.ts", NODE_TYPES]]);
    const read = (file: string): string | undefined => files.get(file) ?? library.get(file);
    const settings: ts.CompilerOptions = {
      strict: true,
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      lib: ["lib.es2024.d.ts", "lib.dom.d.ts"],
      types: [],
      ...options,
    };
    this.#program = ts.createProgram([...files.keys()], settings, {
      getSourceFile: (file, how) => {
        const text = read(file);
        if (library.has(file) && text !== undefined) return parseLibrary(file, text, how);
        return text === undefined ? undefined : ts.createSourceFile(file, text, how, true);
      },
      getDefaultLibLocation: () => libFolderInMemoryPath,
      getDefaultLibFileName: () => `${libFolderInMemoryPath}/lib.es2024.d.ts`,
      writeFile: () => {},
      getCurrentDirectory: () => "/",
      getCanonicalFileName: (file) => file,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
      fileExists: (file) => read(file) !== undefined,
      readFile: read,
    });
  }

  /** What the compiler itself says of a file. */
  errorsOf(file: string): string[] {
    const source = this.#program.getSourceFile(file);
    const found = [...this.#program.getSyntacticDiagnostics(source), ...this.#program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  }

  /** Makes the schema of the alias `Case` of a file. */
  compile(file: string, direction: SchemaDirection = "input"): CompiledType {
    const checker = this.#program.getTypeChecker();
    const alias = this.#program.getSourceFile(file)?.statements.findLast(ts.isTypeAliasDeclaration);
    if (alias === undefined) throw new Error(`${file} has no type alias`);
    const dates: string[] = [];
    const remarks: SchemaRemark[] = [];
    const report = (remark: SchemaRemark): number => remarks.push(remark);
    const definitions = createDefinitions();
    const context = { checker, direction, docs: createDocReader(checker), report, dates, definitions };
    const made = toSchema(checker.getTypeAtLocation(alias), alias, context);
    return { schema: closeSchema(made, context), dates, remarks };
  }
}

/** Reads comments as simply as the tests need. */
function createDocReader(checker: ts.TypeChecker): DocReader {
  return {
    describe(symbol) {
      const description = ts.displayPartsToString(symbol.getDocumentationComment(checker));
      const tags = symbol.getJsDocTags(checker).map(({ name, text }) => [name, ts.displayPartsToString(text)] as const);
      const deprecated = tags.find(([name]) => name === "deprecated");
      const constraints = Object.fromEntries(tags.filter((tag) => tag !== deprecated).map(([name, text]) => toConstraint(name, text)));
      return {
        ...(description !== "" && { description }),
        constraints,
        ...(deprecated !== undefined && { deprecated: deprecated[1] === "" ? true : deprecated[1] }),
      };
    },
  };
}

function toConstraint(name: string, text: string): [string, unknown] {
  if (name === "integer") return ["type", "integer"];
  if (text === "") return [name, true];
  try {
    return [name, JSON.parse(text)];
  } catch {
    return [name, text];
  }
}
