/** Members looked at; results that have more are taken for different. */
export const MAX_VISITS = 200_000;
export const MAX_DEPTH = 64;

/** Members that differ from call to call without saying anything of what was asked. */
const MEASURES: ReadonlySet<string> = new Set(["duration_ms", "durationMs", "elapsed_ms", "took_ms"]);

/** Compares two results as data, how long the work took left out; in doubt they differ. Never throws. */
export function isSameValue(left: unknown, right: unknown): boolean {
  try {
    return new Comparison().isSame(left, right, 0);
  } catch {
    return false;
  }
}

class Comparison {
  #visits = 0;

  isSame(left: unknown, right: unknown, depth: number): boolean {
    this.#visits += 1;
    if (this.#visits > MAX_VISITS || depth > MAX_DEPTH) return false;
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
      return Object.is(left, right);
    // One and the same object may have changed since it was given.
    if (left === right) return false;
    if (Array.isArray(left) || Array.isArray(right)) return this.#isSameList(left, right, depth);
    return isPlain(left) && isPlain(right) && this.#hasSameMembers(left, right, depth);
  }

  #isSameList(left: object, right: object, depth: number): boolean {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => this.isSame(item, right[index], depth + 1));
  }

  #hasSameMembers(left: object, right: object, depth: number): boolean {
    const [ours, theirs] = [toMembers(left), toMembers(right)];
    if (ours.size !== theirs.size) return false;
    for (const [name, value] of ours) {
      if (!theirs.has(name) || !this.isSame(value, theirs.get(name), depth + 1)) return false;
    }
    return true;
  }
}

function toMembers(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([name]) => !MEASURES.has(name)));
}

/** Of an instance of a class, what can be seen is not all there is. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
