import type { Tool } from "../contract/tool.ts";
import type { ToolEntry, ToolSource } from "../contract/tool-source.ts";
import type { AiwConfig } from "../config/aiw-config.ts";
import {
  defineFunction,
  type CompiledFacts,
  type FunctionFacts,
  type ParameterNames,
  type ToolFunction,
} from "../define/define-function.ts";
import type { NoInput } from "../define/define-tool.ts";
import type { ToolSchema } from "../schema/to-json-schema.ts";
import { ChangeListeners, NO_CHANGE, type RegistryListener, type ToolsChange } from "./change-listeners.ts";
import { composeReport, isReportingSource } from "./compose-report.ts";
import type { DiscoveryReport, Finding } from "./discovery-report.ts";
import { ExplicitTools, type RegisterOptions } from "./explicit-tools.ts";
import { findUnmatched } from "./unmatched/find-unmatched.ts";
import { loadCode } from "./load-code.ts";
import { openToolset } from "./open-toolset.ts";
import { createState, extendState, loadState, reloadState, type RegistryState } from "./registry-state.ts";
import type { ResolvedNames } from "./resolve-names.ts";
import { SharedWatch, type StopWatching } from "./shared-watch.ts";
import { toReloadFinding } from "./to-reload-finding.ts";
import { ToolCatalog } from "./tool-catalog.ts";
import { ToolSnapshot } from "./tool-snapshot.ts";
import { requireProject, type LoadingListener, type RegistrySetup, type ToolProject } from "./tool-project.ts";
import { Turns } from "./turns.ts";

export type { RegisterOptions } from "./explicit-tools.ts";

/** What a registry starts with. */
export interface ToolRegistryOptions extends Partial<RegistrySetup> {
  /** Asked for everything else, now and at every reload. */
  readonly project?: ToolProject;
}

/** Which tools exist: who owns each name, what may be told of it, where its code is. */
export class ToolRegistry extends ToolCatalog {
  readonly #project: ToolProject | undefined;
  readonly #explicit = new ExplicitTools();
  readonly #added: ToolSource[] = [];
  readonly #listeners = new ChangeListeners();
  readonly #watch: SharedWatch;
  readonly #turns = new Turns();
  #isSetUp: boolean;
  readonly #snapshot: ToolSnapshot;
  #trouble: readonly Finding[] = [];
  #reload: Promise<ToolsChange> | undefined;

