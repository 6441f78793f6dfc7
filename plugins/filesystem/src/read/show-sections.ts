import type { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { jsonTextSize } from "../result/json-size.ts";
import { estimateRows } from "../text/estimate-tokens.ts";
import type { WindowRequest } from "../text/read-window.ts";
import type { FileView } from "./file-report.ts";
import { takeSections, type Section, type TakenSections } from "./take-sections.ts";

/** A file that is read by pages or cells. */
export interface Sectioned {
  readonly unit: "page" | "cell";
  readonly total: number;
  /** Gives the sections from a number on, from 1. */
  from(first: number): AsyncIterable<Section> | Iterable<Section>;
}

/** A window of pages or cells, ready to be shown. */
export interface SectionView extends Omit<FileView, "report"> {
  readonly facts: object;
  /** How many are shown. */
  readonly count: number;
}

/**
 * Shows pages or cells as lines of text are shown: `offset` and `limit` count them.
 * @throws ToolError `offset_out_of_range`, with an offset that works.
 */
export async function showSections({ unit, total, from }: Sectioned, request: WindowRequest): Promise<SectionView> {
  const { offset, limit, shown } = request;
  const first = offset < 0 ? Math.max(1, total + offset + 1) : offset;
  if (first > Math.max(1, total)) throw outOfRange({ unit, total }, shown);
  const most = limit === 0 ? total : Math.min(total, first + limit - 1);
  const call = `[next: read(file_paths=[${quoteName(shown)}], offset=${total})]`;
  const frame = `[${unit}s ${total}-${total} of ${total}]`;
  const room = {
    ...request,
    maxTokens: request.maxTokens - estimateRows([frame, call]),
    maxCharacters: request.maxCharacters - jsonTextSize(`\n${frame}\n${call}`),
  };
  const taken = await takeSections(upTo(from(first), most - first + 1), room);
  const last = first + taken.count - 1;
  const cut = taken.omittedLines > 0 ? [describeCut(unit, first, taken)] : [];
  const next = last < total ? [`[next: read(file_paths=[${quoteName(shown)}], offset=${last + 1})]`] : [];
  const heading = first === 1 && last === total ? [] : [describeWindow({ unit, first, last, total })];
  const truncatedBy = taken.limit ?? (last < total ? `${unit}s` : undefined);
  const body = [...heading, ...taken.rows, ...cut, ...next];
  return {
    facts: {
      [`total_${unit}s`]: total,
      ...(truncatedBy !== undefined && { truncated_by: truncatedBy }),
      ...(last < total && { next_offset: last + 1 }),
    },
    count: taken.count,
    body,
    tokens: taken.tokens + estimateRows([...heading, ...cut, ...next]),
    notices: [],
  };
}

async function* upTo(
  sections: AsyncIterable<Section> | Iterable<Section>,
  most: number,
): AsyncGenerator<Section, void> {
  let left = most;
  if (left <= 0) return;
  for await (const section of sections) {
    yield section;
    left -= 1;
    if (left <= 0) return;
  }
}

function describeWindow({
  unit,
  first,
  last,
  total,
}: {
  readonly unit: string;
  readonly first: number;
  readonly last: number;
  readonly total: number;
}): string {
  if (last < first) return `[no ${unit}s of ${total}]`;
  return `[${unit}s ${first}-${last} of ${total}]`;
}

function describeCut(unit: string, number: number, { omittedLines }: TakenSections): string {
  return `[… ${omittedLines} more lines of ${unit} ${number}, which alone is longer than a result may be]`;
}

function outOfRange({ unit, total }: Pick<Sectioned, "unit" | "total">, shown: string): ToolError {
  const counted = `The file has ${total} ${total === 1 ? unit : `${unit}s`}`;
  return filesystemError("offset_out_of_range", `${counted}: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}], offset=${Math.max(1, total)})`,
    details: { [`total_${unit}s`]: total },
  });
}
