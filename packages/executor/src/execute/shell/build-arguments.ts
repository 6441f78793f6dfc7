import { ToolError, type JsonObject } from "@aiw/core";
import { expandTemplate, toText, type TextTemplate } from "../data/text-template.ts";
import { toTexts } from "../data/value-template.ts";
import type { WordGroup } from "./compile-command.ts";

/** What programs take for the beginning of an option: some, such as PowerShell, take any dash for a hyphen. */
const DASH = /^\p{Default_Ignorable_Code_Point}*[\p{Dash_Punctuation}\u2212]/u;

/**
 * Puts arguments in their places, each as exactly one word (SEC-SH-1); a group with one that was not given is left out.
 * @throws ToolError `invalid_input` where a value could be taken for an option, or has a NUL character.
 */
export function buildArguments(groups: readonly WordGroup[], input: JsonObject): string[] {
  const words: string[] = [];
  for (const group of groups) words.push(...(buildGroup(group, input, words.includes("--")) ?? []));
  return words;
}

function buildGroup(group: WordGroup, input: JsonObject, isAfterOptions: boolean): readonly string[] | undefined {
  const words: string[] = [];
  for (const template of group) {
    const built = buildWords(template, input);
    if (built === undefined) return undefined;
    const mayBeOption = !isAfterOptions && !words.includes("--");
    for (const word of built) assertWord(word, template, mayBeOption);
    words.push(...built);
  }
  return words;
}

function buildWords(template: TextTemplate, input: JsonObject): readonly string[] | undefined {
  const [part] = template;
  if (part === undefined) return [""];
  if ("parameter" in part && part.spread) {
    return Object.hasOwn(input, part.parameter) ? toTexts(input, part.parameter) : undefined;
  }
  const word = expandTemplate(template, (parameter) => toText(input, parameter));
  return word === undefined ? undefined : [word];
}

function assertWord(word: string, [first]: TextTemplate, mayBeOption: boolean): void {
  if (first === undefined) return;
  if (word.includes("\0"))
    throw new ToolError("invalid_input", "An argument has a NUL character, which no program can be given.");
  // What begins with text of the spec begins as the spec wants it.
  if ("literal" in first || !mayBeOption || !DASH.test(word)) return;
  throw new ToolError(
    "invalid_input",
    `${first.parameter}: ${JSON.stringify(word.slice(0, 100))} could be taken for an option.`,
    {
      suggestion:
        word.startsWith("--") || Number.isNaN(Number(word))
          ? `Pass a path as ${JSON.stringify(`./${word.slice(0, 60)}`)}; other values cannot begin with "-".`
          : 'Values cannot begin with "-" here.',
    },
  );
}