  constructor({ project, ...setup }: ToolRegistryOptions = {}) {
    super(() => this.#names);
    this.#project = project;
    this.#isSetUp = project === undefined;
    this.#watch = new SharedWatch((watcher) => requireProject(project, "watched").watch(watcher));
    this.#snapshot = new ToolSnapshot(createState({ sources: [], config: {}, ...setup }), {
      explicit: this.#explicit,
      listeners: this.#listeners,
      exchanged: () => this.#watch.refresh(),
    });
  }

  /** The configuration the tools were found under; empty for a registry made by hand. */
  get config(): AiwConfig {
    return this.#state.setup.config;
  }

  /**
   * Adds a tool by hand; it wins over every tool that was found.
   * @throws AiwError `tool_name_taken`, `tool_definition_invalid`, `contract_version_unsupported`
   */
  register(tool: Tool, options: RegisterOptions = {}): void {
    this.#explicit.add(tool, options);
    // A tool of code has its name against all others, so nothing can fail later.
    this.#snapshot.include();
  }

  /**
   * Makes a tool of a function and a schema, or its compiled definition, adds it as `register` does, and gives it.
   * @throws AiwError `tool_definition_invalid`, `schema_not_convertible`, `tool_name_taken`
   */
  registerFunction(run: object, compiled: CompiledFacts & RegisterOptions): Tool;
  registerFunction<const Input extends ToolSchema = NoInput, const Names extends ParameterNames = undefined>(
    run: ToolFunction<Input, Names>,
    facts: FunctionFacts<Input, Names> & RegisterOptions,
  ): Tool;
  registerFunction(run: object, facts: (CompiledFacts | FunctionFacts) & RegisterOptions): Tool {
    const { override = false, options, ...rest } = facts ?? {};
    // Either kind of facts: what they are is seen where the tool is made.
    const tool = defineFunction(run, rest as CompiledFacts);
    this.register(tool, { override, options });
    return tool;
  }

  /**
   * Takes back what `register` added; a tool found under that name answers to it again.
   * @throws AiwError `tool_ambiguous` when several would and duplicates are refused; nothing changes then.
   */
  unregister(name: string): boolean {
    const putBack = this.#explicit.remove(name);
    if (putBack === undefined) return false;
    try {
      this.#snapshot.commit(this.#state);
    } catch (error) {
      putBack();
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
   * @throws AiwError `project_required`; `lock_drift`, `lock_missing` where a lock must hold
   */
  async scan(directory: string): Promise<readonly ToolEntry[]> {
    const source = await requireProject(this.#project, "searched").openDirectory(directory);
    const former = this.#added.findIndex(({ name }) => name === source.name);
    const replaced = this.#added.splice(former < 0 ? this.#added.length : former, 1, source);
    try {
      await this.expand();
    } catch (error) {
      // What says no to the whole project must not go on doing so.
      const at = this.#added.indexOf(source);
      if (at >= 0) this.#added.splice(at, 1, ...replaced);
      throw error;
    }
    return (this.#state.bySource.get(source) ?? []).filter(({ id }) => this.has(id));
  }

  /** Asks the sources that were not asked yet what they have; runs no tool code. */
  readSources(): Promise<void> {
    return this.#turns.take(() => this.#readAll());
  }

  /** Runs the code that alone can say which tools there are; a package that fails is left out and reported. */
  expand(): Promise<void> {
    return this.#turns.take(() => this.#expandAll());
  }

  /** True while code that has not run may bring more tools. */
  get isExpandable(): boolean {
    const isAllKnown = this.#state.isExpanded && this.#sources.every((source) => this.#state.bySource.has(source));
    return !isAllKnown && this.#sources.some(({ expand }) => expand !== undefined);
  }

  /** Also loads the definitions that only code can tell; a tool that fails is left out and reported. */
  load(): Promise<void> {
    return this.#turns.take(() => this.#loadAll());
  }

  /** Also runs the code of tools whose definitions are listed, to see whether it keeps them; the report says what does not. */
  loadCode(): Promise<void> {
    return this.#turns.take(async () => {
      await this.#loadAll();
      this.#snapshot.commit(await loadCode(this.#state, this.config.isolation));
    });
  }

  /** Tells which packages' code is being loaded, at each change; returns the function that ends it. */
  onLoading(listener: LoadingListener): () => void {
    return this.#project?.onLoading?.(listener) ?? (() => undefined);
  }

  /**
   * Reads configuration and sources again and exchanges the tools at once; calls that run keep theirs, and a failure changes
   * nothing. What is asked for while a reload runs is one more, shared by all who ask.
   * @throws AiwError as reading the project does; it is in the report and told to listeners too.
   */
  reloadTools(): Promise<ToolsChange> {
    this.#reload ??= this.#turns.take(() => {
      this.#reload = undefined;
      return this.#reloadAll();
    });
    return this.#reload;
  }

  /** Tells of every change of the tools, and of reloads that failed; returns the function that ends it. */
  onChange(listener: RegistryListener): () => void {
    this.#snapshot.settle();
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
    return openToolset(name, () => ({ names: this.#names, toolsets: this.config.toolsets ?? {} }));
  }

  /** What was found, refused, missing, left out and shadowed, as known now. */
  get report(): DiscoveryReport {
    const { findings, kept } = this.#state;
    return composeReport({
      sources: this.#sources,
      findings: [...findings, ...this.#trouble],
      kept,
      shadowed: this.#names.shadowed,
      findUnmatched: this.#isOpaque
        ? undefined
        : (place) => findUnmatched({ config: this.config, tools: this.#listed, names: this.#names }, place),
      resolveMs: this.#snapshot.resolveMs,
    });
  }

  /** Code of a source that does not report which of its tools nobody knows yet may bring every name. */
  get #isOpaque(): boolean {
    const isAsked = this.#sources.every((source) => this.#state.bySource.has(source));
    return !isAsked || (this.isExpandable && this.#sources.some((one) => one.expand && !isReportingSource(one)));
  }

  /** Every tool that is known, switched off or not. */
  get #listed(): ToolEntry[] {
    return [...this.#explicit.entries, ...[...this.#state.bySource.values()].flat()];
  }

  get #names(): ResolvedNames {
    return this.#snapshot.names;
  }

  get #state(): RegistryState {
    return this.#snapshot.state;
  }

  get #sources(): ToolSource[] {
    return [...this.#state.setup.sources, ...this.#added];
  }

  async #readAll(): Promise<void> {
    const setup = this.#isSetUp ? this.#state.setup : await this.#readSetup();
    const sources = [...setup.sources, ...this.#added];
    if (this.#isSetUp && sources.every((source) => this.#state.bySource.has(source))) return;
    this.#snapshot.commit(await extendState({ setup, sources, former: this.#state }, { expand: false }));
    this.#isSetUp = true;
  }

  async #expandAll(): Promise<void> {
    await this.#readAll();
    if (!this.isExpandable) return;
    const { setup } = this.#state;
    this.#snapshot.commit(await extendState({ setup, sources: this.#sources, former: this.#state }, { expand: true }));
  }

  async #loadAll(): Promise<void> {
    await this.#expandAll();
    const { isLoaded, entries } = this.#state;
    // Another snapshot would make everybody compile the same definitions again.
    if (!isLoaded || entries.some(({ spec }) => spec === undefined))
      this.#snapshot.commit(await loadState(this.#state));
  }

  async #reloadAll(): Promise<ToolsChange> {
    try {
      const setup = await this.#readSetup();
      const state = await reloadState({ setup, sources: [...setup.sources, ...this.#added], former: this.#state });
      this.#trouble = this.#trouble.filter(({ code }) => code !== "reload_failed");
      return this.#snapshot.commit(state)();
    } catch (error) {
      const finding = toReloadFinding(error, this.report.project);
      this.#trouble = [...this.#trouble.filter(({ code }) => code !== finding.code), finding];
      this.#listeners.tell({ ...NO_CHANGE, error });
      throw error;
    }
  }

  async #readSetup(): Promise<RegistrySetup> {
    return (await this.#project?.read()) ?? this.#state.setup;
  }
}
