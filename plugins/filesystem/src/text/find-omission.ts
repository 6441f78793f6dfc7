/** Files in which examples with gaps are ordinary text. */
const PROSE = /\.(?:md|mdx|markdown|rst|adoc|txt|diff|patch)$/iu;

const LONGEST_LINE = 200;
const COMMENT = /^(?:\/\/+|#+|\/\*+|\*|<!--|--+|;+|%+|\{\/\*|"""|'''|\(\*|rem\s|\[|\(|\.{3}|…)/iu;
const ELLIPSIS = /\.{3}|…/u;
const THINGS =
  "(?:code|file|contents?|implementation|functions?|methods?|class(?:es)?|lines?|logic|imports?|module|components?|script|document|tests?|definitions?|styles?|rules?|entries|fields|properties|config(?:uration)?)";
const GAP = new RegExp(
  [
    `\\brest of (?:the |your |this |my )?(?:\\w+ )?${THINGS}\\b`,
    `\\b(?:existing|previous|remaining|unchanged|original|other) (?:\\w+ )?${THINGS}\\b`,
    `\\b${THINGS}(?: here)? (?:is |are |remains? |stays? |goes |omitted|unchanged)+(?:here|the same|unchanged|omitted|as (?:before|is))?\\b`,
    "\\b(?:remains?|stays?) (?:the same|unchanged)\\b",
    "\\b(?:same|as) as before\\b",
    "\\bkeep (?:the )?(?:rest|existing|everything else)\\b",
    "\\b(?:omitted|truncated) for brevity\\b",
  ].join("|"),
  "iu",
);

/**
 * Finds a line that stands for text left out, such as `// ... rest of code ...`, and is not in the old text.
 * Gives the line's number and text.
 */
export function findOmission(
  text: string,
  { old, path }: { readonly old: string; readonly path: string },
): { readonly line: number; readonly text: string } | undefined {
  if (PROSE.test(path)) return undefined;
  const lines = text.split("\n");
  const index = lines.findIndex((line) => isOmission(line.trim()));
  if (index === -1) return undefined;
  const known = new Set(old.split("\n").map((line) => line.trim()));
  const found = lines.findIndex((line, at) => at >= index && isOmission(line.trim()) && !known.has(line.trim()));
  return found === -1 ? undefined : { line: found + 1, text: (lines[found] ?? "").trim() };
}

function isOmission(line: string): boolean {
  return line.length <= LONGEST_LINE && COMMENT.test(line) && ELLIPSIS.test(line) && GAP.test(line);
}
