import { CONTRACT_VERSION, isTool, type Tool } from "../contract/tool.ts";
import type { ToolEntry, ToolSource } from "../contract/tool-source.ts";
import type { AiwConfig } from "../config/aiw-config.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { validateSpec } from "../schema/validate-spec.ts";
import { compareText } from "./create-finding.ts";
import { createEntry } from "./create-entry.ts";
import type { DiscoveryReport, Finding } from "./discovery-report.ts";
import { rememberTool } from "./lazy-tool.ts";
import { loadSpecs, readSources, type ReadSources } from "./read-sources.ts";
import { ToolCatalog } from "./tool-catalog.ts";
import { resolveNames, type NamePolicy, type ResolvedNames } from "./resolve-names.ts";
import { composeReport } from "./compose-report.ts";

/** What a registry starts with. */
export interface ToolRegistryOptions extends NamePolicy {
  readonly sources?: readonly ToolSource[];
  /** Package keys, full ids or tool names that no source may bring in. */
  readonly disabled?: readonly string[];
  readonly config?: AiwConfig;
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
  /** The configuration the tools were found under; empty for a registry made by hand. */
  readonly config: AiwConfig;
  readonly #policy: NamePolicy;
  readonly #disabled: ReadonlySet<string>;
  readonly #sources: ToolSource[];
  readonly #explicit = new Map<string, ToolEntry>();
  #listed: readonly ToolEntry[] = [];
  #bySource: ReadSources["listed"] = new Map();
  #findings: readonly Finding[] = [];
  #resolveMs = 0;
  #reading: Promise<void> | undefined;
  #expanding: Promise<void> | undefined;
  #isExpanded = false;
  #loading: Promise<void> | undefined;
  #names: ResolvedNames = resolveNames([]);

  constructor(options: ToolRegistryOptions = {}) {
    super(() => this.#names);
    const { sources = [], disabled = [], config = {}, ...policy } = options;
    this.config = config;
    this.#policy = policy;
    this.#disabled = new Set(disabled);
    this.#sources = [...sources];
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
    this.#resolve();
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
      this.#resolve();
    } catch (error) {
      this.#explicit.set(name, entry);
      throw error;
    }
    return true;
  }

  /** Adds a source; the next `readSources` or `load` asks it. */
  addSource(source: ToolSource): void {
    this.#sources.push(source);
    this.#reading = undefined;
    this.#expanding = undefined;
  }

  /** Asks the sources what they have, again when one was added; runs no tool code. */
  readSources(): Promise<void> {
    this.#reading ??= this.#readAll().catch((error: unknown) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }

  /** Runs the code that alone can say which tools there are; a package that fails is left out and reported. */
  expand(): Promise<void> {
    this.#expanding ??= this.#expandAll().catch((error: unknown) => {
      this.#expanding = undefined;
      throw error;
    });
    return this.#expanding;
  }

  /** True while code that has not run may bring more tools. */
  get isExpandable(): boolean {
    return !this.#isExpanded && this.#sources.some(({ expand }) => expand !== undefined);
  }

  /** Also loads the definitions that only code can tell; a tool that fails is left out and reported. */
  load(): Promise<void> {
    this.#loading ??= this.#loadAll().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** What was found, refused, missing, left out and shadowed, as known now. */
  get report(): DiscoveryReport {
    return composeReport({
      sources: this.#sources,
      findings: this.#findings,
      shadowed: this.#names.shadowed,
      resolveMs: this.#resolveMs,
    });
  }

  async #readAll(): Promise<void> {
    this.#expanding = undefined;
    this.#isExpanded = false;
    this.#take(await readSources(this.#sources, { disabled: this.#disabled }));
  }

  async #expandAll(): Promise<void> {
    await this.readSources();
    if (!this.isExpandable) return;
    this.#take(await readSources(this.#sources, { disabled: this.#disabled, listed: this.#bySource }));
    this.#isExpanded = true;
  }

  #take({ entries, findings, listed }: ReadSources): void {
    // Definitions that code has told stay known; the code will not run again to tell them.
    const told = new Map(
      this.#listed.flatMap((entry) => (entry.spec === undefined ? [] : [[entry.id, entry] as const])),
    );
    this.#listed = entries.map((entry) => (entry.spec === undefined ? (told.get(entry.id) ?? entry) : entry));
    this.#bySource = listed;
    this.#findings = findings;
    this.#resolve();
  }

  async #loadAll(): Promise<void> {
    await this.expand();
    const { entries, findings } = await loadSpecs(this.#listed, this.#sources);
    this.#listed = entries;
    this.#findings = [...this.#findings, ...findings];
    this.#resolve();
  }

  /** Replaces the snapshot at once; whoever holds the former one keeps it whole. */
  #resolve(): void {
    const started = performance.now();
    const explicit = [...this.#explicit.values()].toSorted((a, b) => compareText(a.name, b.name));
    this.#names = resolveNames([...explicit, ...this.#listed], this.#policy);
    this.#resolveMs = performance.now() - started;
  }
}

function assertUsable(tool: unknown): asserts tool is Tool {
  if (!isTool(tool)) {
    throw new AiwError("tool_definition_invalid", "What is registered must be a tool.", {
      fix: "Make it with defineTool, BaseTool or adaptTool.",
    });
  }
  if (!(tool.contractVersion <= CONTRACT_VERSION)) {
    throw new AiwError(
      "contract_version_unsupported",
      `The tool speaks contract version ${String(tool.contractVersion)}, this host ${CONTRACT_VERSION}.`,
      { fix: "npm install @aiw/core@latest" },
    );
  }
  const issues = validateSpec(tool.spec);
  if (issues.length === 0) return;
  const lines = issues.map(({ pointer, message }) => `${pointer || "/"} ${message}`);
  throw new AiwError("tool_definition_invalid", `The tool's spec is wrong: ${lines.join("; ")}.`, {
    fix: "Correct the fields named in the definition.",
    details: { issues },
  });
}
