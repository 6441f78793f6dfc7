import type { Paint } from "./paint.ts";

/** Gives the lines of unified diffs the look people know them by; other lines stay plain. */
export function paintDiff(paint: Paint, lines: readonly string[]): string[] {
  // A line that is taken away may begin like the name of a file: "-- " is a comment in some languages.
  const isName = (at: number): boolean =>
    lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true;
  return lines.map((line, index) => {
    if (isName(index) || isName(index - 1)) return paint("bold", line);
    if (line.startsWith("+")) return paint("green", line);
    if (line.startsWith("-")) return paint("red", line);
    return line.startsWith("@@") ? paint("cyan", line) : line;
  });
}
