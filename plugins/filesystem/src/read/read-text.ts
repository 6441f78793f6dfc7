import { quoteName } from "../files/show-name.ts";
import type { DetectedText } from "../text/detect-text.ts";
import { estimateRows } from "../text/estimate-tokens.ts";
import { readWindow, type LineWindow, type WindowRequest } from "../text/read-window.ts";
import type { FileReport } from "./file-report.ts";

/** A window of a text, ready to be shown. */
export interface TextView {
  readonly facts: Omit<FileReport, "path">;
  readonly body: readonly string[];
  readonly window: LineWindow;
  readonly tokens: number;
}

/** Shows lines of a text with the facts that are not obvious. */
export async function readText(text: DetectedText, request: WindowRequest): Promise<TextView> {
  const window = await readWindow(text, request);
  const { nextOffset } = window;
  const next = nextOffset === undefined ? [] : [`[next: ${toNextCall(request, nextOffset)}]`];
  const frame = window.totalLines === 0 ? ["[file is empty]"] : toHeading(text, window);
  const tokens = window.tokens + estimateRows([...frame, ...next]);
  return { facts: toFacts(text, window), body: [...frame, ...window.lines, ...next], window, tokens };
}

function toNextCall({ shown, encoding }: WindowRequest, offset: number): string {
  const named = encoding === undefined ? "" : `, encoding=${JSON.stringify(encoding)}`;
  return `read(file_paths=[${quoteName(shown)}], offset=${offset}${named})`;
}

function toFacts(text: DetectedText, window: LineWindow): Omit<FileReport, "path"> {
  const { truncatedBy, nextOffset, ending } = window;
  return {
    kind: text.kind,
    total_lines: window.totalLines,
    ...(!window.isTotalExact && { total_lines_exact: false as const }),
    start_line: window.startLine,
    end_line: window.endLine,
    ...(truncatedBy !== undefined && { truncated_by: truncatedBy }),
    ...(nextOffset !== undefined && { next_offset: nextOffset }),
    ...(text.charset.label !== "utf-8" && { encoding: text.charset.label }),
    ...(text.hasMark && { bom: true as const }),
    ...(ending !== "lf" && { eol: ending }),
    ...(window.isLossy && { lossy: true as const }),
  };
}

/** One line above the text, when the window is partial or the file is not plain UTF-8 with LF. */
function toHeading(text: DetectedText, window: LineWindow): string[] {
  const { startLine, endLine, totalLines, isTotalExact, ending } = window;
  const oddities = [
    text.charset.label === "utf-8" ? undefined : text.charset.label,
    text.hasMark ? "BOM" : undefined,
    ending === "lf" ? undefined : ending === "crlf" ? "CRLF" : "mixed line endings",
    window.isLossy ? "lossy: some bytes are not text" : undefined,
  ].filter((oddity) => oddity !== undefined);
  const isPartial = startLine !== 1 || endLine !== totalLines || !isTotalExact;
  if (!isPartial && oddities.length === 0) return [];
  const total = `${totalLines}${isTotalExact ? "" : "+"}`;
  return [`[${[nameLines(window, total), ...oddities].join(", ")}]`];
}

function nameLines({ startLine, endLine }: LineWindow, total: string): string {
  if (endLine < startLine) return `no lines of ${total}`;
  if (startLine < 0) return `lines ${startLine} to ${endLine}, counted from the end`;
  return `lines ${startLine}-${endLine} of ${total}`;
}
