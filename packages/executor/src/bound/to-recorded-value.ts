import { escapeHiddenText, type JsonSchema } from "@aiw/core";
import { escapeValue } from "./show-arguments.ts";
import { findSecrets, maskKnown, maskSecrets } from "./mask-secrets.ts";
import { findMarkedSecrets } from "./find-marked-secrets.ts";
import { fitsWhole } from "./measure-value.ts";
import { shortenText, shortenValue } from "./shorten-value.ts";

/** How a value is copied for a record. */
export interface RecordedValueOptions {
  /** Says where secrets are. */
  readonly schema?: JsonSchema;
  /** Texts that are masked wherever they occur: keys and passwords the host knows. */
  readonly known?: readonly string[];
  /** Characters the copy may take as JSON; 65,536 unless named. */
  readonly characters?: number;
}

/** Characters of a copy as JSON, unless another number is named. */
export const DEFAULT_RECORDED_CHARACTERS: number = 64 * 1024;

/** Characters of one text that are looked at, and those a secret has at most. */
const MAX_LOOKED_AT = 1024 * 1024;
const MAX_SECRET_LENGTH = 8192;

/**
 * Copies a JSON value for a log or record: secrets are masked by field, by pattern and wherever a known one is repeated,
 * names of members included; hidden characters are escaped, and the copy is bounded (SEC-LOG-1, SEC-LOG-2).
 */
export function toRecordedValue(value: unknown, options: RecordedValueOptions = {}): unknown {
  const { schema, known = [], characters = DEFAULT_RECORDED_CHARACTERS } = options;
  const named = findSecrets(value).texts;
  const marked = schema === undefined ? [] : findMarkedSecrets(value, schema);
  const texts = [...new Set([...named, ...marked, ...known.filter((text) => text !== "")])];
  const masked = maskEverywhere(maskSecrets(value, schema), texts);
  const shown = escapeValue(masked);
  if (fitsWhole(shown, characters)) return shown;
  // In a list, since media beside a value would be left as it is.
  const [shortened] = shortenValue([shown], {
    limit: characters,
    mark: (omitted) => `${omitted} omitted`,
  }) as readonly unknown[];
  return shortened;
}

/** The same for one text; at most 1,000 characters unless another number is named. */
export function toRecordedText(text: string, { known = [], characters = 1000 }: RecordedValueOptions = {}): string {
  const shown = escapeHiddenText(maskLong(text, known));
  return shortenText(shown, characters, (omitted) => `${omitted} omitted`);
}

/** Of a text that is cut before it is looked at, the end goes too: it may hold half a secret. */
function maskLong(text: string, texts: readonly string[]): string {
  if (text.length <= MAX_LOOKED_AT) return maskKnown(text, { names: [], texts });
  return maskKnown(text.slice(0, MAX_LOOKED_AT), { names: [], texts }).slice(0, -MAX_SECRET_LENGTH);
}

function maskEverywhere(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === "string") return texts.length === 0 ? value : maskKnown(value, { names: [], texts });
  if (Array.isArray(value)) return value.map((item: unknown) => maskEverywhere(item, texts));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => ({
    key: maskKnown(key, { names: [], texts }),
    member: maskEverywhere(member, texts),
  }));
  return fromMembers(members);
}

/** Names that are equal once they are masked stay apart, or one would hide the other. */
function fromMembers(members: readonly { readonly key: string; readonly member: unknown }[]): Record<string, unknown> {
  const taken = new Map<string, unknown>();
  for (const { key, member } of members) {
    let name = key;
    for (let twin = 2; taken.has(name); twin += 1) name = `${key} (${twin})`;
    taken.set(name, member);
  }
  return Object.fromEntries(taken);
}
