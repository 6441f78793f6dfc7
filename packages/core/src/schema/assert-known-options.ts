import { AiwError } from "../errors/aiw-error.ts";
import { nearestNames } from "./nearest-names.ts";

/**
 * Refuses an option nobody knows: what was meant to protect would silently not hold.
 * @throws AiwError `config_invalid`, also for what is no object
 */
export function assertKnownOptions(owner: string, options: unknown, known: Iterable<string>): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new AiwError("config_invalid", `The options of ${owner} are no object.`, { fix: "Write them like { }." });
  const names = [...known];
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, names, 1);
  throw new AiwError("config_invalid", `${owner} has no option ${JSON.stringify(unknown)}.`, {
    fix: nearest === undefined ? `Options: ${names.join(", ")}.` : `Did you mean ${nearest}?`,
  });
}
