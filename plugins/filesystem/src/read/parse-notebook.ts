import { stripVTControlCharacters } from "node:util";
import type { Section } from "./take-sections.ts";

/** A notebook's cells, ready to be shown. */
export interface Notebook {
  readonly cells: readonly Section[];
}

interface Fields {
  readonly [name: string]: unknown;
}

/** Characters of what a cell printed that are shown. */
const OUTPUT_CHARS = 4000;

/** Reads the JSON of a notebook, of the formats 3 and 4; `undefined` when it is none. */
export function parseNotebook(text: string): Notebook | undefined {
  const notebook = parseFields(text);
  if (notebook === undefined || typeof notebook["nbformat"] !== "number") return undefined;
  const cells = notebook["cells"] ?? toFields(toList(notebook["worksheets"])[0])?.["cells"];
  if (!Array.isArray(cells)) return undefined;
  return { cells: cells.map((cell, index) => toSection(toFields(cell) ?? {}, index + 1)) };
}

function parseFields(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text stands as one string or as a list of lines that keep their ends. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return toList(value)
    .filter((part) => typeof part === "string")
    .join("");
}

function toSection(cell: Fields, number: number): Section {
  const kind = typeof cell["cell_type"] === "string" ? cell["cell_type"].slice(0, 40) : "unknown";
  const source = toText(cell["source"] ?? cell["input"]);
  const outputs = toList(cell["outputs"]).map((output) => describeOutput(toFields(output) ?? {}));
  const printed = outputs.map(({ text }) => text.replace(/\n+$/u, "")).filter((text) => text !== "");
  const media = countBy(outputs.flatMap((output) => output.media));
  const attached = Object.keys(toFields(cell["attachments"]) ?? {}).length;
  const rows = [
    source.replace(/\n+$/u, ""),
    ...(printed.length > 0 ? ["[output]", bound(printed.join("\n"))] : []),
    ...(media.length > 0 ? [`[output not shown: ${media.join(", ")}]`] : []),
    ...(attached > 0 ? [`[attached and not shown: ${attached}]`] : []),
  ];
  return { heading: `[cell ${number} ${kind}]`, text: rows.filter((row) => row !== "").join("\n") };
}

interface CellOutput {
  readonly text: string;
  /** Types of what is no text. */
  readonly media: readonly string[];
}

function describeOutput(output: Fields): CellOutput {
  const kind = output["output_type"];
  if (kind === "stream") return { text: plain(toText(output["text"])), media: [] };
  if (kind === "error" || kind === "pyerr") return { text: describeError(output), media: [] };
  // Format 3 has the types among the other fields.
  const data = toFields(output["data"]) ?? fromOldFields(output);
  const text = plain(toText(data["text/plain"]));
  const media = Object.keys(data).filter((type) => /^(?:image|audio|video)\//u.test(type));
  if (text === "" && media.length === 0)
    return { text: plain(toText(data["text/markdown"] ?? data["text/html"])), media };
  return { text, media };
}

function describeError(output: Fields): string {
  const trace = toList(output["traceback"])
    .filter((row) => typeof row === "string")
    .join("\n");
  return plain(trace === "" ? `${toText(output["ename"])}: ${toText(output["evalue"])}` : trace);
}

function fromOldFields(output: Fields): Fields {
  return {
    "text/plain": output["text"],
    ...(output["png"] !== undefined && { "image/png": "" }),
    ...(output["jpeg"] !== undefined && { "image/jpeg": "" }),
  };
}

/** Without colours; of a line that was written over, what stood there last. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/^.*\r(?!\n|$)/gmu, "");
}

/** The beginning and the end, which says how a run went. */
function bound(text: string): string {
  if (text.length <= OUTPUT_CHARS) return text;
  const half = OUTPUT_CHARS / 2;
  const [head, tail] = [text.slice(0, half), text.slice(-half)].map((part) => part.toWellFormed());
  return `${head}\n… [${text.length - OUTPUT_CHARS} characters of output left out] …\n${tail}`;
}

function countBy(types: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`);
}
