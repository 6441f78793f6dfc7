import type { Tool } from "../contract/tool.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { ToolNotFoundError } from "../errors/tool-not-found-error.ts";
import type { CompileOptions } from "../offer/compile-definition.ts";
import type { CompiledDefinitions } from "../offer/to-definition.ts";
import { toAllPromptInstructions, type PromptInstructionsOptions } from "../offer/to-prompt-instructions.ts";
import { nearestNames } from "../schema/nearest-names.ts";
import { filterSpecs, toSpecFilter, type SpecFilter, type ToolCriteria } from "./filter-specs.ts";
import { toTool } from "./lazy-tool.ts";
import { narrowNames, type OfferFilter } from "./narrow-names.ts";
import { offerChosen, offerSnapshot } from "./offered/offer-snapshot.ts";
import type { ResolvedNames } from "./resolve-names.ts";
import { searchTools, type SearchOptions, type ToolMatch } from "./search-tools.ts";

/** Which definitions are compiled, and how. */
export interface DefinitionsOptions extends CompileOptions {
  /** Names of the tools to offer; all unless named. */
  readonly only?: readonly string[];
}

/** How many near names an error offers. */
const NEAREST = 3;

/** Tools to read: found by name, selected, told to a model. */
export class ToolCatalog {
  readonly #snapshot: () => ResolvedNames;

  /** Reads whatever snapshot is given at the moment of each question; a snapshot itself never changes. */
  constructor(snapshot: () => ResolvedNames) {
    this.#snapshot = snapshot;
  }

  /** Finds the tool that owns a name or has a full id; its code loads at the first call. */
  getToolByName(name: string): Tool | undefined {
    const entry = this.getEntry(name);
    return entry === undefined ? undefined : toTool(entry);
  }

  /** Like `getToolByName`. @throws ToolNotFoundError with the nearest names. */
  getTool(name: string): Tool {
    const tool = this.getToolByName(name);
    if (tool !== undefined) return tool;
    if (!this.has(name)) throw new ToolNotFoundError(name, nearestNames(name, [...this.#names.byName.keys()], NEAREST));
    throw new AiwError("load_failed", `The definition of ${name} is in code that is not loaded.`, {
      fix: "await registry.load() first.",
    });
  }

  /** True for a name that is owned and for a full id, loaded or not. */
  has(name: string): boolean {
    return this.getEntry(name) !== undefined;
  }

  /** The entry that owns a name or has a full id: identity, origin, configured options. */
  getEntry(name: string): ToolEntry | undefined {
    return this.#names.byName.get(name) ?? this.#names.byId.get(name);
  }

  /** The entries that own a name, sorted by it; shadowed ones answer to their full id. */
  entries(): ToolEntry[] {
    return [...this.#names.byName.values()];
  }

  /** The tools that own a name and whose definition is known, sorted by name. */
  getAllTools(): Tool[] {
    return this.specs().map(({ name }) => this.getTool(name));
  }

  /** Their specs, those that meet the filter. */
  specs(filter?: SpecFilter): ToolSpec[] {
    return filterSpecs(
      this.entries().flatMap(({ spec }) => (spec === undefined ? [] : [spec])),
      filter,
    );
  }

  /** Selects as the original designs did: tags (all), category, name_pattern, any flag of the author's own. */
  getFilteredTools(criteria: ToolCriteria): Tool[] {
    return this.specs(toSpecFilter(criteria)).map(({ name }) => this.getTool(name));
  }

  /**
   * The definitions a model is given, in the format it expects; `openai` unless named.
   * @throws AiwError `format_unsupported`, `too_many_tools`
   */
  getAllToolDefinitions(options: DefinitionsOptions = { format: "openai" }): CompiledDefinitions["definitions"] {
    return this.compileDefinitions(options).definitions;
  }

  /** The same, with what was left out and why: of `only`, also names that no tool has. */
  compileDefinitions({ only, ...options }: DefinitionsOptions = { format: "openai" }): CompiledDefinitions {
    return only === undefined ? offerSnapshot(this.#names, options) : offerChosen(this.#names, only, options);
  }

  /** The prompt's block on every tool, separated by blank lines. */
  getAllAiPromptInstructions(options?: PromptInstructionsOptions): string {
    return toAllPromptInstructions(this.specs(), options);
  }

  /** Finds the tools that a text speaks of, best first, shadowed ones too; misspelt words count for what they nearly are. */
  search(query: string, options?: SearchOptions): Promise<ToolMatch[]> {
    return searchTools(this.#names, query, options);
  }

  /** The tools of this catalog that a filter lets through, as they are at each question. */
  narrow(filter: OfferFilter): ToolCatalog {
    return new ToolCatalog(narrowNames(this.#snapshot, filter));
  }

  get #names(): ResolvedNames {
    return this.#snapshot();
  }
}
