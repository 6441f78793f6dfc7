import { nearestNames } from "@aiw/core";

/** A name that somebody may take for another one. */
export interface LookAlike {
  readonly name: string;
  /** The name that is known here. */
  readonly known: string;
  readonly why: "spelling" | "scope";
}

/** Names of our own packages that hold tools or that a tool package needs. */
export const OWN_NAMES: readonly string[] = [
  "@aiw/core",
  "@aiw/cli",
  "@aiw/plugin-filesystem",
  "@aiw/plugin-shell",
  "@aiw/plugin-web",
  "@aiw/plugin-agent",
];

/** Letters of a name below which two edits say nothing. */
const SHORT = 5;

/**
 * Finds what a name may have been made to look like: another spelling of a known name, or its last part in another scope. Whoever
 * owns a scope gives out its names, so within one nothing looks alike.
 */
export function findLookAlikes(name: string, known: Iterable<string>): LookAlike[] {
  const others = [...new Set(known)].filter((one) => one !== name && !isSameScope(one, name));
  if (new Set(known).has(name)) return [];
  const near = new Set(
    nearestNames(name, others, others.length).filter((one) => Math.min(one.length, name.length) >= SHORT),
  );
  return others.flatMap((one): LookAlike[] => {
    if (near.has(one) || toSkeleton(one) === toSkeleton(name)) return [{ name, known: one, why: "spelling" }];
    return isSameBase(one, name) ? [{ name, known: one, why: "scope" }] : [];
  });
}

/** The same name in lower case, without what separates, and with letters that are easily taken for others as one. */
function toSkeleton(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("cl", "d")
    .replaceAll("0", "o")
    .replaceAll(/[1i]/g, "l")
    .replaceAll("5", "s");
}

function isSameScope(a: string, b: string): boolean {
  const scope = toScope(a);
  return scope !== undefined && scope === toScope(b);
}

/** A last part that is a common word, as `core` or `cli`, is no sign. */
const MIN_BASE = 6;

function isSameBase(a: string, b: string): boolean {
  const base = toSkeleton(toBase(a));
  return base.length >= MIN_BASE && base === toSkeleton(toBase(b)) && toScope(a) !== toScope(b);
}

function toScope(name: string): string | undefined {
  return name.startsWith("@") ? name.slice(0, name.indexOf("/")) : undefined;
}

function toBase(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
