import { AiwError, nearestNames, type Tool, type ToolCatalog, type ToolRegistry } from "@aiw/core";
import { explainMissing } from "../output/explain-missing.ts";
import { oneLine } from "../output/one-line.ts";

/**
 * Gives the tools of a toolset, or all of them when none is named.
 * @throws AiwError `toolset_unknown`
 */
export function selectTools(registry: ToolRegistry, toolset: string | boolean | undefined): ToolCatalog {
  return typeof toolset === "string" ? registry.toolset(toolset) : registry;
}

/** The way out for whoever is in no project. */
export const MAKE_PROJECT = "Make one here: npm init -y, or go to one: --cwd DIR";

/** Where a name was looked for. */
export interface NameSearch {
  readonly registry: ToolRegistry;
  readonly tools: ToolCatalog;
  readonly toolset: string | boolean | undefined;
}

/**
 * Finds a tool by name or full id.
 * @throws AiwError `tool_not_found`, naming the project that was searched and the nearest names.
 */
export function findTool(name: string, { registry, tools, toolset }: NameSearch): Tool {
  if (tools.has(name)) return tools.getTool(name);
  const { dir } = registry.report.project;
  if (registry.has(name)) {
    throw new AiwError("tool_not_found", `${name} is not in the toolset ${String(toolset)} of ${oneLine(dir)}.`, {
      fix: `Leave --toolset out, or see what is in it: aiw list --toolset ${String(toolset)}`,
    });
  }
  const [reason] = explainMissing(name, registry.report);
  const because = reason === undefined ? "" : ` ${reason.package}: ${reason.reason}`;
  throw new AiwError("tool_not_found", `${describeNothing(name, registry)}${because || describeNearest(name, tools)}`, {
    fix: reason?.fix ?? (registry.report.project.mode === "none" ? MAKE_PROJECT : `aiw why ${quoteWord(name)}`),
  });
}

/** Says that a name is nobody's, and in which project. */
function describeNothing(name: string, { report }: ToolRegistry): string {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  const { dir, mode } = report.project;
  const place = mode === "none" ? `${oneLine(dir)}, which is in no project` : oneLine(dir);
  return `No tool is called ${JSON.stringify(shown)} in ${place}.`;
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
