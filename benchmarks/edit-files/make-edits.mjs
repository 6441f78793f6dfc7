// The file that is edited, and what is to become of it: one line in twenty gets another word.
import { mkdirSync, writeFileSync } from "node:fs";

const LINES = 20_000;

const lineOf = (number) => `export const value${String(number).padStart(5, "0")} = compute("input", ${number});`;

/** A text of a megabyte, and edits whose old texts stand in it once. */
export function makeEdits(count) {
  const step = LINES / count;
  const edits = Array.from({ length: count }, (_, index) => {
    const line = lineOf(Math.floor(index * step));
    return { oldText: line, newText: line.replace("compute", "calculate") };
  });
  const text = `${Array.from({ length: LINES }, (_, number) => lineOf(number)).join("\n")}\n`;
  const changed = new Map(edits.map(({ oldText, newText }) => [oldText, newText]));
  const expected = text.split("\n").map((line) => changed.get(line) ?? line);
  return { text, edits, expected: expected.join("\n") };
}

/** Puts the file into a fresh folder and gives its path. */
export function placeFile(folder, text) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/values.ts`, text);
  return `${folder}/values.ts`;
}

/** Takes the edits in calls of so many. */
export function toCalls(edits, size) {
  return Array.from({ length: Math.ceil(edits.length / size) }, (_, index) =>
    edits.slice(index * size, (index + 1) * size),
  );
}
