import { toCanonicalJson, type JsonObject } from "@aiw/core";
import { fitsWithin } from "../bound/measure-value.ts";
import type { RunningCall } from "../call/running-call.ts";

/** Characters of arguments that are compared; calls with more are nobody's slip. */
const MAX_CHARACTERS = 20_000;

/** What is equal for equal calls: tool, folder, caller, arguments; undefined for calls too large to compare. */
export function toCallKey({
  toolId,
  definitionHash = "",
  workspace,
  principal,
  arguments: input = {},
}: RunningCall): string | undefined {
  const text = isSortedAndFlat(input) ? JSON.stringify(input) : toBoundedJson(input);
  if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
  const [folder, caller] = [workspace?.cwd ?? "", principal?.id ?? ""];
  return `${toolId} ${definitionHash} ${folder.length} ${folder} ${caller.length} ${caller} ${text}`;
}

function toBoundedJson(input: JsonObject): string | undefined {
  return fitsWithin(input, MAX_CHARACTERS) ? toCanonicalJson(input) : undefined;
}

/** True for what JSON writes canonically as it is, which most arguments are: this is asked of every call. */
function isSortedAndFlat(input: JsonObject): boolean {
  let last = "";
  for (const name of Object.keys(input)) {
    const value = input[name];
    if (name < last || value === undefined || (typeof value === "object" && value !== null)) return false;
    last = name;
  }
  return true;
}
