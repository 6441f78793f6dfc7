import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPointer } from "../../schema/json-pointer.ts";
import { changeAt, toPlaces } from "./change-at.ts";

const mark = (value: unknown): unknown => ({ changed: value });

describe("changeAt", () => {
  it.each<[string, unknown, string[], unknown]>([
    ["the whole", 1, [""], { changed: 1 }],
    ["a member", { a: 1, b: 2 }, ["/a"], { a: { changed: 1 }, b: 2 }],
    ["every item", { a: [1, 2] }, ["/a/*"], { a: [{ changed: 1 }, { changed: 2 }] }],
    ["every member", { a: { x: 1, y: 2 } }, ["/a/*"], { a: { x: { changed: 1 }, y: { changed: 2 } } }],
    ["an item of a tuple", { a: [1, 2] }, ["/a/1"], { a: [1, { changed: 2 }] }],
    ["members of items", [{ at: 1 }, { at: 2 }], ["/*/at"], [{ at: { changed: 1 } }, { at: { changed: 2 } }]],
    ["a name with escapes", { "a/b~c": 1 }, ["/a~1b~0c"], { "a/b~c": { changed: 1 } }],
    ["nothing where nothing is", { a: 1 }, ["/b", "/a/b", "/a/*/c"], { a: 1 }],
    ["nothing an object inherits", { a: 1 }, ["/toString", "/constructor/name"], { a: 1 }],
  ])("changes %s", (_what, value, pointers, expected) => {
    expect(changeAt(value, toPlaces(pointers), mark)).toEqual(expected);
  });

  it("says where it is", () => {
    const paths: unknown[] = [];
    changeAt({ a: [{ at: 1 }, { at: 2 }], "*": 3 }, toPlaces(["/a/*/at", "/*"]), (value, path) => {
      paths.push([...path]);
      return value;
    });
    expect(paths).toEqual([["a"], ["a", 0, "at"], ["a", 1, "at"], ["*"]]);
  });

  it("takes names every object has for names", () => {
    const value = JSON.parse('{"__proto__":{"at":1},"constructor":{"at":2}}') as object;
    const changed = changeAt(value, toPlaces(["/__proto__/at", "/constructor/at"]), mark) as object;
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"at":{"changed":1}},"constructor":{"at":{"changed":2}}}');
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
    expect(({} as { at?: unknown }).at).toBeUndefined();
  });

  it("leaves alone what becomes JSON by itself, and ends on circles", () => {
    const own = { at: 1, toJSON: () => "own" };
    const bytes = new Uint8Array([1, 2]);
    const circle: { self?: unknown; at: number } = { at: 1 };
    circle.self = circle;
    const value = { own, bytes, circle };
    const changed = changeAt(value, toPlaces(["/own/at", "/bytes/*", "/circle/self/self/at"]), mark) as typeof value;
    expect(changed.own).toBe(own);
    expect(changed.bytes).toBe(bytes);
    expect(changed.circle).toMatchObject({ at: 1, self: { at: 1, self: { at: { changed: 1 } } } });
    expect(circle).toEqual({ at: 1, self: circle });
  });

  it("changes the places and nothing else, and never the given value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.nat(20), { maxLength: 4 }), (value, steps) => {
        const path = pathInto(value, steps);
        fc.pre(!path.includes("*"));
        const before = JSON.stringify(value);
        const changed = changeAt(value, toPlaces([toPointer(path)]), () => "changed");
        expect(JSON.stringify(value)).toBe(before);
        expect(JSON.stringify(changed)).toBe(JSON.stringify(withChanged(value, path)));
        expect(changeAt(value, toPlaces([toPointer(path)]), (same) => same)).toBe(value);
      }),
    );
  });

  it("never throws, whatever the places are", () => {
    const pointer = fc.array(fc.oneof(fc.string(), fc.constantFrom("*", "0", "a")), { maxLength: 5 }).map(toPointer);
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(pointer), (value, pointers) => {
        const before = JSON.stringify(value);
        changeAt(value, toPlaces(pointers), mark);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });
});

/** A path that exists in the value. */
function pathInto(value: unknown, steps: readonly number[]): string[] {
  const path: string[] = [];
  let here = value;
  for (const step of steps) {
    if (typeof here !== "object" || here === null) break;
    const keys = Object.keys(here);
    const key = keys[step % Math.max(keys.length, 1)];
    if (key === undefined) break;
    path.push(key);
    here = (here as Record<string, unknown>)[key];
  }
  return path;
}

/** Sets one place of a copy. */
function withChanged(value: unknown, path: readonly string[]): unknown {
  const copy: unknown = structuredClone(value);
  const last = path.at(-1);
  if (last === undefined) return "changed";
  let holder = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  Object.defineProperty(holder, last, { value: "changed" });
  return copy;
}
