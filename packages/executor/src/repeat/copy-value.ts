import { isPlain, MAX_DEPTH, MAX_VISITS } from "./is-same-value.ts";

/**
 * Copies a result as data, since a tool may hand out what it goes on changing. An instance of a class stands there as what
 * equals nothing. Undefined for what cannot be looked through; never throws.
 */
export function copyValue(value: unknown): { readonly copy: unknown } | undefined {
  try {
    return { copy: new Copier().copy(value, 0) };
  } catch {
    return undefined;
  }
}

class Copier {
  #visits = 0;

  copy(value: unknown, depth: number): unknown {
    if (typeof value !== "object" || value === null) return value;
    this.#visits += 1;
    if (this.#visits > MAX_VISITS || depth > MAX_DEPTH) throw new RangeError("too much to copy");
    if (Array.isArray(value)) return value.map((item: unknown) => this.copy(item, depth + 1));
    if (!isPlain(value)) return Symbol("an instance of a class");
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.copy(member, depth + 1)]));
  }
}
