import * as path from "node:path";
import { fileURLToPath } from "node:url";
import type { ThrownElsewhere } from "../guards/trial-import.ts";

/** Where the engine stopped reading a file. */
export interface SyntaxErrorPlace {
  /** From the package's folder where it is inside, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Finds the place of a syntax error where the stack begins with it, as the engine writes it: file and line, the text, the mark. */
export function findSyntaxError({ name, stack }: ThrownElsewhere, realDir: string): SyntaxErrorPlace | undefined {
  if (name !== "SyntaxError") return undefined;
  const [head = "", , mark = ""] = stack.split("\n", 3);
  const [, named = "", line = ""] = /^(.+):(\d+)$/.exec(head) ?? [];
  const column = mark.search(/\^/) + 1;
  if (named === "" || column === 0) return undefined;
  const file = toPath(named);
  const relative = path.relative(realDir, file);
  const isInside = relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
  return { file: (isInside ? relative : file).replaceAll(path.sep, "/"), line: Number(line), column };
}

function toPath(named: string): string {
  try {
    return named.startsWith("file:") ? fileURLToPath(named) : named;
  } catch {
    return named;
  }
}
