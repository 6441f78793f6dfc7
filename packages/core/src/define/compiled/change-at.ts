import { fromPointer } from "../../schema/json-pointer.ts";

/** Places in a value, as a tree of the segments that lead to them. */
export interface Places {
  isPlace: boolean;
  readonly below: Map<string, Places>;
}

/** Gives what is to stand in a place; `path` leads to it for as long as the function runs. */
export type Change = (value: unknown, path: readonly (string | number)[]) => unknown;

/** Reads JSON Pointers in which `*` stands for every item or member. */
export function toPlaces(pointers: readonly string[]): Places {
  const root: Places = { isPlace: false, below: new Map() };
  for (const pointer of pointers) {
    let place = root;
    for (const segment of fromPointer(pointer)) {
      const next = place.below.get(segment) ?? { isPlace: false, below: new Map() };
      place.below.set(segment, next);
      place = next;
    }
    place.isPlace = true;
  }
  return root;
}

/** Changes a value in its places and nowhere else: what is changed inside is copied, so that the given value stays as it is. */
export function changeAt(value: unknown, places: Places, change: Change): unknown {
  return changeBelow(value, places, { change, path: [] });
}

interface Walk {
  readonly change: Change;
  /** One list for the whole walk: a copy for each item of a long list is dear. */
  readonly path: (string | number)[];
}

function changeBelow(value: unknown, { isPlace, below }: Places, walk: Walk): unknown {
  const changed = isPlace ? walk.change(value, walk.path) : value;
  if (below.size === 0) return changed;
  if (Array.isArray(changed)) return changeItems(changed, below, walk);
  return isPlainHolder(changed) ? changeMembers(changed, below, walk) : changed;
}

function changeItems(items: readonly unknown[], below: Places["below"], walk: Walk): unknown {
  const changed = items.map((item, index) => changeOne(item, index, { below, walk }));
  return changed.every((item, index) => Object.is(item, items[index])) ? items : changed;
}

function changeMembers(holder: object, below: Places["below"], walk: Walk): unknown {
  const members = Object.entries(holder);
  const changed = members.map(([name, member]): [string, unknown] => [name, changeOne(member, name, { below, walk })]);
  // Entries become own members, whatever they are called.
  return changed.every(([, member], index) => Object.is(member, members[index]?.[1]))
    ? holder
    : Object.fromEntries(changed);
}

function changeOne(
  value: unknown,
  key: string | number,
  { below, walk }: { below: Places["below"]; walk: Walk },
): unknown {
  walk.path.push(key);
  const changed = [below.get("*"), key === "*" ? undefined : below.get(String(key))].reduce<unknown>(
    (before, places) => (places === undefined ? before : changeBelow(before, places, walk)),
    value,
  );
  walk.path.pop();
  return changed;
}

/** What says itself how it becomes JSON is left alone, and so is what is no JSON at all. */
function isPlainHolder(value: unknown): value is object {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  return !("toJSON" in value && typeof value.toJSON === "function");
}
