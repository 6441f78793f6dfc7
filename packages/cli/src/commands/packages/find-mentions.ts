import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { toShown } from "../../output/to-shown.ts";
import { isRecord } from "./open-package-project.ts";

/** What a configuration may name. */
export interface Mentioned {
  readonly name: string;
  readonly tools: readonly string[];
}

/** Levels of a configuration that are looked into. */
const MAX_DEPTH = 16;

/** Finds the places of the project's aiw.config.json whose key or text is a package, its full ids, or the name of one of its tools. */
export async function findMentions(dir: string, mentioned: Mentioned): Promise<string[]> {
  const text = await readFile(path.join(dir, "aiw.config.json"), "utf8").catch(() => "{}");
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return listPlaces(value, mentioned, []).map((place) => toShown(place));
  } catch {
    // A configuration that cannot be read has a finding of its own.
    return [];
  }
}

function listPlaces(value: unknown, mentioned: Mentioned, at: readonly string[]): string[] {
  if (at.length > MAX_DEPTH) return [];
  if (typeof value === "string") return isMentioned(value, mentioned) ? [at.join(".")] : [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => listPlaces(item, mentioned, [...at, String(index)]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    isMentioned(key, mentioned) ? [[...at, key].join(".")] : listPlaces(member, mentioned, [...at, key]),
  );
}

function isMentioned(text: string, { name, tools }: Mentioned): boolean {
  return text === name || text.startsWith(`${name}/`) || tools.includes(text);
}
