import type { Finding } from "@aiw/core";
import { inspectLayout, type ProjectLayout } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";
import { oneLine } from "../../output/one-line.ts";
import { findingsFor, type Listing } from "./listing.ts";
import { sayNoProject } from "../say-no-project.ts";
import { listMembers } from "./list-members.ts";

/** Why a list is empty. */
export interface EmptyList {
  readonly text: string;
  /** What keeps tools away that no list shows otherwise. */
  readonly narrowing: readonly Finding[];
}

/** Says why there are no tools: what narrows or failed comes first, and what to install only where nothing else is the cause. */
export async function sayNone(
  { report, toolset, selection }: Pick<Listing, "report" | "toolset" | "selection">,
  io: Pick<CliIo, "environment">,
): Promise<EmptyList> {
  const { dir, dependencies, mode } = report.project;
  const place = oneLine(dir);
  if (mode === "none") {
    const { reason, fix } = sayNoProject(report, io);
    return told(`No tools. ${reason} ${fix}`);
  }
  if (selection !== undefined && selection.hidden().length > 0)
    return told(`No tools in ${place} are offered to this caller. All of them: aiw list`);
  if (typeof toolset === "string" && report.found.some(({ tools }) => tools === undefined || tools.length > 0))
    return told(`No tools of the toolset ${toolset} in ${place}. All of them: aiw list`);
  const read = dependencies === 1 ? "1 dependency" : `${dependencies} dependencies`;
  const none = `No tools in ${place} (${read} read)`;
  const narrowing = report.notEnabled.filter(({ code }) => code === "disabled_by_config");
  if (narrowing.length > 0) return { text: `${none}: what could be there is switched off.`, narrowing };
  if (findingsFor(report).length > 0 || report.found.length > 0)
    return told(`${none}: what is installed cannot be listed.`);
  const members = await listMembers(dir, io);
  if (members.length > 0) {
    const named = members.map(({ name, tools }) => `${oneLine(name)} (${tools})`).join(", ");
    return told(
      `${none}. Members of this workspace have tools: ${named}. Look there: aiw list --cwd ${members[0]?.name}`,
    );
  }
  return told(`${none}. Install some: ${await readAddCommand(dir, io)} @aiw/plugin-filesystem`);
}

function told(text: string): EmptyList {
  return { text, narrowing: [] };
}

async function readAddCommand(dir: string, { environment }: Pick<CliIo, "environment">): Promise<string> {
  return toAddCommand(await inspectLayout(dir, { environment }));
}

/** What a person of the project types to add a package. */
export function toAddCommand({ manager }: Pick<ProjectLayout, "manager">): string {
  return `${manager} ${manager === "npm" ? "install" : "add"}`;
}
