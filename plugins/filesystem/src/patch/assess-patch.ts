import { toFileResource, type Assessment, type ToolContext } from "@aiw/core";
import { isStartupFile, openWorkspace, type Workspace } from "@aiw/core/node";
import { findVariant } from "../files/name-variants.ts";
import { showName } from "../files/show-name.ts";
import type { FilesystemOptions } from "../options.ts";
import { foresee } from "../write/foresee.ts";
import { sizeIfThere } from "../write/size-if-there.ts";
import { parsePatch } from "./parse-patch.ts";
import type { PatchInput, PatchOutput } from "./patch-schema.ts";
import { pathsOf } from "./plan-patch.ts";
import { runPatch } from "./run-patch.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Judges a patch by the files it changes, and tries it without writing.
 * @throws ToolError for a patch that cannot be read or names what is never written, so that nobody is asked about it.
 */
export async function assessPatch(input: PatchInput, context: ToolContext<FilesystemOptions>): Promise<Assessment> {
  const { targets, assessment } = await assessTargets(input, context);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const sizes = await Promise.all(targets.map(async (target) => (await sizeIfThere(workspace, target)) ?? 0));
  const foresight = await foresee(input, {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    attempt: async () => {
      const { files } = await runPatch({ ...input, dry_run: true }, context);
      return files.flatMap(toPreview).join("\n");
    },
  });
  return { ...assessment, ...foresight };
}

/** What is done to a file, where no diff says it. */
function toPreview({ op, path, moved_from, diff }: PatchOutput["files"][number]): string[] {
  const moved = moved_from === undefined ? [] : [`${showName(moved_from)} → ${showName(path)}`];
  return [
    ...moved,
    ...(diff === "" && moved_from === undefined ? [`${op} ${showName(path)}`] : []),
    ...(diff === "" ? [] : [diff]),
  ];
}

interface AssessedTargets {
  readonly targets: readonly string[];
  readonly assessment: Assessment;
}

/** Judges a patch by where its files are: start-up files always ask (SEC-FS-9), a dry run changes nothing. */
async function assessTargets(
  { patch, path, dry_run }: PatchInput,
  context: ToolContext<unknown>,
): Promise<AssessedTargets> {
  const { sections } = parsePatch(patch, path);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const targets = new Set<string>();
  const startup: string[] = [];
  const names = sections.map(async (section) => {
    const [path = "", ...others] = pathsOf(section);
    return section.op === "add" ? [path] : [await existingName(workspace, path), ...others];
  });
  for (const name of new Set((await Promise.all(names)).flat())) {
    await workspace.assertMayWrite(name);
    const target = await workspace.realPath(name);
    targets.add(target);
    if (isStartupFile(name) || isStartupFile(target)) startup.push(showName(name));
  }
  return { targets: [...targets], assessment: judge([...targets], { startup, dryRun: dry_run }) };
}

function judge(
  targets: readonly string[],
  { startup, dryRun }: { readonly startup: readonly string[]; readonly dryRun: boolean },
): Assessment {
  const resources = targets.map((target) => toFileResource(target));
  if (dryRun) return { decision: "allow", reason: "A dry run writes nothing.", effects: READ_ONLY, resources };
  if (startup.length > 0) {
    const reason = `Shells, editors, agents or package managers obey ${startup.slice(0, 5).join(", ")} when they start.`;
    return { decision: "ask", reason, rule: "startup_file", resources };
  }
  const reason = `Patches ${targets.length} ${targets.length === 1 ? "file" : "files"} inside the workspace.`;
  return { decision: "allow", reason, resources };
}

/** The name of what a path means, which may be a look-alike. */
async function existingName(workspace: Workspace, path: string): Promise<string> {
  const isThere = (await sizeIfThere(workspace, path)) !== undefined;
  return isThere ? path : ((await findVariant(workspace, path)) ?? path);
}
