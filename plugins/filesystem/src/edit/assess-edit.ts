import type { Assessment, ToolContext } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import { findVariant } from "../files/name-variants.ts";
import type { FilesystemOptions } from "../options.ts";
import { assessTarget } from "../write/assess-write.ts";
import { foresee } from "../write/foresee.ts";
import { sizeIfThere } from "../write/size-if-there.ts";
import { editFile } from "./edit-file.ts";
import type { EditInput } from "./edit-schema.ts";

/**
 * Judges an edit by the file it would change, also where that has a look-alike name, and tries it without writing.
 * @throws ToolError for what no edit could do, so that nobody is asked about it.
 */
export async function assessEdit(input: EditInput, context: ToolContext<FilesystemOptions>): Promise<Assessment> {
  const { path, dry_run } = input;
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const size = await sizeIfThere(workspace, path);
  const found = size === undefined ? ((await findVariant(workspace, path)) ?? path) : path;
  const assessment = await assessTarget({ path: found, dry_run }, context);
  const foresight = await foresee(input, {
    bytes: size ?? (await sizeIfThere(workspace, found)) ?? 0,
    attempt: async () => (await editFile({ ...input, dry_run: true }, context)).diff,
  });
  return { ...assessment, ...foresight };
}
