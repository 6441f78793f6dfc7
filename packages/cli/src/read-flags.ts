import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** What a command line says after the command's name. */
export type Flags = Pick<ReturnType<typeof parseArgs>, "values" | "positionals">;

/**
 * Reads flags and words. Switches alone, which is what other programs pass, need no parser: loading it takes a while.
 * @throws what `parseArgs` says of a line that is wrong.
 */
export function readFlags(options: ParseArgsOptionsConfig, words: readonly string[]): Flags {
  const isSwitch = (word: string): boolean =>
    word.startsWith("--") && Object.hasOwn(options, word.slice(2)) && options[word.slice(2)]?.type === "boolean";
  const hasDefaults = Object.values(options).some((option) => option.default !== undefined);
  if (hasDefaults || !words.every(isSwitch))
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  return { values: Object.fromEntries(words.map((word) => [word.slice(2), true])), positionals: [] };
}
