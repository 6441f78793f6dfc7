import type { GlobToken } from "./glob-tokens.ts";
import type { GlobBranch, GlobSegment } from "./parse-glob.ts";

/** Half of a character that takes two code units. */
const SURROGATE = /[\ud800-\udfff]/;

/** How names are compared with a path pattern. */
export interface MatchOptions {
  readonly ignoreCase?: boolean;
}

/** Tells whether names, from the folder the pattern belongs to, fit it; time is at most the product of both lengths. */
export function matchPath(branch: GlobBranch, names: readonly string[], options: MatchOptions = {}): boolean {
  return matchStarred(branch, names, {
    isStar: (segment) => segment.kind === "folders",
    fits: (segment, name) => matchSegment(segment, name, options),
    // At the end `**` means what is inside, not the folder itself.
    lastStarTakes: 1,
  });
}

/** Tells whether a pattern can match anything below a folder of these names. */
export function mayMatchBelow(branch: GlobBranch, folder: readonly string[], options: MatchOptions = {}): boolean {
  for (const [index, name] of folder.entries()) {
    const segment = branch[index];
    if (segment === undefined) return false;
    if (segment.kind === "folders") return true;
    if (!matchSegment(segment, name, options)) return false;
  }
  return branch.length > folder.length;
}

function matchSegment(segment: GlobSegment, name: string, options: MatchOptions): boolean {
  if (segment.kind === "folders") return true;
  if (segment.literal !== undefined && options.ignoreCase !== true) return segment.literal === name;
  const characters = SURROGATE.test(name) ? Array.from(name) : name;
  return matchStarred<GlobToken, string>(segment.tokens, characters, {
    isStar: (token) => token.kind === "many",
    fits: (token, character) => matchToken(token, character, options),
    lastStarTakes: 0,
  });
}

function matchToken(token: GlobToken, character: string, { ignoreCase = false }: MatchOptions): boolean {
  if (token.kind === "one") return true;
  if (token.kind === "character") {
    return token.text === character || (ignoreCase && token.text.toLowerCase() === character.toLowerCase());
  }
  if (token.kind === "many") return false;
  const forms = ignoreCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  const isListed = forms.some((form) => {
    const point = form.codePointAt(0) ?? 0;
    return token.ranges.some(([first, last]) => point >= first && point <= last);
  });
  return isListed !== token.isNegated;
}

interface Starred<Part, Item> {
  isStar(part: Part): boolean;
  fits(part: Part, item: Item): boolean;
  /** Items that a star in the last place takes at least. */
  readonly lastStarTakes: number;
}

/** Every part but a star takes one item, so only the latest star ever needs another try. */
function matchStarred<Part, Item>(
  parts: ArrayLike<Part>,
  items: ArrayLike<Item>,
  { isStar, fits, lastStarTakes }: Starred<Part, Item>,
): boolean {
  let part = 0;
  let item = 0;
  let star = -1;
  let resumeAt = 0;
  while (item < items.length) {
    const current = parts[part];
    if (current !== undefined && isStar(current)) {
      star = part;
      resumeAt = item + (part === parts.length - 1 ? lastStarTakes : 0);
      item = resumeAt;
      part += 1;
    } else if (current !== undefined && fits(current, items[item] as Item)) {
      part += 1;
      item += 1;
    } else if (star !== -1) {
      resumeAt += 1;
      item = resumeAt;
      part = star + 1;
    } else return false;
  }
  while (lastStarTakes === 0 && part < parts.length && isStar(parts[part] as Part)) part += 1;
  return part >= parts.length && item === items.length;
}
