/** A place where readers of JSON would silently disagree about what a text says. */
export interface JsonHazard {
  /** Counts from 0, in UTF-16 units. */
  readonly position: number;
  readonly problem: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],]/g;

/** Finds the first member named twice, or whole number that loses digits, of a text that is JSON; the last would win, and digits go. */
export function findJsonHazard(text: string): JsonHazard | undefined {
  // A list has no names.
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const names = open.at(-1);
    const problem = token.startsWith('"')
      ? expectsName && names !== undefined && addName(names, token)
      : isRounded(token) && `the number ${token} cannot be kept exactly`;
    if (typeof problem === "string") return { position: index, problem };
    if (token === "{") open.push(new Set());
    if (token === "[") open.push(undefined);
    if (token === "}" || token === "]") open.pop();
    expectsName = token === "{" || (token === "," && open.at(-1) !== undefined);
  }
  return undefined;
}

function addName(names: Set<string>, token: string): string | undefined {
  const name = JSON.parse(token) as string;
  if (names.has(name)) return `the member ${token.slice(0, 100)} is named twice`;
  names.add(name);
  return undefined;
}

function isRounded(token: string): boolean {
  if (!/^-?\d/.test(token)) return false;
  const value = Number(token);
  return !Number.isFinite(value) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(value));
}
