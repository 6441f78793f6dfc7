import { escapeHiddenText } from "./hidden-text.ts";
import { descend, isSecret, type SchemaCursor } from "./schema-cursor.ts";

/** Characters a shown value has at most. */
export const MAX_SHOWN_LENGTH = 80;

/** How a value is shown. */
export interface ShowValueOptions {
  /** Characters at most; 80 unless named. */
  readonly max?: number;
  /** What the schema says of the value, so that secrets are masked. */
  readonly cursor?: SchemaCursor;
  /** Names whose values are secret wherever they occur. */
  readonly secretNames?: readonly string[];
}

/** Shows any value in one bounded line, as JSON where it is JSON; secrets by type and length alone. Never throws. */
export function showValue(
  value: unknown,
  { max = MAX_SHOWN_LENGTH, cursor, secretNames = [] }: ShowValueOptions = {},
): string {
  const writer = new Writer(max, secretNames);
  try {
    return cut(escapeHiddenText(writer.write(value, cursor)), max);
  } catch {
    return "<unreadable>";
  }
}

/** Shows what a secret is without showing it. */
export function maskSecret(value: unknown): string {
  if (typeof value === "string") return `<string, ${value.length} characters>`;
  if (Array.isArray(value)) return `<array, ${value.length} items>`;
  return `<${value === null ? "null" : typeof value}>`;
}

/** Cuts text to `max` characters, never inside one. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

class Writer {
  readonly #max: number;
  readonly #secretNames: readonly string[];
  #written = 0;

  constructor(max: number, secretNames: readonly string[]) {
    this.#max = max;
    this.#secretNames = secretNames;
  }

  /** What lies beyond the limit is not even read. */
  write(value: unknown, cursor: SchemaCursor | undefined): string {
    if (this.#written > this.#max) return "";
    if (cursor !== undefined && isSecret(cursor) && value !== null && value !== undefined)
      return this.#count(maskSecret(value));
    if (typeof value === "string") return this.#count(JSON.stringify(value.slice(0, this.#max)));
    if (typeof value === "bigint") return this.#count(cut(`${value}n`, this.#max));
    if (typeof value === "function" || typeof value === "symbol") return this.#count(`<${typeof value}>`);
    if (typeof value !== "object" || value === null) return this.#count(String(value));
    if (ArrayBuffer.isView(value)) return this.#count(`<${value.byteLength} bytes>`);
    return Array.isArray(value) ? this.#writeArray(value, cursor) : this.#writeObject(value, cursor);
  }

  #writeArray(items: readonly unknown[], cursor: SchemaCursor | undefined): string {
    const parts: string[] = [];
    this.#count("[]");
    for (let index = 0; index < items.length && this.#written <= this.#max; index += 1) {
      parts.push(this.write(items[index], cursor && descend(cursor, index)));
      this.#count(",");
    }
    return `[${parts.join(",")}]`;
  }

  #writeObject(value: object, cursor: SchemaCursor | undefined): string {
    const parts: string[] = [];
    this.#count("{}");
    for (const key of Object.keys(value)) {
      if (this.#written > this.#max) break;
      const name = this.#count(`${JSON.stringify(key.slice(0, this.#max))}:`);
      const member = (value as { readonly [key: string]: unknown })[key];
      const shown = this.#secretNames.includes(key)
        ? this.#count(maskSecret(member))
        : this.write(member, cursor && descend(cursor, key));
      parts.push(`${name}${shown}`);
    }
    return `{${parts.join(",")}}`;
  }

  #count(text: string): string {
    this.#written += text.length;
    return text;
  }
}
