import type { Tool } from "../contract/tool.ts";
import type { ToolEntry, ToolSource } from "../contract/tool-source.ts";
import type { AiwConfig } from "../config/aiw-config.ts";
import {
  defineFunction,
  type FunctionFacts,
  type ParameterNames,
  type ToolFunction,
} from "../define/define-function.ts";
import type { NoInput } from "../define/define-tool.ts";
import { AiwError } from "../errors/aiw-error.ts";
import type { ToolSchema } from "../schema/to-json-schema.ts";
import { assertUsable } from "./assert-usable.ts";
import { ChangeListeners, type RegistryListener, type ToolsChange } from "./change-listeners.ts";
import { compareEntries } from "./compare-entries.ts";
import { composeReport } from "./compose-report.ts";
import { createEntry } from "./create-entry.ts";
import { compareText } from "./create-finding.ts";
import type { DiscoveryReport, Finding } from "./discovery-report.ts";
import { rememberTool } from "./lazy-tool.ts";
import { createState, extendState, loadState, reloadState, type RegistryState } from "./registry-state.ts";
import { resolveNames, type ResolvedNames } from "./resolve-names.ts";
import { SharedWatch, type StopWatching } from "./shared-watch.ts";
import { toReloadFinding } from "./to-reload-finding.ts";
import { ToolCatalog } from "./tool-catalog.ts";
import type { RegistrySetup, ToolProject } from "./tool-project.ts";
import { listUnmatched, resolveToolset } from "./toolsets.ts";

/** What a registry starts with. */
export interface ToolRegistryOptions extends Partial<RegistrySetup> {
  /** Asked for everything else, now and at every reload. */
  readonly project?: ToolProject;
}

/** Settings of one registration. */
export interface RegisterOptions {
  /** Replaces the tool registered under that name. */
  readonly override?: boolean;
  /** The tool's settings, as a package would be configured. */
  readonly options?: unknown;
}

/** Which tools exist: who owns each name, what may be told of it, where its code is. */
export class ToolRegistry extends ToolCatalog {
  readonly #project: ToolProject | undefined;
  readonly #explicit = new Map<string, ToolEntry>();
  readonly #added: ToolSource[] = [];
  readonly #listeners = new ChangeListeners();
  readonly #watch: SharedWatch;
  #isSetUp: boolean;
  #state: RegistryState;
  #names: ResolvedNames = resolveNames([]);
  #resolveMs = 0;
  #trouble: readonly Finding[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #reload: Promise<ToolsChange> | undefined;

  constructor({ project, ...setup }: ToolRegistryOptions = {}) {
    super(() => this.#names);
    this.#project = project;
    this.#isSetUp = project === undefined;
    this.#state = createState({ sources: [], config: {}, ...setup });
    this.#watch = new SharedWatch((watcher) => this.#requireProject("watched").watch(watcher));
  }

  /** The configuration the tools were found under; empty for a registry made by hand. */
  get config(): AiwConfig {
    return this.#state.setup.config;
  }

  /**
   * Adds a tool by hand; it wins over every tool that was found.
   * @throws AiwError `tool_name_taken`, `tool_definition_invalid`, `contract_version_unsupported`
   */
  register(tool: Tool, { override = false, options }: RegisterOptions = {}): void {
    assertUsable(tool);
    const { spec } = tool;
    if (!override && this.#explicit.has(spec.name)) {
      throw new AiwError("tool_name_taken", `A tool called ${spec.name} is registered already.`, {
        fix: `Pass { override: true }, or unregister("${spec.name}") first.`,
      });
    }
    const load = async (): Promise<Tool> => (tool.load === undefined ? tool : await tool.load());
    const entry = createEntry({ id: spec.name, name: spec.name, origin: { source: "explicit" }, spec, options, load });
    rememberTool(entry, tool);
    this.#explicit.set(spec.name, entry);
    this.#commit(this.#state);
  }

  /**
   * Makes a tool of a plain function and a schema, adds it as `register` does, and gives it.
   * @throws AiwError `tool_definition_invalid`, `schema_not_convertible`, `tool_name_taken`
   */
  registerFunction<const Input extends ToolSchema = NoInput, const Names extends ParameterNames = undefined>(
    run: ToolFunction<Input, Names>,
    { override = false, options, ...facts }: FunctionFacts<Input, Names> & RegisterOptions,
  ): Tool {
    const tool = defineFunction<Input, Names>(run, facts);
    this.register(tool, { override, options });
    return tool;
  }

  /**
   * Takes back what `register` added; a tool found under that name answers to it again.
   * @throws AiwError `tool_ambiguous` when several would and duplicates are refused; nothing changes then.
   */
  unregister(name: string): boolean {
    const entry = this.#explicit.get(name);
    if (entry === undefined) return false;
    this.#explicit.delete(name);
    try {
      this.#commit(this.#state);
    } catch (error) {
      this.#explicit.set(name, entry);
      throw error;
    }
    return true;
  }

  /** Adds a source; the next `readSources` or `load` asks it. */
  addSource(source: ToolSource): void {
    this.#added.push(source);
  }

  /**
   * Adds the tools of a folder that code names, running its loose modules, and gives what it brought; a relative path starts
   * at the project.
   * @throws AiwError `project_required`
   */
  async scan(directory: string): Promise<readonly ToolEntry[]> {
    const source = await this.#requireProject("searched").openDirectory(directory);
    const former = this.#added.findIndex(({ name }) => name === source.name);
    this.#added.splice(former < 0 ? this.#added.length : former, 1, source);
    await this.expand();
    return (this.#state.bySource.get(source) ?? []).filter(({ id }) => this.has(id));
  }

  /** Asks the sources that were not asked yet what they have; runs no tool code. */
  readSources(): Promise<void> {
    return this.#inTurn(() => this.#readAll());
  }

  /** Runs the code that alone can say which tools there are; a package that fails is left out and reported. */
  expand(): Promise<void> {
    return this.#inTurn(() => this.#expandAll());
  }

  /** True while code that has not run may bring more tools. */
  get isExpandable(): boolean {
    const isAllKnown = this.#state.isExpanded && this.#sources.every((source) => this.#state.bySource.has(source));
    return !isAllKnown && this.#sources.some(({ expand }) => expand !== undefined);
  }

  /** Also loads the definitions that only code can tell; a tool that fails is left out and reported. */
  load(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#expandAll();
      this.#commit(await loadState(this.#state));
    });
  }

