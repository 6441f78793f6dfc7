import type { Json, JsonObject } from "../contract/json.ts";

const MAX_DEPTH = 64;
const MAX_NODES = 100_000;

/** Turns any value into JSON without throwing: what JSON cannot say is said in text, what has no value is left out. */
export function toJsonValue(value: unknown): Json {
  return new JsonWriter().write(value, []) ?? null;
}

/** Tells an object of plain members from arrays and from what is written as text. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

class JsonWriter {
  #nodes = 0;

  /** `outside` holds the objects around the value. */
  write(value: unknown, outside: readonly object[]): Json | undefined {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) return "[too large]";
    switch (typeof value) {
      case "string":
        return value.toWellFormed();
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "boolean":
        return value;
      case "bigint":
        return String(value);
      case "object":
        return value === null ? null : this.#writeObject(value, outside);
      case "function":
      case "symbol":
      case "undefined":
        return undefined;
    }
  }

  #writeObject(value: object, outside: readonly object[]): Json | undefined {
    if (outside.includes(value)) return "[circular]";
    if (outside.length >= MAX_DEPTH) return "[too deep]";
    const inside = [...outside, value];
    try {
      return this.#writeKnown(value, inside);
    } catch {
      return "[unreadable]";
    }
  }

  #writeKnown(value: object, inside: readonly object[]): Json | undefined {
    if (Array.isArray(value)) return this.#writeItems(value, inside);
    if (value instanceof Map) return this.#writeMap(value, inside);
    if (value instanceof Set) return this.#writeItems([...value], inside);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    // A stack is nothing for a model.
    if (value instanceof Error) return { name: value.name, message: value.message };
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === "function") return this.write((toJSON as (this: object) => unknown).call(value), inside);
    return this.#writeMembers(readMembers(value), inside);
  }

  #writeItems(items: readonly unknown[], inside: readonly object[]): Json {
    const written: Json[] = [];
    for (const item of items) {
      if (this.#nodes > MAX_NODES) return [...written, "[too large]"];
      written.push(this.write(item, inside) ?? null);
    }
    return written;
  }

  #writeMap(map: ReadonlyMap<unknown, unknown>, inside: readonly object[]): Json {
    const entries = [...map];
    if (entries.every(([key]) => typeof key === "string"))
      return this.#writeMembers(entries as [string, unknown][], inside);
    return this.#writeItems(entries, inside);
  }

  #writeMembers(members: Iterable<readonly [string, unknown]>, inside: readonly object[]): JsonObject {
    const written: [string, Json][] = [];
    for (const [name, member] of members) {
      if (name === "__proto__") continue;
      if (this.#nodes > MAX_NODES) break;
      const json = this.write(member, inside);
      if (json !== undefined) written.push([name.toWellFormed(), json]);
    }
    return Object.fromEntries(written);
  }
}

/** A getter that throws takes its member with it, not the whole result. */
function readMembers(value: object): [string, unknown][] {
  return Object.keys(value).map((name) => {
    try {
      return [name, (value as { readonly [name: string]: unknown })[name]];
    } catch {
      return [name, "[unreadable]"];
    }
  });
}
