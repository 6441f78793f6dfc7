import path from "node:path";
import type { Finding } from "../repo/finding.ts";
import { isNodeBuiltin, readImports } from "../repo/imports.ts";

/** Reads built files by absolute path; undefined when there is none. */
export type ReadBuilt = (file: string) => string | undefined;

/** Which built files stand for our packages: `@aiw/core` to the path of its root door. */
export type BuiltDoors = Readonly<Record<string, string>>;

/** Follows what a built door loads at once and finds modules of Node among it. */
export function checkBuiltDoor(door: string, doors: BuiltDoors, read: ReadBuilt): Finding[] {
  const start = doors[door] ?? "";
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const queue: { file: string; trail: string }[] = [{ file: start, trail: door }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { file, trail } = next;
    if (seen.has(file)) continue;
    seen.add(file);
    const text = read(file);
    if (text === undefined) {
      findings.push({ file, rule: "a built door loads", repair: `It is missing; run the build. Loaded by ${trail}.` });
      continue;
    }
    for (const { specifier, kind } of readImports(file, text)) {
      if (kind !== "static") continue;
      const target = specifier.startsWith(".") ? path.join(path.dirname(file), specifier) : doors[specifier];
      const step = `${trail} -> ${specifier}`;
      if (target !== undefined) queue.push({ file: target, trail: step });
      else if (isNodeBuiltin(specifier)) findings.push(builtinLoaded(file, step));
    }
  }
  return findings;
}

function builtinLoaded(file: string, trail: string): Finding {
  const repair = `Enter by the ./node door, or import on first use. Loaded by ${trail}.`;
  return { file, rule: "a root door loads without modules of Node", repair };
}
