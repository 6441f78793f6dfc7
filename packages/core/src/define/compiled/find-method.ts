/** A function that is called with what it belongs to. */
export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Finds a method of an object or a class, inherited ones included; what every object or function has by itself is none, and
 * an accessor is not asked.
 */
export function findMethod(holder: object, name: string): AnyFunction | undefined {
  if (name === "constructor") return undefined;
  for (let owner: object | null = holder; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    if (owner !== holder && isBuiltIn(owner)) return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    if (descriptor !== undefined)
      return typeof descriptor.value === "function" ? (descriptor.value as AnyFunction) : undefined;
  }
  return undefined;
}

function isBuiltIn(owner: object): boolean {
  return Object.getPrototypeOf(owner) === null || owner === Function.prototype;
}

/** True for what must be constructed, and cannot be called; a method may be called `class`, but has no prototype. */
export function isClass(value: unknown): value is AnyClass {
  return (
    typeof value === "function" &&
    /^class\b/.test(Function.prototype.toString.call(value)) &&
    Object.hasOwn(value, "prototype")
  );
}

/** A class nothing else is known of. */
export interface AnyClass {
  new (...args: never[]): object;
  readonly name: string;
  readonly prototype: object;
}
