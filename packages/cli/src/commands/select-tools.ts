import {
  AiwError,
  nearestNames,
  type Finding,
  type Principal,
  type Tool,
  type ToolCatalog,
  type ToolRegistry,
} from "@aiw/core";
import type { Invocation } from "../command.ts";
import { explainMissing } from "../output/explain-missing.ts";
import { oneLine } from "../output/one-line.ts";
import { RefusedError } from "../refused-error.ts";
import type { CliIo } from "../io.ts";
import { narrowToCaller } from "./caller/narrow-to-caller.ts";
import { readViewer, sayCaller, toFlags } from "./caller/read-caller.ts";
import { sayNoProject } from "./say-no-project.ts";

/** Which tools a command is about. */
export interface Selection {
  readonly tools: ToolCatalog;
  /** Whose view it is; absent for a view of everything. */
  readonly viewer: Principal | undefined;
  /** Full ids of tools that the viewer is not offered. */
  hidden(): readonly string[];
}

/**
 * Gives the tools of a toolset, or all of them when none is named; of these what the named caller is offered.
 * @throws UsageError for what is no caller
 * @throws AiwError `toolset_unknown`, `config_invalid`
 */
export async function selectTools(
  registry: ToolRegistry,
  invocation: Pick<Invocation, "flags" | "lists">,
): Promise<Selection> {
  const { toolset } = invocation.flags;
  const viewer = readViewer(invocation);
  const ground = typeof toolset === "string" ? registry.toolset(toolset) : registry;
  if (viewer === undefined) return { tools: ground, viewer, hidden: () => [] };
  return { viewer, ...(await narrowToCaller(registry, ground, viewer)) };
}

/** Where a name was looked for. */
export interface NameSearch extends Selection {
  readonly io: Pick<CliIo, "environment">;
  readonly registry: ToolRegistry;
  readonly toolset: string | boolean | undefined;
}

/**
 * Finds a tool by name or full id.
 * @throws RefusedError for one that the viewer is not offered
 * @throws AiwError `lock_missing`, `lock_drift`; `tool_not_found`, naming the project that was searched and the nearest names.
 */
export function findTool(name: string, { io, registry, tools, toolset, viewer, hidden }: NameSearch): Tool {
  if (tools.has(name)) return tools.getTool(name);
  const { dir } = registry.report.project;
  const id = registry.getEntry(name)?.id;
  if (viewer !== undefined && id !== undefined && hidden().includes(id))
    throw new RefusedError(
      `${name} is not offered to ${sayCaller(viewer)}.`,
      `aiw why ${quoteWord(name)} ${toFlags(viewer)}`,
    );
  if (registry.has(name)) {
    throw new AiwError("tool_not_found", `${name} is not in the toolset ${String(toolset)} of ${oneLine(dir)}.`, {
      fix: `Leave --toolset out, or see what is in it: aiw list --toolset ${String(toolset)}`,
    });
  }
  const none = registry.report.project.mode === "none" ? sayNoProject(registry.report, io) : undefined;
  const [reason] = explainMissing(name, registry.report);
  assertPinned(reason);
  const because = reason === undefined ? "" : ` ${reason.package}: ${reason.reason}`;
  throw new AiwError(
    "tool_not_found",
    `${describeNothing(name, registry, none?.reason)}${because || describeNearest(name, tools)}`,
    {
      fix: reason?.fix ?? none?.fix ?? `aiw why ${quoteWord(name)}`,
    },
  );
}

/** @throws AiwError `lock_missing`, `lock_drift` for a tool that is there and not as it is pinned */
function assertPinned(reason: Finding | undefined): void {
  if (reason?.code === "lock_missing" || reason?.code === "lock_drift")
    throw new AiwError(reason.code, `${reason.package}: ${reason.reason}`, { fix: reason.fix });
}

/** Says that a name is nobody's, and in which project. */
function describeNothing(name: string, { report }: ToolRegistry, instead: string | undefined): string {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  const place = instead === undefined ? ` in ${oneLine(report.project.dir)}.` : `. ${instead}`;
  return `No tool is called ${JSON.stringify(shown)}${place}`;
}

function describeNearest(name: string, tools: ToolCatalog): string {
  const nearest = nearestNames(
    name,
    tools.entries().flatMap((entry) => [entry.name, entry.id]),
  );
  return nearest.length === 0 ? "" : ` Nearest: ${nearest.join(", ")}.`;
}

/** A word as a person would have to type it. */
function quoteWord(word: string): string {
  return /^[\w@./:-]+$/.test(word) ? word : JSON.stringify(word);
}
