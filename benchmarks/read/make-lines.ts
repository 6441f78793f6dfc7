import { writeFileSync } from "node:fs";

/** Writes lines of 100 bytes each, which begin with their number; gives the file. */
export function makeLines(file: string, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    return `${`line ${index + 1} `.padEnd(99, "const value = compute(index, 42); ")}\n`;
  });
  writeFileSync(file, lines.join(""));
  return file;
}
