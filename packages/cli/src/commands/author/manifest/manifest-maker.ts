import { readFileSync } from "node:fs";
import * as path from "node:path";
import { AiwError, type CompiledTool } from "@aiw/core";
import type { Compiler, Diagnostic } from "@aiw/compiler";
import { loadCompiler, type CompilerModule } from "../load-compiler.ts";
import { readAuthorPackage, type AuthorPackage, type AuthorPackageOptions } from "../read-author-package.ts";
import { assertBuilt, assertCompiled, assertFresh, assertMapped, toUnavailable, wantsCompiler } from "./judge-build.ts";
import type { ManifestAnswer } from "./manifest-message.ts";
import { sayOutdated, sayPrinted, sayUncompiled } from "./say-notes.ts";
import { renderElsewhere, type RenderedElsewhere } from "./render-elsewhere.ts";

/** A tool as the manifest has it. */
export interface MadeTool {
  readonly name: string;
  /** Absent for a tool that is data. */
  readonly module?: string;
  readonly export?: string;
  /** Its definition was made of its source; otherwise the code tells it. */
  readonly compiled: boolean;
}

/** A manifest that was not written yet. */
export interface MadeManifest {
  readonly author: AuthorPackage;
  /** Where it belongs, absolute. */
  readonly path: string;
  readonly text: string;
  readonly tools: readonly MadeTool[];
  /** What the compiler remarks, without errors. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the author should know and did not ask. */
  readonly notes: readonly string[];
}

interface Compiled {
  readonly tools: readonly CompiledTool[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What the author names, and the world. */
export interface ManifestMakerOptions extends AuthorPackageOptions {
  /** Ends what runs for it; `make` throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Tests replace it. */
  readonly loadCompiler?: typeof loadCompiler;
}

/** Makes a package's manifest again and again; its compiler reads what changed alone. */
export class ManifestMaker {
  readonly #dir: string;
  readonly #options: ManifestMakerOptions;
  readonly #load: typeof loadCompiler;
  #files: readonly string[] = [];
  #module: CompilerModule | undefined;
  #compiler: { readonly key: string; readonly compiler: Compiler } | undefined;

  constructor(dir: string, options: ManifestMakerOptions = {}) {
    this.#dir = dir;
    this.#options = options;
    this.#load = options.loadCompiler ?? loadCompiler;
  }

  /** Absolute paths of what the compiler read last. */
  get files(): readonly string[] {
    return this.#files;
  }

  /** Writes a diagnostic for a person; only where the compiler has made one. */
  format(diagnostic: Diagnostic, cwd: string): string {
    return this.#module?.formatDiagnostic(diagnostic, { cwd, readFile }) ?? diagnostic.message;
  }

  /**
   * Reads the package, imports its built module in another process, and compiles what that does not tell.
   * @throws AiwError with what to change; errors of the compiler are in `details.diagnostics`.
   */
  async make(): Promise<MadeManifest> {
    const author = await readAuthorPackage(this.#dir, this.#options);
    assertBuilt(author);
    const told = await this.#render(author, []);
    const compiled = await this.#compile(author, told.answer);
    const adds = compiled.tools.length > 0;
    const { answer, printed } = adds ? await this.#render(author, compiled.tools) : told;
    if (answer.kind === "failed") throw toError(answer, compiled.diagnostics);
    const made: MadeManifest = {
      author,
      path: answer.manifest.path,
      text: answer.manifest.text,
      tools: readTools(answer.manifest.text, compiled.tools),
      diagnostics: compiled.diagnostics,
      notes: [
        ...(adds ? [] : sayOutdated(author)),
        ...sayPrinted(author, printed),
        ...(await sayUncompiled(author, answer.functions, this.#module)),
      ],
    };
    assertMapped(author, made.tools);
    return made;
  }

  #render({ dir, module }: AuthorPackage, compiled: readonly CompiledTool[]): Promise<RenderedElsewhere> {
    return renderElsewhere({ packageDir: dir, module, compiled }, { signal: this.#options.signal });
  }

  /** A package whose code tells all of its tools needs no compiler. */
  async #compile(author: AuthorPackage, told: ManifestAnswer): Promise<Compiled> {
    if (author.source === undefined || told.functions.length === 0) return NOTHING;
    const compiler = await this.#openCompiler(author, author.source);
    if (compiler === undefined) {
      if (told.kind === "made" && !wantsCompiler(author)) return NOTHING;
      throw await toUnavailable(author, told.functions);
    }
    const { tools, diagnostics, files } = compiler.compile();
    this.#files = files;
    const names = told.kind === "made" ? told.manifest.tools : [];
    const open = diagnostics.filter(({ tool }) => tool === undefined || !names.includes(tool));
    assertCompiled(author, open);
    const added = tools.filter(({ spec }) => !names.includes(spec.name));
    if (added.length > 0) assertFresh(author, { files, exports: told.exports, added });
    return { tools: added, diagnostics: open };
  }

  async #openCompiler({ dir, tsconfig }: AuthorPackage, source: string): Promise<Compiler | undefined> {
    const key = JSON.stringify([source, tsconfig]);
    if (this.#compiler?.key === key) return this.#compiler.compiler;
    this.#module ??= await this.#load(dir);
    if (this.#module === undefined) return undefined;
    const compiler = this.#module.createCompiler({
      packageDir: dir,
      source,
      ...(tsconfig !== undefined && { tsconfig: path.relative(dir, tsconfig) }),
    });
    this.#compiler = { key, compiler };
    return compiler;
  }
}

/** A file that was read a moment ago may be gone. */
function readFile(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const NOTHING: Compiled = { tools: [], diagnostics: [] };

/** Where nothing became a tool, the compiler's remarks say why. */
function toError(
  { code, message, fix }: Extract<ManifestAnswer, { readonly kind: "failed" }>,
  diagnostics: readonly Diagnostic[],
): AiwError {
  const isKnown = code === "tool_definition_invalid" || code === "schema_not_convertible";
  return new AiwError(isKnown ? code : "manifest_not_writable", message, {
    ...(fix !== undefined && { fix }),
    ...(diagnostics.length > 0 && { details: { diagnostics } }),
  });
}

function readTools(text: string, compiled: readonly CompiledTool[]): MadeTool[] {
  const { tools } = JSON.parse(text) as {
    readonly tools: readonly { module?: string; export?: string; spec: { name: string } }[];
  };
  const names = new Set(compiled.map(({ spec }) => spec.name));
  return tools.map(({ module, export: exported, spec: { name } }) => ({
    name,
    ...(module !== undefined && { module }),
    ...(exported !== undefined && { export: exported }),
    compiled: names.has(name),
  }));
}
