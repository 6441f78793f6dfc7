import { findSetEnd } from "./glob-tokens.ts";

const NUMBERS = /^(-?\d{1,6})\.\.(-?\d{1,6})$/u;

/** Resolves `{a,b}` and `{1..3}`, nested ones too; `undefined` when over `most` alternatives would come of it. */
export function expandBraces(pattern: string, most: number): string[] | undefined {
  const done: string[] = [];
  const pending = [pattern];
  // A nest of lone groups costs one round each and yields nothing meanwhile.
  for (let rounds = 0; rounds < 100 * most; rounds += 1) {
    const next = pending.pop();
    if (next === undefined) return done;
    const group = findGroup(next, most);
    if (group === undefined) done.push(next);
    else
      pending.push(
        ...group.alternatives.map((text) => next.slice(0, group.open) + text + next.slice(group.close + 1)).reverse(),
      );
    if (done.length + pending.length > most) return undefined;
  }
  return undefined;
}

interface BraceGroup {
  readonly open: number;
  readonly close: number;
  readonly alternatives: readonly string[];
}

/** The first group that stands for alternatives; `{a}` is a name like any other. */
function findGroup(pattern: string, most: number): BraceGroup | undefined {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern[at] === "[") at = Math.max(at, findSetEnd(pattern, at));
    else if (pattern[at] === "{") {
      const group = readGroup(pattern, at, most);
      if (group !== undefined) return group;
    }
  }
  return undefined;
}

function readGroup(pattern: string, open: number, most: number): BraceGroup | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = open; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "[") at = Math.max(at, findSetEnd(pattern, at));
    else if (character === "{") depth += 1;
    else if (character === "," && depth === 1) commas.push(at);
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return toGroup(pattern, [open, ...commas, at], most);
    }
  }
  return undefined;
}

function toGroup(pattern: string, marks: readonly number[], most: number): BraceGroup | undefined {
  const [open = 0] = marks;
  const close = marks.at(-1) ?? open;
  if (marks.length > 2) {
    const alternatives = marks.slice(1).map((end, index) => pattern.slice((marks[index] ?? 0) + 1, end));
    return { open, close, alternatives };
  }
  const range = NUMBERS.exec(pattern.slice(open + 1, close));
  if (range === null) return undefined;
  const [first, last] = [Number(range[1]), Number(range[2])];
  const count = Math.abs(last - first) + 1;
  const step = last < first ? -1 : 1;
  const alternatives = Array.from({ length: Math.min(count, most + 1) }, (_, index) => String(first + index * step));
  return { open, close, alternatives };
}
