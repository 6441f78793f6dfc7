import { basename, dirname, join } from "node:path";
import { ToolError, toFileResource, type Assessment } from "@aiw/core";
import { isStartupFile, type Workspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";

/** A change that cannot be made as things are, though an earlier call may mend that. */
export interface UnplannedChange {
  /** All paths the call names. */
  readonly named: readonly string[];
  /** Those whose files come or go. */
  readonly changed: readonly string[];
  /** What the change does, in a sentence. */
  readonly reason: string;
  readonly failure: ToolError;
}

/** Judges by its paths alone what cannot be made as things are; it is judged once more just before it runs. */
export async function assessUnplanned(
  workspace: Workspace,
  { named, changed, reason, failure }: UnplannedChange,
): Promise<Assessment> {
  const resources = await Promise.all(named.map(async (path) => toFileResource(await placeOf(workspace, path))));
  const places = await Promise.all(changed.map(async (path) => await placeOf(workspace, path)));
  const startup = [...changed, ...places].find((path) => isStartupFile(path));
  return startup === undefined
    ? { decision: "allow", reason, resources, failure }
    : { decision: "ask", reason: nameStartupFile(startup), rule: "startup_file", resources, failure };
}

/** Why a change of a start-up file is asked about. */
export function nameStartupFile(shown: string): string {
  return `Shells, editors, agents or package managers may obey ${showName(shown)} when they start.`;
}

/** Where an entry is or would be, a link at its end not followed. */
async function placeOf(workspace: Workspace, path: string): Promise<string> {
  const absolute = workspace.resolve(path);
  try {
    return join(await workspace.realPath(dirname(absolute)), basename(absolute));
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return absolute;
    throw error;
  }
}
