import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { isToolSpec, type ToolSpec } from "@aiw/core";
import { isRecord } from "../author/declared-tools.ts";
import { membersOf } from "./judge/finding.ts";
import { readManifestPath } from "./judge/judge-manifest.ts";
import type { JsonRecord, PackedFile, ReadManifest } from "./subject.ts";

/** Bytes a manifest may have, as hosts read it. */
const MAX_MANIFEST = 8 * 1024 * 1024;

/** Reads a JSON object of the unpacked package; nothing where there is none. */
export async function readPackedJson(
  dir: string,
  file: string,
): Promise<{ text: string; value: JsonRecord } | undefined> {
  try {
    const text = await readFile(path.join(dir, file), "utf8");
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(value) ? { text, value } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the declared manifest as it is packed; what hosts refuse as a whole is not looked at tool by tool. */
export async function readPackedManifest({
  dir,
  files,
  packageJson,
}: {
  readonly dir: string;
  readonly files: readonly PackedFile[];
  readonly packageJson: JsonRecord;
}): Promise<ReadManifest | undefined> {
  const file = readManifestPath(packageJson);
  const bytes = files.find((one) => one.path === file)?.bytes;
  if (file === undefined || bytes === undefined || bytes > MAX_MANIFEST) return undefined;
  const read = await readPackedJson(dir, file);
  if (read === undefined) return undefined;
  const tools: unknown[] = Array.isArray(read.value["tools"]) ? read.value["tools"] : [];
  const specs = tools
    .map((tool) => new Map(membersOf(tool)).get("spec"))
    .filter((spec): spec is ToolSpec => isToolSpec(spec));
  return { file, ...read, specs };
}
