import { existsSync } from "node:fs";
import * as path from "node:path";
import { AiwError, type CompiledTool } from "@aiw/core";
import type { Compiler, Diagnostic } from "@aiw/compiler";
import { oneLine } from "../../../output/one-line.ts";
import { findNewerSource } from "../check-freshness.ts";
import { installCommand, loadCompiler, type CompilerModule } from "../load-compiler.ts";
import { readAuthorPackage, type AuthorPackage, type AuthorPackageOptions } from "../read-author-package.ts";
import { buildCommand } from "../run-script.ts";
import type { ManifestAnswer } from "./manifest-message.ts";
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

type Made = Extract<ManifestAnswer, { readonly kind: "made" }>;

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
    return this.#module?.formatDiagnostic(diagnostic, { cwd }) ?? diagnostic.message;
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
    if (answer.kind === "failed") throw toError(answer);
    const made: MadeManifest = {
      author,
      path: answer.manifest.path,
      text: answer.manifest.text,
      tools: readTools(answer.manifest.text, compiled.tools),
      diagnostics: compiled.diagnostics,
      notes: [...sayPrinted(author, printed), ...(await sayUncompiled(author, answer, this.#module))],
    };
    assertMapped(made);
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

const NOTHING: Compiled = { tools: [], diagnostics: [] };

/** @throws AiwError `build_outdated` */
function assertBuilt(author: AuthorPackage): void {
  if (existsSync(path.join(author.dir, author.module))) return;
  throw new AiwError("build_outdated", `${oneLine(author.name)} has no ${oneLine(author.module)} yet.`, {
    fix: `Run your compiler first: ${buildCommand(author)}. Where the built module is another: aiw build --module FILE`,
  });
}

function toError({ code, message, fix }: Extract<ManifestAnswer, { readonly kind: "failed" }>): AiwError {
  const isKnown = code === "tool_definition_invalid" || code === "schema_not_convertible";
  return new AiwError(isKnown ? code : "manifest_not_writable", message, { ...(fix !== undefined && { fix }) });
}

/** Packages that name it mean to use it. */
function wantsCompiler({ packageJson }: AuthorPackage): boolean {
  return ["dependencies", "devDependencies", "peerDependencies"].some((field) => {
    const named = packageJson[field];
    return typeof named === "object" && named !== null && Object.hasOwn(named, "@aiw/compiler");
  });
}

async function toUnavailable({ dir }: AuthorPackage, functions: readonly string[]): Promise<AiwError> {
  const what = functions.slice(0, 3).map(oneLine).join(", ");
  return new AiwError(
    "compiler_unavailable",
    `To make tools of functions (${what}) takes @aiw/compiler, which is not installed.`,
    { fix: `${await installCommand(dir)}. Or write them with defineTool, which needs no compiler.` },
  );
}

/** @throws AiwError `manifest_not_writable` */
function assertCompiled({ source = "" }: AuthorPackage, diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const count = errors.length === 1 ? "One error" : `${errors.length} errors`;
  throw new AiwError("manifest_not_writable", `${count} in what ${oneLine(source)} exports.`, {
    fix: "Correct what is named above, or stop exporting it.",
    details: { diagnostics },
  });
}

interface Freshness {
  readonly files: readonly string[];
  readonly exports: readonly string[];
  readonly added: readonly CompiledTool[];
}

/** A definition made of the source must be kept by the module that is packed. */
function assertFresh(author: AuthorPackage, { files, exports, added }: Freshness): void {
  const fix = `Run your compiler first: ${buildCommand(author)}`;
  const lacking = added.find((tool) => !exports.includes(tool.export));
  if (lacking !== undefined)
    throw new AiwError(
      "build_outdated",
      `${oneLine(author.source ?? "")} exports ${oneLine(lacking.export)}, and ${oneLine(author.module)} does not.`,
      { fix },
    );
  if (author.source === author.module) return;
  const newer = findNewerSource(author, files);
  if (newer === undefined) return;
  const where = oneLine(path.relative(author.dir, newer));
  throw new AiwError("build_outdated", `${where} was changed after ${oneLine(author.module)} was built.`, {
    fix: `${fix} (delete its output before if it writes nothing)`,
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

/** The names a map declares are what its users call: none may get lost on the way to a manifest. */
function assertMapped({ author: { declared, module }, tools }: MadeManifest): void {
  if (declared.form !== "map") return;
  const lost = declared.names.filter((name) => !tools.some((tool) => tool.name === name));
  if (lost.length === 0) return;
  throw new AiwError(
    "manifest_not_writable",
    `package.json names ${lost.map(oneLine).join(", ")}, which ${oneLine(module)} does not export.`,
    { fix: `Export every tool from one module, and name it: aiw build --module ${module}` },
  );
}

function sayPrinted({ module }: AuthorPackage, printed: string): string[] {
  if (printed.trim() === "") return [];
  const [first = ""] = printed.trim().split("\n");
  return [`${oneLine(module)} prints when it is loaded, to whoever loads it: ${oneLine(first).slice(0, 200)}`];
}

/** Someone who writes TypeScript may have meant a tool. */
async function sayUncompiled(
  { dir, source = "" }: AuthorPackage,
  { functions }: Made,
  compiler: CompilerModule | undefined,
): Promise<string[]> {
  if (compiler !== undefined || functions.length === 0 || !/\.[cm]?tsx?$/.test(source)) return [];
  const what = functions.slice(0, 3).map(oneLine).join(", ");
  return [`No tool was made of ${what}: functions become tools with @aiw/compiler (${await installCommand(dir)}).`];
}
