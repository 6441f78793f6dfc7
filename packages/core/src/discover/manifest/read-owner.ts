import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { parsePackagePath } from "../files/package-path.ts";
import { messageOf, notWritable } from "./not-writable.ts";

/** Whose manifest it is, and where the declaration wants it. */
export interface ManifestOwner {
  readonly name: string;
  readonly version: string;
  /** Of the manifest, relative to the package. */
  readonly path: string;
}

const DEFAULT_PATH = "./aiw-tools.json";

/**
 * Reads from a package's package.json whose manifest is written.
 * @throws AiwError `manifest_not_writable`
 */
export async function readOwner(directory: string): Promise<ManifestOwner> {
  const file = path.join(directory, "package.json");
  const { name, version, aiwhisperer } = await readPackageJson(file);
  if (typeof name !== "string" || name === "" || typeof version !== "string" || version === "") {
    throw notWritable(
      `${file} has no name or no version.`,
      "Give the package both: they say for what the manifest was written.",
    );
  }
  const declared: unknown =
    typeof aiwhisperer === "object" && aiwhisperer !== null && "tools" in aiwhisperer ? aiwhisperer.tools : undefined;
  const parsed = parsePackagePath(typeof declared === "string" ? declared : DEFAULT_PATH, [".json"]);
  return { name, version, path: parsed.problem === undefined ? parsed.path : DEFAULT_PATH };
}

async function readPackageJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch (cause) {
    throw notWritable(
      `${file} cannot be read: ${messageOf(cause)}`,
      "Name the folder of the package's package.json.",
      cause,
    );
  }
}
