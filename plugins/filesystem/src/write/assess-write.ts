import { toFileResource, type Assessment, type ToolContext } from "@aiw/core";
import { isStartupFile, openWorkspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import type { FilesystemOptions } from "../options.ts";
import { foresee } from "./foresee.ts";
import { sizeIfThere } from "./size-if-there.ts";
import type { WriteInput } from "./write-schema.ts";
import { writeText } from "./write-text.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Judges a write by where it lands, and tries it without writing.
 * @throws ToolError for what no write could do, so that nobody is asked about it.
 */
export async function assessWrite(input: WriteInput, context: ToolContext<FilesystemOptions>): Promise<Assessment> {
  const assessment = await assessTarget(input, context);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const foresight = await foresee(input, {
    bytes: (await sizeIfThere(workspace, input.path)) ?? 0,
    attempt: async () => (await writeText({ ...input, dry_run: true }, context)).diff,
  });
  return { ...assessment, ...foresight };
}

/**
 * Judges a change of a file by where that is: start-up files always ask (SEC-FS-9), a dry run changes nothing.
 * @throws ToolError for a path that is never written.
 */
export async function assessTarget(
  { path, dry_run }: Pick<WriteInput, "path" | "dry_run">,
  context: ToolContext<unknown>,
): Promise<Assessment> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  await workspace.assertMayWrite(path);
  const target = await workspace.realPath(path);
  const resources = [toFileResource(target)];
  if (dry_run) return { decision: "allow", reason: "A dry run writes nothing.", effects: READ_ONLY, resources };
  if (isStartupFile(path) || isStartupFile(target)) {
    const reason = `Shells, editors, agents or package managers obey ${showName(path)} when they start.`;
    return { decision: "ask", reason, rule: "startup_file", resources };
  }
  return { decision: "allow", reason: "Writes one file inside the workspace.", resources };
}
