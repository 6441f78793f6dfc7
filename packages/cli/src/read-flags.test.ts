import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { describe, expect, it } from "vitest";
import { readFlags } from "./read-flags.ts";

const OPTIONS: ParseArgsOptionsConfig = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  cwd: { type: "string" },
};
const WITH_DEFAULT: ParseArgsOptionsConfig = { ...OPTIONS, format: { type: "string", default: "openai" } };

const LINES: readonly (readonly string[])[] = [
  [],
  ["--json"],
  ["--json", "--json", "--help"],
  ["-h", "--json"],
  ["--cwd", "--json"],
  ["--cwd=/x", "word"],
  ["--json", "--", "--help"],
  ["--json=true"],
  ["--no-json"],
  ["--constructor"],
  ["--__proto__"],
  ["--"],
  ["json"],
];

function outcome(read: () => { values: object; positionals: readonly string[] }): unknown {
  try {
    const { values, positionals } = read();
    return { values: { ...values }, positionals };
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

describe("readFlags", () => {
  it.each(
    LINES.flatMap((words) => [
      [words.join(" "), words, OPTIONS] as const,
      [words.join(" "), words, WITH_DEFAULT] as const,
    ]),
  )("reads %j as Node does", (_line, words, options) => {
    const expected = outcome(() => parseArgs({ args: [...words], options, allowPositionals: true, strict: true }));
    expect(outcome(() => readFlags(options, words))).toEqual(expected);
  });
});
