import type { ToolRegistry } from "@aiw/core";
import type { CliIo } from "../io.ts";
import { oneLine } from "./one-line.ts";
import { printLine } from "./print.ts";

/** Milliseconds of silence, between two looks at what is still loading. */
const PATIENCE_MS = 1000;

/** Packages that are named; the others are counted. */
const MAX_NAMED = 5;

/** Says whose code is taking its time, each package once; nothing while all goes well. */
export function sayWaiting(registry: Pick<ToolRegistry, "onLoading">, io: Pick<CliIo, "stderr">): void {
  const said = new Set<string>();
  let loading: readonly string[] = [];
  let looking: NodeJS.Timeout | undefined;
  const look = (): void => {
    const unsaid = loading.filter((name) => !said.has(name));
    if (unsaid.length > 0) printLine(io.stderr, toText(unsaid));
    for (const name of unsaid) said.add(name);
  };
  registry.onLoading((packages) => {
    loading = packages;
    if (packages.length > 0) looking ??= setInterval(look, PATIENCE_MS).unref();
    else {
      clearInterval(looking);
      looking = undefined;
    }
  });
}

function toText(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => oneLine(name));
  const more = names.length > named.length ? ` and ${names.length - named.length} more` : "";
  return `waiting for ${named.join(", ")}${more}, which ${names.length === 1 ? "is" : "are"} loading…`;
}
