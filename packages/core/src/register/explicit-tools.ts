import type { Tool } from "../contract/tool.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { assertUsable } from "./assert-usable.ts";
import { createEntry } from "./create-entry.ts";
import { compareText } from "./create-finding.ts";
import { rememberTool } from "./lazy-tool.ts";

/** Settings of one registration. */
export interface RegisterOptions {
  /** Replaces the tool registered under that name. */
  readonly override?: boolean;
  /** The tool's settings, as a package would be configured. */
  readonly options?: unknown;
}

/** The tools that code registered by hand. */
export class ExplicitTools {
  readonly #entries = new Map<string, ToolEntry>();

  /** Sorted by name. */
  get entries(): ToolEntry[] {
    return [...this.#entries.values()].toSorted((a, b) => compareText(a.name, b.name));
  }

  /** @throws AiwError `tool_name_taken`, `tool_definition_invalid`, `contract_version_unsupported` */
  add(tool: Tool, { override = false, options }: RegisterOptions): void {
    assertUsable(tool);
    const { spec } = tool;
    if (!override && this.#entries.has(spec.name)) {
      throw new AiwError("tool_name_taken", `A tool called ${spec.name} is registered already.`, {
        fix: `Pass { override: true }, or unregister("${spec.name}") first.`,
      });
    }
    const load = async (): Promise<Tool> => (tool.load === undefined ? tool : await tool.load());
    const entry = createEntry({ id: spec.name, name: spec.name, origin: { source: "explicit" }, spec, options, load });
    rememberTool(entry, tool);
    this.#entries.set(spec.name, entry);
  }

  /** Gives what puts the tool back; undefined when there is none. */
  remove(name: string): (() => void) | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    return () => void this.#entries.set(name, entry);
  }
}
