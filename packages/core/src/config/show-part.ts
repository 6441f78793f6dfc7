import type { JsonSchema } from "../contract/json.ts";
import { toCanonicalJson } from "../schema/canonical-json.ts";
import { escapeHiddenText } from "../schema/hidden-text.ts";
import { isRecord } from "../schema/is-record.ts";
import { cursorAt, descend, isSecret, type SchemaCursor } from "../schema/schema-cursor.ts";
import { isSecretName } from "../schema/secret-name.ts";
import { maskSecret } from "../schema/show-value.ts";

/** One thing a configuration gives, and where. */
export interface ShownPart {
  readonly pointer: string;
  readonly value: unknown;
}

const OPTIONS = "/plugins/";

/**
 * Says a part to a person: nothing of it is cut, and nothing in it is invisible. Of secret options the type and length alone are
 * said: those that the package's schema marks, and where no schema speaks of one, text under a name such as `token`.
 */
export function showPart({ pointer, value }: ShownPart, schema?: JsonSchema): string {
  const shown = pointer.startsWith(OPTIONS)
    ? maskOption(value, { name: "", cursor: schema && cursorAt(schema) })
    : value;
  return escapeHiddenText(`${pointer}: ${toCanonicalJson(shown)}`);
}

interface Place {
  /** The nearest name around it. */
  readonly name: string;
  /** What the schema says of it; absent where nothing does. */
  readonly cursor: SchemaCursor | undefined;
}

function maskOption(value: unknown, place: Place): unknown {
  // A reference names a secret and is none.
  if (isRecord(value) && Object.hasOwn(value, "$env")) return value;
  if (isMasked(value, place)) return maskSecret(value);
  if (Array.isArray(value))
    return value.map((item, index) => maskOption(item, { name: place.name, cursor: enter(place.cursor, index) }));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      maskOption(member, { name, cursor: enter(place.cursor, name) }),
    ]),
  );
}

function isMasked(value: unknown, { name, cursor }: Place): boolean {
  if (value === undefined || value === null) return false;
  return cursor === undefined ? typeof value === "string" && isSecretName(name) : isSecret(cursor);
}

/** What no schema speaks of is as unknown as what has none. */
function enter(cursor: SchemaCursor | undefined, key: string | number): SchemaCursor | undefined {
  const below = cursor && descend(cursor, key);
  return below === undefined || below.schemas.length === 0 ? undefined : below;
}
