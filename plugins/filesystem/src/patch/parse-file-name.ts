const ESCAPES: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ['"', 34],
  ["\\", 92],
]);
const TIMESTAMP = /[ \t]\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*$/u;
/** What git puts before the old and the new name: trees, index and work tree by their initials. */
const PREFIXES = /^(?:a\/ b\/|[iwco1]\/ [iwco2]\/)$/u;

/** Reads a name of a unified diff as git and diff write it; `undefined` for `/dev/null`. */
export function parseFileName(text: string): string | undefined {
  const name = unquote(text) ?? plainName(text);
  return name === "/dev/null" ? undefined : name;
}

/** Takes the prefixes off a pair of names that has them; a name alone is judged by its own side's. */
export function withoutPrefixes(
  old: string | undefined,
  young: string | undefined,
): { readonly old: string | undefined; readonly young: string | undefined } {
  const [oldPrefix, newPrefix] = [(old ?? "a/").slice(0, 2), (young ?? "b/").slice(0, 2)];
  const isPair = PREFIXES.test(`${oldPrefix} ${newPrefix}`) && oldPrefix !== newPrefix;
  const isSure = oldPrefix === "a/" || old?.slice(2) === young?.slice(2);
  return isPair && isSure ? { old: old?.slice(2), young: young?.slice(2) } : { old, young };
}

/** Reads both names of a `diff --git` line where they can be told apart. */
export function parseGitNames(text: string): { readonly old?: string; readonly young?: string } {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/u.exec(text);
  const half = (text.length - 1) / 2;
  const [left, right] =
    quoted === null ? [text.slice(0, half), text.slice(half + 1)] : [quoted[1] ?? "", quoted[2] ?? ""];
  const [old, young] = [unquote(left) ?? left, unquote(right) ?? right];
  if (quoted === null && old.slice(2) !== young.slice(2)) return {};
  return { old, young };
}

function plainName(text: string): string {
  const tab = text.indexOf("\t");
  return tab === -1 ? text.replace(TIMESTAMP, "").trim() : text.slice(0, tab);
}

/** Undoes C's way of quoting; bytes in octal are UTF-8. */
function unquote(text: string): string | undefined {
  const inner = /^"((?:[^"\\]|\\.)*)"/u.exec(text.trim())?.[1];
  if (inner === undefined) return undefined;
  const bytes: Buffer[] = [];
  for (const [part, octal, letter] of inner.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gu)) {
    if (octal !== undefined) bytes.push(Buffer.of(Number.parseInt(octal, 8)));
    else if (letter === undefined) bytes.push(Buffer.from(part));
    else bytes.push(ESCAPES.has(letter) ? Buffer.of(ESCAPES.get(letter) ?? 0) : Buffer.from(letter));
  }
  return Buffer.concat(bytes).toString();
}
