import type { JsonObject } from "@aiw/core";
import type { ApprovalNo, ApprovalRequest, ApprovalYes } from "../call/approver.ts";
import { isRecord } from "../call/is-record.ts";

/** What may be typed at a question, by its first letter; no is always there. */
export type Key = "y" | "t" | "s" | "r" | "e";

/** What a line says: an answer, or a wish to say more. */
export type Typed = ApprovalYes | ApprovalNo | "edit" | "rule";

const MEANINGS: Readonly<Record<Key, string>> = {
  y: "y: once",
  t: "t: this turn",
  s: "s: this session",
  r: "r: by arguments you name",
  e: "e: edit first",
};

const NO = "n: no, or n and why";

/** Longest answer by one letter or word; what is longer is no yes. */
const WORDS: Readonly<Record<Key, readonly string[]>> = {
  y: ["y", "yes", "once"],
  t: ["t", "turn"],
  s: ["s", "session"],
  r: ["r", "rule"],
  e: ["e", "edit"],
};

/** The letters that count for a question. */
export function toKeys({ choices = [], arguments: input }: ApprovalRequest, yesOrNo: boolean): readonly Key[] {
  if (yesOrNo) return ["y"];
  const offers = (scope: string): boolean => choices.some((choice) => choice.scope === scope);
  const hasArguments = Object.keys(input).length > 0;
  return [
    "y",
    ...(offers("turn") ? (["t"] as const) : []),
    ...(offers("session") ? (["s"] as const) : []),
    ...(offers("rule") && hasArguments ? (["r"] as const) : []),
    ...(hasArguments ? (["e"] as const) : []),
  ];
}

/** Says what the letters mean, in lines that break between choices alone. */
export function toLegend(keys: readonly Key[], width: number = Infinity): string {
  const lines: string[] = [];
  for (const meaning of [...keys.map((key) => MEANINGS[key]), NO]) {
    const longer = `${lines.at(-1) ?? ""}   ${meaning}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(`  ${meaning}`);
  }
  return lines.join("\n");
}

/** The question itself, short enough for a narrow terminal. */
export function toPrompt(keys: readonly Key[]): string {
  return `Allow this call? [${keys.join("/")}/N] `;
}

/** Reads a line; what is not understood is a no. */
export function toTyped(line: string, keys: readonly Key[]): Typed {
  const said = line.trim();
  const key = keys.find((one) => WORDS[one].includes(said.toLowerCase()));
  if (key === "e") return "edit";
  if (key === "r") return "rule";
  if (key === "t") return { decision: "allow", remember: "turn" };
  if (key === "s") return { decision: "allow", remember: "session" };
  if (key === "y") return { decision: "allow" };
  const why = /^no?[\s,:]+(?<why>.+)$/iu.exec(said)?.groups?.["why"];
  return { decision: "deny", reason: why ?? "The person said no." };
}

/** Reads arguments as a person wrote them. */
export function toEdited(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads names of arguments; one that nobody knows makes none of them. */
export function toNames(line: string, known: readonly string[]): readonly string[] | undefined {
  const names = line.split(/[\s,]+/u).filter((name) => name !== "");
  return names.length > 0 && names.every((name) => known.includes(name)) ? names : undefined;
}
