import { jsonTextSize } from "../result/json-size.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import { LINE_CHARS, markCut } from "../text/number-lines.ts";
import type { WindowRequest } from "../text/read-window.ts";

/** A page or a cell. */
export interface Section {
  readonly heading: string;
  readonly text: string;
}

/** The sections that fit a call. */
export interface TakenSections {
  readonly rows: readonly string[];
  readonly tokens: number;
  /** How many sections the rows are of. */
  readonly count: number;
  readonly limit?: "tokens" | "characters";
  /** Lines of the only section that did not fit. */
  readonly omittedLines: number;
}

type Room = Pick<WindowRequest, "maxTokens" | "maxCharacters" | "atLeastOne">;

/** Takes whole sections while they fit; the first alone is cut, since none after it could be reached otherwise. */
export async function takeSections(
  sections: AsyncIterable<Section> | Iterable<Section>,
  room: Room,
): Promise<TakenSections> {
  const rows: string[] = [];
  let [tokens, characters, count] = [0, 0, 0];
  for await (const section of sections) {
    const more = toRows(section);
    const left = { maxTokens: room.maxTokens - tokens, maxCharacters: room.maxCharacters - characters };
    const fitting = fit(more, { ...left, atLeastOne: room.atLeastOne && count === 0 });
    if (fitting.limit !== undefined) {
      const isCut = count === 0 && fitting.rows.length > 1;
      return {
        rows: isCut ? [...rows, ...fitting.rows] : rows,
        tokens: isCut ? fitting.tokens : tokens,
        count: isCut ? 1 : count,
        limit: fitting.limit,
        omittedLines: isCut ? more.length - fitting.rows.length : 0,
      };
    }
    rows.push(...more);
    tokens += fitting.tokens;
    characters += fitting.characters;
    count += 1;
  }
  return { rows, tokens, count, omittedLines: 0 };
}

function toRows({ heading, text }: Section): string[] {
  const body = text.replace(/\n+$/u, "");
  return [heading, ...(body === "" ? [] : body.split(/\r?\n/u).map(cutRow))];
}

function cutRow(row: string): string {
  if (row.length <= LINE_CHARS) return row;
  const kept = row.slice(0, LINE_CHARS);
  const whole = kept.isWellFormed() ? kept : kept.slice(0, -1);
  return markCut(whole, { omitted: row.length - whole.length });
}

interface FittingRows {
  readonly rows: readonly string[];
  readonly tokens: number;
  readonly characters: number;
  readonly limit?: "tokens" | "characters";
}

function fit(rows: readonly string[], { maxTokens, maxCharacters, atLeastOne }: Room): FittingRows {
  const least = atLeastOne ? 2 : 0;
  let [tokens, characters] = [0, 0];
  for (const [index, row] of rows.entries()) {
    const cost = { tokens: tokens + estimateTokens(row), characters: characters + jsonTextSize(`\n${row}`) };
    if (cost.characters > maxCharacters) return { rows: rows.slice(0, index), tokens, characters, limit: "characters" };
    if (cost.tokens > maxTokens && index >= least)
      return { rows: rows.slice(0, index), tokens, characters, limit: "tokens" };
    ({ tokens, characters } = cost);
  }
  return { rows, tokens, characters };
}
