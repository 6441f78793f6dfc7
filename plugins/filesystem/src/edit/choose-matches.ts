import { MATCH_STEPS, MOST_MATCHES, type BlockMatch, type MatchStep } from "./block-match.ts";
import { findBlock } from "./find-block.ts";
import type { LineIndex } from "./line-index.ts";

/** What is looked for in a text, and how many places are wanted. */
export interface MatchRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly match: "exact" | "tolerant";
  /** One place; exactly so many; every place; or the one nearest to a line. */
  readonly wanted: "one" | "all" | { readonly count: number } | { readonly nearLine: number };
  /** Tells the number that a line had before anything was changed. */
  readonly toLineBefore: (line: number) => number;
}

/** What was found: places to replace, too many or too few of them, more than are counted, or none. */
export type MatchVerdict =
  | { readonly kind: "chosen"; readonly strategy: MatchStep; readonly matches: readonly BlockMatch[] }
  | { readonly kind: "ambiguous"; readonly strategy: MatchStep; readonly matches: readonly BlockMatch[] }
  | { readonly kind: "countless" }
  | { readonly kind: "none" };

/**
 * Finds the places an edit means: the first step that gives exactly as many as are wanted decides. Each step also counts what
 * stricter ones found, so a looser one never picks one of several that are equally right.
 */
export function chooseMatches(lines: LineIndex, request: MatchRequest): MatchVerdict {
  const { wanted, match } = request;
  let pool: readonly BlockMatch[] = [];
  let strategy: MatchStep = "exact";
  for (const step of match === "exact" ? MATCH_STEPS.slice(0, 1) : MATCH_STEPS) {
    const fresh = apartFrom(pool, findAdmissible(lines, request, step));
    if (fresh.length === 0) continue;
    strategy = step;
    pool = [...pool, ...fresh].toSorted((left, right) => left.start - right.start);
    if (pool.length > MOST_MATCHES) return { kind: "countless" };
    const matches = pick(pool, request);
    if (matches !== undefined) return { kind: "chosen", strategy, matches };
    if (wanted === "one" || (typeof wanted === "object" && "nearLine" in wanted)) break;
  }
  return pool.length === 0 ? { kind: "none" } : { kind: "ambiguous", strategy, matches: pool };
}

function findAdmissible(lines: LineIndex, { oldText, newText }: MatchRequest, step: MatchStep): readonly BlockMatch[] {
  if (step === "indent" && isIndentEdited(oldText, newText)) return [];
  const found = findBlock(lines, oldText, [step]);
  return found === undefined ? [] : found.matches.filter((match) => match.adapt(newText) !== undefined);
}

/** Where only indentation differs, indentation is what is being edited, and that of the file is not known. */
function isIndentEdited(oldText: string, newText: string): boolean {
  const bare = (text: string): string =>
    text
      .split("\n")
      .map((line) => line.trim())
      .join("\n");
  return bare(oldText) === bare(newText);
}

function pick(pool: readonly BlockMatch[], { wanted, toLineBefore }: MatchRequest): readonly BlockMatch[] | undefined {
  if (wanted === "one") return pool.length === 1 ? pool : undefined;
  if (wanted === "all") return withoutOverlaps(pool);
  if ("count" in wanted) {
    if (wanted.count === 1) return pool.length === 1 ? pool : undefined;
    const apart = withoutOverlaps(pool);
    return apart.length === wanted.count ? apart : undefined;
  }
  const nearest = nearestTo(pool, (match) => {
    const [first, last] = [toLineBefore(match.firstLine), toLineBefore(match.lastLine)];
    return Math.max(0, first - wanted.nearLine, wanted.nearLine - last);
  });
  return nearest === undefined ? undefined : [nearest];
}

function withoutOverlaps(matches: readonly BlockMatch[]): BlockMatch[] {
  let end = -1;
  return matches.filter((match) => {
    if (match.start < end) return false;
    end = match.end;
    return true;
  });
}

/** The one nearest; `undefined` when two are equally near. */
function nearestTo(pool: readonly BlockMatch[], distanceOf: (match: BlockMatch) => number): BlockMatch | undefined {
  let [least, isTie]: [number, boolean] = [Number.POSITIVE_INFINITY, false];
  let nearest: BlockMatch | undefined;
  for (const match of pool) {
    const distance = distanceOf(match);
    isTie = distance === least || (isTie && distance > least);
    if (distance < least) [least, nearest, isTie] = [distance, match, false];
  }
  return isTie ? undefined : nearest;
}

/** Those that overlap none of the known ones; both ascend, by where they begin and so by where they end. */
function apartFrom(known: readonly BlockMatch[], found: readonly BlockMatch[]): BlockMatch[] {
  let at = 0;
  return found.filter(({ start, end }) => {
    while ((known[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at += 1;
    return (known[at]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
}
