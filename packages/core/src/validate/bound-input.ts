import type { Json, JsonObject } from "../contract/json.ts";
import { ToolError } from "../errors/tool-error.ts";
import { toCallPath } from "./call-path.ts";

/** Limits of the arguments of one call (SEC-VAL-1). */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_NODES = 10_000;

/** Bytes that one UTF-16 code unit takes in UTF-8 at most. */
const MAX_BYTES_PER_UNIT = 3;

/** Reads one own member of an object or array; `undefined` where there is none, {@link COMPUTED} where code would run. */
type ReadMember = (source: object, key: string | number) => unknown;

const COMPUTED = Symbol("computed");

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
    return copyWithin(input, readData);
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

/** What JSON.parse made of a text has nothing but data, and is nobody else's: it needs no more than the limits. */
export function boundParsedInput(input: unknown, text: string): JsonObject {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return boundInput(input);
  return isWithinBounds(input, text) ? (input as JsonObject) : copyWithin(input, readParsed);
}

/**
 * True for what is within all limits at a glance. Of a short text there cannot be too many values or bytes, and half a
 * surrogate pair is written as an escape; whatever else might be wrong is left to who says what.
 */
function isWithinBounds(parsed: object, text: string): boolean {
  return text.length <= MAX_NODES && !text.includes("\\u") && text.isWellFormed() && isPlainData(parsed, 1);
}

function isPlainData(container: object, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(container)) return container.every((item) => isPlainValue(item, depth));
  const members = container as { readonly [name: string]: unknown };
  for (const name of Object.keys(members))
    if (name === "__proto__" || !isPlainValue(members[name], depth)) return false;
  return true;
}

function isPlainValue(value: unknown, depth: number): boolean {
  if (typeof value === "number")
    return Number.isFinite(value) && !(Number.isInteger(value) && !Number.isSafeInteger(value));
  return typeof value !== "object" || value === null || isPlainData(value, depth + 1);
}

/** Most arguments are far below the limit, however their characters are counted; only the others are counted exactly. */
function copyWithin(input: object, read: ReadMember): JsonObject {
  const rough = new InputCopier(read, false);
  const copied = rough.copy(input);
  return rough.bytes <= MAX_BYTES ? copied : new InputCopier(read, true).copy(input);
}

/** Reads data alone: a getter is code, and may answer differently the next time. */
const readData: ReadMember = (source, key) => {
  const descriptor = Object.getOwnPropertyDescriptor(source, key);
  if (descriptor === undefined) return undefined;
  return "value" in descriptor ? descriptor.value : COMPUTED;
};

const readParsed: ReadMember = (source, key) => (source as { readonly [key: string | number]: unknown })[key];

/** Copies level by level, never deeper than the limit; a path is built only where something is wrong. */
class InputCopier {
  /** Of what was copied, as UTF-8; the most it can be unless counted exactly. */
  bytes = 0;
  readonly #read: ReadMember;
  readonly #exact: boolean;
  /** The containers that are being copied, outermost first, and the keys that led to them. */
  readonly #sources: object[] = [];
  readonly #keys: (string | number)[] = [];
  #nodes = 0;

  constructor(read: ReadMember, exact: boolean) {
    this.#read = read;
    this.#exact = exact;
  }

  copy(source: object): JsonObject {
    this.#open(source);
    return this.#copyMembers(source);
  }

  #open(source: object): void {
    this.#sources.push(source);
    if (this.#sources.length > MAX_DEPTH) throw refuse(`the arguments nest deeper than ${MAX_DEPTH} levels`);
    this.#count(2);
  }

  #copyItems(source: object): Json[] {
    const length = Object.getOwnPropertyDescriptor(source, "length")?.value as unknown;
    if (typeof length !== "number" || length + this.#nodes > MAX_NODES) throw tooMany();
    const items: Json[] = [];
    for (let index = 0; index < length; index += 1) {
      items.push(this.#copyValue(this.#read(source, index), index));
    }
    return items;
  }

  #copyMembers(source: object): JsonObject {
    const members: { [name: string]: Json } = {};
    for (const key of Object.keys(source)) {
      if (key === "__proto__") continue;
      this.bytes += this.#utf8Length(key, key) + 4;
      const value = this.#read(source, key);
      if (value !== undefined) members[key] = this.#copyValue(value, key);
    }
    return members;
  }

  #copyValue(value: unknown, key: string | number): Json {
    if (value === null || typeof value === "boolean") return this.#scalar(value, 5);
    if (typeof value === "string") return this.#scalar(value, this.#utf8Length(value, key) + 2);
    if (typeof value === "number") return this.#scalar(this.#assertNumber(value, key), 8);
    if (value === COMPUTED) throw this.#refuseAt(key, " is computed by a getter, which is not JSON");
    if (typeof value !== "object") throw this.#refuseAt(key, `: received ${nameOf(value)}, which is not JSON`);
    return this.#copyContainer(value, key);
  }

  #copyContainer(value: object, key: string | number): Json {
    if (this.#sources.includes(value)) throw this.#refuseAt(key, " contains itself");
    const list = Array.isArray(value);
    if (!list && !isPlain(value)) throw this.#refuseAt(key, ": expected plain JSON; received an instance of a class");
    this.#keys.push(key);
    this.#open(value);
    const copied = list ? this.#copyItems(value) : this.#copyMembers(value);
    this.#sources.pop();
    this.#keys.pop();
    return copied;
  }

  #scalar<Value extends Json>(value: Value, bytes: number): Value {
    this.#count(bytes);
    return value;
  }

  #count(bytes: number): void {
    this.#nodes += 1;
    this.bytes += bytes;
    if (this.#nodes > MAX_NODES) throw tooMany();
    if (this.#exact && this.bytes > MAX_BYTES) throw refuse(`the arguments have more than ${MAX_BYTES} bytes`);
  }

  #assertNumber(value: number, key: string | number): number {
    if (!Number.isFinite(value)) throw this.#refuseAt(key, `: expected a finite number; received ${value}`);
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    throw this.#refuseAt(
      key,
      `: expected an integer of at most 9007199254740991 either way; received ${value}, which has lost digits`,
    );
  }

  /** Counts bytes as UTF-8, and refuses text that has none. */
  #utf8Length(text: string, key: string | number): number {
    if (text.length > MAX_BYTES) return text.length;
    if (!text.isWellFormed()) throw this.#refuseAt(key, ": text holds half of a surrogate pair, which is not Unicode");
    if (!this.#exact) return text.length * MAX_BYTES_PER_UNIT;
    let bytes = text.length;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
    }
    return bytes;
  }

  #refuseAt(key: string | number, what: string): ToolError {
    return refuse(`${this.#placeOf(key)}${what}`);
  }

  #placeOf(key: string | number): string {
    return toCallPath([...this.#keys, key]);
  }
}

function tooMany(): ToolError {
  return refuse(`the arguments have more than ${MAX_NODES} values`);
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
