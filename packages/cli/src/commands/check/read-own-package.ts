import * as path from "node:path";
import { AiwError } from "@aiw/core";
import { oneLine } from "../../output/one-line.ts";
import { readPackageJson } from "../author/read-author-package.ts";
import type { JsonRecord } from "./subject.ts";

/** A package as its author has it; what it says is judged later. */
export interface OwnPackage {
  /** Absolute. */
  readonly dir: string;
  /** Empty where there is none. */
  readonly name: string;
  readonly version: string;
  readonly packageJson: JsonRecord;
}

/**
 * Reads the package.json of a tool package, right or wrong.
 * @throws AiwError `package_not_buildable` for a folder without one, or one that declares no tools
 */
export async function readOwnPackage(folder: string): Promise<OwnPackage> {
  const dir = path.resolve(folder);
  const packageJson = await readPackageJson(dir);
  if (!("aiwhisperer" in packageJson)) {
    throw new AiwError(
      "package_not_buildable",
      `${oneLine(dir)} is no tool package: its package.json declares no tools.`,
      {
        fix: 'Write "aiwhisperer": { "apiVersion": 1, "tools": "./aiw-tools.json" } in package.json, then: aiw build',
      },
    );
  }
  const { name, version } = packageJson;
  return { dir, name: toText(name), version: toText(version), packageJson };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
