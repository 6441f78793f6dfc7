import { describeParameters, type ToolSpec } from "@aiw/core";
import type { LockedPackage } from "@aiw/core/node";

/** Says what breaks calls that were right before: tools and parameters that are gone, and parameters that are needed now. */
export function findBreaking(from: LockedPackage | undefined, to: LockedPackage | undefined): string[] {
  if (to === undefined) return [];
  return [...(from?.tools ?? [])].flatMap(([name, { spec }]) => {
    const present = to.tools.get(name);
    if (present === undefined) return [`${name} is gone`];
    const more = compareParameters(toParameters(spec), toParameters(present.spec));
    return more.length === 0 ? [] : [`of ${name}, ${more.join(", ")}`];
  });
}

/** Whether each parameter is required, by its path. */
type Parameters = ReadonlyMap<string, boolean>;

function toParameters(spec: ToolSpec): Parameters {
  return new Map(describeParameters(spec).map(({ path, required }) => [path, required]));
}

/** What is inside of something new, or of something that is gone, is said with that. */
function compareParameters(from: Parameters, to: Parameters): string[] {
  return [
    ...[...from.keys()].filter((path) => !to.has(path) && isWithin(to, path)).map((path) => `${path} is gone`),
    ...[...to]
      .filter(([path, required]) => required && from.get(path) !== true && isWithin(from, path))
      .map(([path]) => `${path} is required now`),
  ];
}

function isWithin(parameters: Parameters, path: string): boolean {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("."))).replace(/(?:\[\])+$/, "");
  return parent === "" || parameters.has(parent);
}
