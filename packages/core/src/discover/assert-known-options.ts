import { AiwError } from "../errors/aiw-error.ts";
import type { DiscoverToolsOptions } from "./discover-options.ts";

const KNOWN: ReadonlySet<string> = new Set<keyof DiscoverToolsOptions>([
  "projectDir",
  "config",
  "production",
  "requireStatic",
  "inventory",
  "cache",
  "directories",
  "onDuplicate",
]);

/**
 * Refuses an option nobody knows: what was meant to protect would silently not hold.
 * @throws AiwError `config_invalid`
 */
export function assertKnownOptions(options: DiscoverToolsOptions): void {
  const unknown = Object.keys(options).find((name) => !KNOWN.has(name));
  if (unknown === undefined) return;
  throw new AiwError("config_invalid", `Discovery has no option ${JSON.stringify(unknown)}.`, {
    fix: `Options: ${[...KNOWN].join(", ")}.`,
  });
}
