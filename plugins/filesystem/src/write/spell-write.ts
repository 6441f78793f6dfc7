import { spellAgain } from "../files/spell-again.ts";
import { boundCall } from "../files/spell-change.ts";
import { writeInput, type WriteInput } from "./write-schema.ts";

/** Spells a write again with something changed, or says how to change it where its text is long. */
export function spellWrite(
  input: WriteInput,
  changed: { readonly [Name in keyof WriteInput]?: WriteInput[Name] | undefined },
  otherwise: string,
): string {
  return boundCall(spellAgain("write", writeInput, { ...input, ...changed }), otherwise);
}
