import { ToolError, type ToolContext } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { Turns } from "../edit/turns.ts";
import type { FilesystemOptions } from "../options.ts";
import type { ReadState } from "../read-state.ts";
import { parsePatch } from "./parse-patch.ts";
import { toFileFailure, toHunkFailures, toPatchError, type PatchFailure } from "./patch-failure.ts";
import type { PatchSection } from "./patch-file.ts";
import { PatchFiles } from "./patch-files.ts";
import type { PatchInput } from "./patch-schema.ts";
import { isLasting } from "../write/foresee.ts";
import { HunksFailed } from "./hunks-failed.ts";
import { planSection } from "./plan-section.ts";
import type { PlannedSection, SectionScope } from "./planned-section.ts";

/** What a patch comes to, before anything is written. */
export interface PatchPlan {
  readonly sections: readonly PlannedSection[];
  /** What does not apply; only where the caller accepts that. */
  readonly failures: readonly PatchFailure[];
  readonly files: PatchFiles;
}

/** What planning needs. */
export interface PatchScope {
  readonly workspace: Workspace;
  readonly state: ReadState;
  readonly context: ToolContext<FilesystemOptions>;
  /** Characters that failures may take. */
  readonly room: number;
  /** Line numbers in the patch say nothing any more. */
  readonly isLate?: boolean;
}

/**
 * Reads a patch and finds out what each of its files would become.
 * @throws ToolError when it cannot be read, or a part of it does not apply and the caller wants all or nothing; what leads outside or is
 * protected fails the patch whatever the caller wants.
 */
export async function planPatch(
  input: PatchInput,
  { workspace, state, context, room, isLate = false }: PatchScope,
): Promise<PatchPlan> {
  const { signal } = context;
  const patch = parsePatch(input.patch, input.path);
  const files = new PatchFiles({ workspace, state, signal });
  const hardLinks = context.options.hard_links;
  const scope: SectionScope = { workspace, files, partial: input.partial, turns: new Turns(signal), hardLinks };
  const sections: PlannedSection[] = [];
  const failures: PatchFailure[] = [];
  let cause: unknown;
  for (const given of patch.sections) {
    const section = isLate ? withoutNumbers(given) : given;
    signal.throwIfAborted();
    await scope.turns.next();
    const planned = await attempt(section, scope).catch(async (error: unknown) => {
      if (!(error instanceof PartFailed)) throw error;
      failures.push(...error.failures);
      cause ??= error.cause;
      for (const path of pathsOf(section)) await files.breakPath(path);
    });
    if (planned === undefined) continue;
    sections.push(planned);
    failures.push(...toHunkFailures(section, planned.shown, planned.failed));
  }
  if (failures.length > 0 && (!input.partial || sections.length === 0)) throw toPatchError(failures, { room, cause });
  return { sections, failures, files };
}

function withoutNumbers(section: PatchSection): PatchSection {
  if (section.op !== "update") return section;
  const hunks = section.hunks.map(({ oldStart: _, ...hunk }) => hunk);
  return { ...section, hunks };
}

/** Every path a section names. */
export function pathsOf(section: PatchSection): string[] {
  return section.op === "update" && section.movedTo !== undefined ? [section.path, section.movedTo] : [section.path];
}

/** A part of a patch that does not apply, while others may. */
class PartFailed extends Error {
  readonly failures: readonly PatchFailure[];
  constructor(failures: readonly PatchFailure[], cause: unknown) {
    super("a part of the patch failed", { cause });
    this.failures = failures;
  }
}

async function attempt(section: PatchSection, scope: SectionScope): Promise<PlannedSection | undefined> {
  const { files } = scope;
  // A file that an earlier section could not make fit has nothing more to say.
  for (const path of pathsOf(section)) if (await files.isBroken(path)) return undefined;
  try {
    return await planSection(section, scope);
  } catch (error) {
    if (error instanceof HunksFailed) {
      throw new PartFailed(toHunkFailures(section, files.show(section.path), error.hunks), error);
    }
    if (!ToolError.is(error) || isLasting(error)) throw error;
    throw new PartFailed([toFileFailure(section, files.show(section.path), error)], error);
  }
}
