import * as path from "node:path";
import { AiwError } from "@aiw/core";
import type { Diagnostic } from "@aiw/compiler";
import type { ManifestMaker, MadeManifest } from "../author/manifest/manifest-maker.ts";
import { readAuthorPackage } from "../author/read-author-package.ts";
import { adviseDeclaration, declareManifest } from "./declare-manifest.ts";
import { assertManifestPlace, removeManifest, replaceFile } from "./manifest-file.ts";

/** How one build ended. */
export type BuildOutcome = BuiltManifest | FailedBuild;

/** A manifest that is on disk. */
export interface BuiltManifest extends Pick<MadeManifest, "author" | "path" | "tools" | "diagnostics" | "notes"> {
  readonly kind: "built";
  /** False when the same bytes were there. */
  readonly changed: boolean;
  /** Edits of package.json: made with `--write`, else advised. */
  readonly edits: readonly string[];
  readonly edited: boolean;
}

/** No manifest could be made. */
export interface FailedBuild {
  readonly kind: "failed";
  readonly error: AiwError;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the author asked for beside the manifest. */
export interface BuildOptions {
  /** Edits package.json where it does not say what it should. */
  readonly write: boolean;
}

/** Makes the manifest and writes it. */
export async function buildOnce(maker: ManifestMaker, { write }: BuildOptions): Promise<BuildOutcome> {
  try {
    const { author, path: file, text, tools, diagnostics, notes } = await maker.make();
    await assertManifestPlace(file);
    const changed = await replaceFile(file, text);
    const { edits, remarks } = adviseDeclaration(author);
    const edited = write && edits.length > 0 && (await declareManifest(author));
    return {
      kind: "built",
      author,
      path: file,
      tools,
      diagnostics,
      notes: [...notes, ...remarks],
      changed,
      edits,
      edited,
    };
  } catch (error) {
    if (!AiwError.is(error)) throw error;
    const diagnostics = (error.details?.["diagnostics"] ?? []) as readonly Diagnostic[];
    return { kind: "failed", error, diagnostics };
  }
}

/** A manifest of an earlier build must not be packed for what cannot be built now; the path of what was removed. */
export async function removeStale(dir: string): Promise<string | undefined> {
  const author = await readAuthorPackage(dir).catch(() => undefined);
  if (author === undefined) return undefined;
  const file = path.join(author.dir, author.manifestPath);
  return (await removeManifest(file)) ? file : undefined;
}