  /**
   * Reads configuration and sources again and exchanges the tools at once; calls that run keep theirs, and a failure changes
   * nothing. What is asked for while a reload runs is one more, shared by all who ask.
   * @throws AiwError as reading the project does; it is in the report and told to listeners too.
   */
  reloadTools(): Promise<ToolsChange> {
    this.#reload ??= this.#inTurn(() => {
      this.#reload = undefined;
      return this.#reloadAll();
    });
    return this.#reload;
  }

  /** Tells of every change of the tools, and of reloads that failed; returns the function that ends it. */
  onChange(listener: RegistryListener): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Reloads when the project's files change, without keeping the process alive; returns the function that ends it.
   * @throws AiwError `project_required`
   */
  watch(): StopWatching {
    return this.#watch.start({
      report: () => this.report,
      // The failure is in the report and told to listeners.
      changed: () => void this.reloadTools().catch(() => undefined),
      degraded: (finding) => {
        this.#trouble = [...this.#trouble.filter(({ code }) => code !== finding.code), finding];
      },
    });
  }

  /**
   * The tools of a configured toolset, as they are at each question.
   * @throws AiwError `toolset_unknown`, `config_invalid`
   */
  toolset(name: string): ToolCatalog {
    const resolved = new WeakMap<ResolvedNames, ResolvedNames>();
    const resolve = (): ResolvedNames => {
      const known = resolved.get(this.#names);
      if (known !== undefined) return known;
      const { names } = resolveToolset(name, this.config.toolsets ?? {}, this.#names);
      resolved.set(this.#names, names);
      return names;
    };
    resolve();
    return new ToolCatalog(resolve);
  }

  /** What was found, refused, missing, left out and shadowed, as known now. */
  get report(): DiscoveryReport {
    const { findings, kept } = this.#state;
    return composeReport({
      sources: this.#sources,
      findings: [...findings, ...this.#trouble],
      kept,
      shadowed: this.#names.shadowed,
      // Tools that only running code can name may be meant.
      unmatched: this.isExpandable ? [] : listUnmatched(this.config.toolsets ?? {}, this.#names),
      resolveMs: this.#resolveMs,
    });
  }

  get #sources(): ToolSource[] {
    return [...this.#state.setup.sources, ...this.#added];
  }

  async #readAll(): Promise<void> {
    const setup = this.#isSetUp ? this.#state.setup : await this.#readSetup();
    const sources = [...setup.sources, ...this.#added];
    if (this.#isSetUp && sources.every((source) => this.#state.bySource.has(source))) return;
    this.#commit(await extendState({ setup, sources, former: this.#state }, { expand: false }));
    this.#isSetUp = true;
  }

  async #expandAll(): Promise<void> {
    await this.#readAll();
    if (!this.isExpandable) return;
    const { setup } = this.#state;
    this.#commit(await extendState({ setup, sources: this.#sources, former: this.#state }, { expand: true }));
  }

  async #reloadAll(): Promise<ToolsChange> {
    try {
      const setup = await this.#readSetup();
      const state = await reloadState({ setup, sources: [...setup.sources, ...this.#added], former: this.#state });
      this.#trouble = this.#trouble.filter(({ code }) => code !== "reload_failed");
      return this.#commit(state)();
    } catch (error) {
      const finding = toReloadFinding(error, this.report.project);
      this.#trouble = [...this.#trouble.filter(({ code }) => code !== finding.code), finding];
      this.#listeners.tell({ added: [], removed: [], changed: [], error });
      throw error;
    }
  }

  async #readSetup(): Promise<RegistrySetup> {
    return (await this.#project?.read()) ?? this.#state.setup;
  }

  /** Replaces the snapshot at once; whoever holds the former one keeps it whole. */
  #commit(state: RegistryState): () => ToolsChange {
    const started = performance.now();
    const explicit = [...this.#explicit.values()].toSorted((a, b) => compareText(a.name, b.name));
    const names = resolveNames([...explicit, ...state.entries], state.setup);
    const before = this.#names;
    this.#state = state;
    this.#names = names;
    this.#resolveMs = performance.now() - started;
    this.#watch.refresh();
    // Comparing asks every tool; registering many by hand must not pay for it when nobody wants to know.
    if (this.#listeners.isEmpty) return () => compareEntries(before.byId, names.byId);
    const change = compareEntries(before.byId, names.byId);
    if (change.added.length + change.removed.length + change.changed.length > 0) this.#listeners.tell(change);
    return () => change;
  }

  /** One after the other: no step may build on a state that another is replacing. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #requireProject(what: string): ToolProject {
    if (this.#project !== undefined) return this.#project;
    throw new AiwError(
      "project_required",
      `A registry that was made by hand belongs to no project that could be ${what}.`,
      {
        fix: "Make the registry with discoverTools() of @aiw/core/node.",
      },
    );
  }
}
