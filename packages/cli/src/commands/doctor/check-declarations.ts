import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nearestNames, type FoundPackage } from "@aiw/core";
import type { HostCheck } from "./inspect-host.ts";

/** What a declaration may say. */
const KEYS = ["apiVersion", "tools"];

/** Names that one remark repeats; a package may declare thousands. */
const MAX_NAMES = 5;

/** Names the keys of declarations that nothing reads: misspelt, or of another version. */
export function checkDeclarations(found: readonly Pick<FoundPackage, "id" | "dir">[]): HostCheck[] {
  return found.flatMap(({ id, dir }) => {
    const unknown = Object.keys(readDeclared(dir)).filter((key) => !KEYS.includes(key));
    if (unknown.length === 0) return [];
    const shown = unknown.slice(0, MAX_NAMES).map((key) => JSON.stringify(key.slice(0, 64)));
    const more = unknown.length > MAX_NAMES ? ` and ${unknown.length - MAX_NAMES} more` : "";
    const [nearest] = nearestNames(unknown[0] ?? "", KEYS, 1);
    const meant = nearest === undefined ? "" : ` Did its author mean ${nearest}?`;
    return [
      {
        name: "declared",
        level: "warning",
        message: `${id}: "aiwhisperer" has keys that nothing reads: ${shown.join(", ")}${more}.${meant}`,
        fix: `Remove them from ${join(dir, "package.json")}, or correct them there.`,
      } as const,
    ];
  });
}

function readDeclared(dir: string): object {
  try {
    const text = readFileSync(join(dir, "package.json"), "utf8").replace(/^\uFEFF/, "");
    const { aiwhisperer } = JSON.parse(text) as { aiwhisperer?: unknown };
    return typeof aiwhisperer === "object" && aiwhisperer !== null ? aiwhisperer : {};
  } catch {
    // A loose module has no package.json; what is broken is no package that was found.
    return {};
  }
}
