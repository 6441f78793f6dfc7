import type { Json, JsonObject } from "../contract/json.ts";
import { ToolError } from "../errors/tool-error.ts";
import { toCallPath } from "./call-path.ts";

/** Limits of the arguments of one call (SEC-VAL-1). */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_NODES = 10_000;

/** An object or array waiting to be copied into its place. */
interface Frame {
  readonly source: object;
  readonly target: Json[] | { [name: string]: Json };
  readonly path: Place;
}

/** A place as a chain, so that no path is built unless something is wrong there. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
  readonly source: object;
  readonly depth: number;
}

/**
 * Copies arguments as plain JSON, whatever they are; absent, `null` and `""` mean no arguments.
 * @throws ToolError `invalid_input` for what is no JSON object within 4 MiB, 64 levels and 10,000 values.
 */
export function boundInput(input: unknown): JsonObject {
  if (input === undefined || input === null || input === "") return {};
  try {
    if (typeof input !== "object" || Array.isArray(input))
      throw refuse(`expected an object; received ${nameOf(input)}`);
    if (!isPlain(input)) throw refuse("expected an object; received an instance of a class");
    return new InputCopier().copy(input);
  } catch (error) {
    if (ToolError.is(error)) throw error;
    // A proxy or getter threw; what it threw is not ours to look at.
    throw refuse("the arguments cannot be read");
  }
}

/** Says what a value is, with its article. */
function nameOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

function refuse(message: string): ToolError {
  return new ToolError("invalid_input", message, { suggestion: "Send the arguments as one JSON object." });
}

class InputCopier {
  readonly #pending: Frame[] = [];
  #nodes = 0;
  #bytes = 0;

  copy(source: object): JsonObject {
    const copied: { [name: string]: Json } = {};
    this.#open({ source, target: copied, path: { parent: undefined, key: "", source, depth: 1 } });
    for (let frame = this.#pending.pop(); frame !== undefined; frame = this.#pending.pop()) {
      if (Array.isArray(frame.source)) this.#copyItems(frame);
      else this.#copyMembers(frame);
    }
    return copied;
  }

  #open(frame: Frame): void {
    const { path } = frame;
    if (path.depth > MAX_DEPTH) throw refuse(`the arguments nest deeper than ${MAX_DEPTH} levels`);
    this.#count(2);
    this.#pending.push(frame);
  }

  #copyItems({ source, target, path }: Frame): void {
    const length = Object.getOwnPropertyDescriptor(source, "length")?.value as unknown;
    if (typeof length !== "number" || length + this.#nodes > MAX_NODES) throw tooMany();
    for (let index = 0; index < length; index += 1) {
      const value = this.#read(source, String(index), () => placeBelow(path, index));
      (target as Json[])[index] = this.#copyValue(value, path, index);
    }
  }

  #copyMembers({ source, target, path }: Frame): void {
    for (const key of Object.keys(source)) {
      if (key === "__proto__") continue;
      this.#bytes += utf8Length(key, path, key) + 4;
      const value = this.#read(source, key, () => placeBelow(path, key));
      if (value !== undefined) (target as { [name: string]: Json })[key] = this.#copyValue(value, path, key);
    }
  }

  /** Reads data alone: a getter is code, and may answer differently the next time. */
  #read(source: object, key: string, place: () => string): unknown {
    const descriptor = Object.getOwnPropertyDescriptor(source, key);
    if (descriptor === undefined) return undefined;
    if (!("value" in descriptor)) throw refuse(`${place()} is computed by a getter, which is not JSON`);
    return descriptor.value;
  }

  #copyValue(value: unknown, path: Place, key: string | number): Json {
    if (value === null || typeof value === "boolean") return this.#scalar(value, 5);
    if (typeof value === "string") return this.#scalar(value, utf8Length(value, path, key) + 2);
    if (typeof value === "number") return this.#scalar(assertNumber(value, path, key), 8);
    if (typeof value !== "object")
      throw refuse(`${placeBelow(path, key)}: received ${nameOf(value)}, which is not JSON`);
    assertPlain(value, path, key);
    const target: Json[] | { [name: string]: Json } = Array.isArray(value) ? [] : {};
    this.#open({ source: value, target, path: { parent: path, key, source: value, depth: path.depth + 1 } });
    return target;
  }

  #scalar<Value extends Json>(value: Value, bytes: number): Value {
    this.#count(bytes);
    return value;
  }

  #count(bytes: number): void {
    this.#nodes += 1;
    this.#bytes += bytes;
    if (this.#nodes > MAX_NODES) throw tooMany();
    if (this.#bytes > MAX_BYTES) throw refuse(`the arguments have more than ${MAX_BYTES} bytes`);
  }
}

function tooMany(): ToolError {
  return refuse(`the arguments have more than ${MAX_NODES} values`);
}

function assertNumber(value: number, path: Place, key: string | number): number {
  if (!Number.isFinite(value)) throw refuse(`${placeBelow(path, key)}: expected a finite number; received ${value}`);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  throw refuse(
    `${placeBelow(path, key)}: expected an integer of at most 9007199254740991 either way; received ${value}, which has lost digits`,
  );
}

function assertPlain(value: object, path: Place, key: string | number): void {
  for (let place: Place | undefined = path; place !== undefined; place = place.parent) {
    if (place.source === value) throw refuse(`${placeBelow(path, key)} contains itself`);
  }
  if (!Array.isArray(value) && !isPlain(value))
    throw refuse(`${placeBelow(path, key)}: expected plain JSON; received an instance of a class`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || isForeignObjectPrototype(prototype);
}

/** Objects of another realm have a root prototype of their own. */
function isForeignObjectPrototype(prototype: unknown): boolean {
  return (
    typeof prototype === "object" &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, "isPrototypeOf")
  );
}

/** Counts bytes as UTF-8, and refuses text that has none. */
function utf8Length(text: string, path: Place, key: string | number): number {
  if (text.length > MAX_BYTES) return text.length;
  if (!text.isWellFormed())
    throw refuse(`${placeBelow(path, key)}: text holds half of a surrogate pair, which is not Unicode`);
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function placeBelow(path: Place, key: string | number): string {
  const keys: (string | number)[] = [key];
  for (let place: Place | undefined = path; place?.parent !== undefined; place = place.parent) keys.unshift(place.key);
  return toCallPath(keys);
}
