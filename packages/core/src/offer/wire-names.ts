import { sha256Hex } from "../schema/sha256.ts";

/** Names that every model provider takes as they are. */
const LEGAL = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const MAX_LENGTH = 64;

/** Tool names of one offered list, both ways; look-up is exact. */
export interface WireNames {
  /** What the model calls the tool; undefined for tools that are not offered. */
  toWire(name: string): string | undefined;
  /** Which tool the model means; undefined for names it made up. */
  fromWire(wireName: string): string | undefined;
  /** Every name on the wire, sorted. */
  readonly wireNames: readonly string[];
}

/** Maps the names of a list, given as pairs of tool name and wire name. */
export function createWireNames(pairs: Iterable<readonly [name: string, wireName: string]>): WireNames {
  const toWire = new Map(pairs);
  const fromWire = new Map([...toWire].map(([name, wireName]) => [wireName, name]));
  return Object.freeze({
    toWire: (name: string) => toWire.get(name),
    fromWire: (wireName: string) => fromWire.get(wireName),
    wireNames: Object.freeze([...fromWire.keys()].toSorted()),
  });
}

/** Makes a foreign name legal: `_` for illegal characters and before a leading digit; long ones end in part of their hash. */
export function toWireName(original: string): string {
  const legal = toLegal(original);
  return legal.length > MAX_LENGTH ? withHash(original, legal) : legal;
}

/** Names a tool by its full id, where another one owns the short name: `acme_plugin_x__read`. */
export function toWireId(toolId: string): string {
  const slash = toolId.lastIndexOf("/");
  const [owner, name] = slash < 0 ? ["", toolId] : [toolId.slice(0, slash).replace(/^@/, ""), toolId.slice(slash + 1)];
  const legal = toLegal(owner === "" ? name : `${owner}__${name}`);
  return legal.length > MAX_LENGTH ? withHash(toolId, legal) : legal;
}

/** Makes the names of one source legal; originals that would meet all get their hash, so that their order never matters. */
export function toWireNames(originals: Iterable<string>): ReadonlyMap<string, string> {
  const distinct = [...new Set(originals)];
  const claimed = Map.groupBy(distinct, toWireName);
  return new Map(
    distinct.map((original) => [
      original,
      claimed.get(toWireName(original))?.length === 1 ? toWireName(original) : withHash(original, toLegal(original)),
    ]),
  );
}

function toLegal(original: string): string {
  if (LEGAL.test(original)) return original;
  const replaced = original.replaceAll(/[^a-zA-Z0-9_]/g, "_");
  return /^[a-zA-Z_]/.test(replaced) ? replaced : `_${replaced}`;
}

function withHash(original: string, legal: string): string {
  return `${legal.slice(0, 55)}_${sha256Hex(original).slice(0, 8)}`;
}
