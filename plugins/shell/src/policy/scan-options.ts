import type { Reading } from "./read-word.ts";

/** The options a program may be given; whatever is not listed is unknown (SEC-SH-5). */
export interface OptionGrammar {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters with a value, attached or following. */
  readonly values?: string;
  /** A letter with a value takes the next word, never the rest of its own. */
  readonly valuesFollow?: boolean;
  /** Long names separated by blanks; `name=` takes a value, `name?` may take one after `=`. Abbreviations are unknown. */
  readonly long?: string;
  /** Whole words that are options by themselves. */
  readonly words?: RegExp;
  /** The first operand ends the options, as for commands that run others. */
  readonly stopsAtOperand?: boolean;
}

/** What the arguments of a command turned out to be. */
export interface ScannedOptions {
  /** The first argument that is no listed option, as written. */
  readonly unknown?: string;
  /** The first argument of which it is not known whether it is an option, as written. */
  readonly dynamic?: string;
  readonly options: ReadonlySet<string>;
  readonly values: readonly { readonly option: string; readonly reading: Reading | undefined }[];
  readonly operands: readonly Reading[];
}

/** Sorts arguments into options, their values, and operands, reading bundles and `--` as getopt does. */
export function scanOptions(args: readonly Reading[], grammar: OptionGrammar): ScannedOptions {
  const options = new Set<string>();
  const values: { option: string; reading: Reading | undefined }[] = [];
  const operands: Reading[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined || isEnd(arg, grammar)) break;
    if (mayBeOption(arg)) return { dynamic: arg.text, options, values, operands };
    if (isOperand(arg)) {
      operands.push(arg);
      continue;
    }
    const taken = takeOption(arg, grammar);
    if (taken === undefined) return { unknown: arg.text, options, values, operands };
    for (const option of taken.options) options.add(option);
    if (taken.valued === undefined) continue;
    if (taken.attached === undefined) at += 1;
    const reading = readValue(taken, arg, args[at]);
    if (isUncertain(reading)) return { dynamic: reading?.text ?? arg.text, options, values, operands };
    values.push({ option: taken.valued, reading });
  }
  operands.push(...args.slice(args[at]?.value === "--" ? at + 1 : at));
  return { options, values, operands };
}

/** Everything from here on is an operand. */
function isEnd(arg: Reading, grammar: OptionGrammar): boolean {
  if (arg.value === "--" && !arg.glob) return true;
  return grammar.stopsAtOperand === true && !mayBeOption(arg) && isOperand(arg);
}

function readValue(taken: TakenOption, arg: Reading, following: Reading | undefined): Reading | undefined {
  return taken.attached === undefined ? following : { ...arg, value: taken.attached };
}

/** An unknown value may vanish or become several words. */
function isUncertain(reading: Reading | undefined): boolean {
  return reading !== undefined && (reading.value === undefined || reading.glob);
}

function isOperand({ value }: Reading): boolean {
  return value === undefined || value === "-" || !value.startsWith("-");
}

interface TakenOption {
  readonly options: readonly string[];
  /** The option that has a value. */
  readonly valued?: string;
  readonly attached?: string;
}

function takeOption({ value: text = "" }: Reading, grammar: OptionGrammar): TakenOption | undefined {
  if (grammar.words?.test(text) === true) return { options: [text] };
  return text.startsWith("--") ? takeLong(text, grammar.long ?? "") : takeShort(text, grammar);
}

function takeLong(text: string, long: string): TakenOption | undefined {
  const [, name = "", attached] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  const names = long.split(" ");
  const option = `--${name}`;
  if (attached === undefined) {
    if (names.includes(`${name}=`)) return { options: [option], valued: option };
    return name !== "" && (names.includes(name) || names.includes(`${name}?`)) ? { options: [option] } : undefined;
  }
  if (!names.includes(`${name}=`) && !names.includes(`${name}?`)) return undefined;
  return { options: [option], valued: option, attached };
}

function takeShort(text: string, grammar: OptionGrammar): TakenOption | undefined {
  const options: string[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    options.push(`-${letter}`);
    if (grammar.flags?.includes(letter) === true) continue;
    if (grammar.values?.includes(letter) !== true) return undefined;
    const attached = text.slice(at + 1);
    if (attached !== "" && grammar.valuesFollow === true) return undefined;
    return { options, valued: `-${letter}`, ...(attached !== "" && { attached }) };
  }
  return { options };
}

/** Unknown text, unless it visibly starts with something else than a dash. */
function mayBeOption(arg: Reading): boolean {
  if (arg.value !== undefined) return false;
  return arg.splits || !/^["']?[\w./]/.test(arg.text);
}
