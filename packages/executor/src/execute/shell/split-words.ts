import { invalidImplementation } from "../data/invalid-implementation.ts";

/** What only a shell gives a meaning to; none reads these words. */
const META = /[|&;<>()$`\\*?[\]#~!\n\r]/;
const IN_DOUBLE_QUOTES = /[$`\\]/;

const ADVICE =
  "No shell runs: name one program with its arguments, quote what is meant as it stands ('a*b'), or write the command as a list of words.";

/**
 * Splits a command into words at blanks outside of quotes. Single quotes keep everything, double quotes all but `$`, a backtick
 * and a backslash, which a shell would read.
 * @throws ToolError `implementation_invalid` for what only a shell could do.
 */
export function splitWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (const character of command) {
    if (quote !== "") {
      if (character === quote) quote = "";
      else word = (word ?? "") + assertPlain(character, quote === '"' ? IN_DOUBLE_QUOTES : undefined);
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === " " || character === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + assertPlain(character, META);
  }
  if (quote !== "") throw invalidImplementation("command", `has a quote ${quote} that does not end`, ADVICE);
  if (word !== undefined) words.push(word);
  return words;
}

function assertPlain(character: string, refused: RegExp | undefined): string {
  if (refused?.test(character) !== true) return character;
  throw invalidImplementation("command", `has ${JSON.stringify(character)}, which only a shell understands`, ADVICE);
}
