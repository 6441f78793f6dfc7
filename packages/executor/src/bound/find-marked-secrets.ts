import { cursorAt, descend, isSecret, type JsonSchema, type SchemaCursor } from "@aiw/core";
import { marksSecrets, MIN_SECRET_LENGTH } from "./mask-secrets.ts";

/** Finds the texts that a schema marks as secret, so that they can be masked where other fields repeat them. */
export function findMarkedSecrets(value: unknown, schema: JsonSchema): readonly string[] {
  if (!marksSecrets(schema)) return [];
  const texts = new Set<string>();
  collect(value, cursorAt(schema), texts);
  return [...texts];
}

/** Below a secret place everything is secret. */
function collect(value: unknown, place: SchemaCursor | "secret", texts: Set<string>): void {
  const here = place === "secret" || isSecret(place) ? "secret" : place;
  if (typeof value === "string") {
    if (here === "secret" && value.length >= MIN_SECRET_LENGTH) texts.add(value);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, member] of members) collect(member, here === "secret" ? here : descend(here, key), texts);
}
