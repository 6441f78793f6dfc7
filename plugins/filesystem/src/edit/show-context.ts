import { LINE_CHARS, markCut, numberLine } from "../text/number-lines.ts";
import { joinRanges, type LineSpan } from "../text/line-ranges.ts";
import type { LineIndex } from "./line-index.ts";

/** Numbered lines, and which of them are shown whole. */
export interface ShownContext {
  readonly text: string;
  readonly whole: readonly LineSpan[];
}

/** Shows lines of a text with some around them, numbered as `read` does; a line `…` stands where lines are left out. */
export function showContext(lines: LineIndex, touched: readonly LineSpan[], around: number): ShownContext {
  const spans = joinRanges(
    touched.map(([first, last]): LineSpan => [Math.max(1, first - around), Math.min(lines.count, last + around)]),
  );
  const whole: LineSpan[] = [];
  const blocks = spans.map(([first, last]) => {
    const shown: string[] = [];
    for (let line = first; line <= last; line += 1) {
      const full = lines.line(line - 1);
      const cut = full.slice(0, LINE_CHARS).toWellFormed();
      if (full.length <= LINE_CHARS) whole.push([line, line]);
      shown.push(numberLine(line, markCut(cut, { omitted: Math.max(0, full.length - LINE_CHARS) })));
    }
    return shown.join("\n");
  });
  return { text: blocks.join("\n…\n"), whole: joinRanges(whole) };
}
