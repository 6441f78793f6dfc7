import type { TrustRequest } from "@aiw/core";
import { oneLine } from "../../output/one-line.ts";

/** What a part of a configuration would do, by the key it is under. */
const MEANINGS: readonly (readonly [pointer: string, meaning: string])[] = [
  ["/policy/rules/", "calls that fit run without asking"],
  ["/plugins/", "options of a package, and it counts as a dependency"],
  ["/sources/directories/", "a folder of tools; its code is asked for apart"],
  ["/tools/prefer/", "who gets a tool's name, and with it what is allowed to that name"],
  ["/limits/", "a bound beyond the default"],
  ["/discovery/cache", "a cache of what was read of packages"],
];

const HEADS: Readonly<Record<TrustRequest["subject"], (dir: string) => string>> = {
  configuration: (dir) => `The configuration of ${dir} (aiw.config.json) would give:`,
  project_tools: (dir) => `The project ${dir} would run its own code to list its tools:`,
  directory: (dir) => `The folder of tools ${dir} would run its code to list them:`,
};

const CODE_NOTE =
  "  What is trusted: these files, and all that they import by a relative path that is written out, as they are now.";

/** All that a request would allow, each part whole and in a line of its own. */
export function describeRequest({ subject, dir, parts, hash }: TrustRequest): string {
  return [
    HEADS[subject](oneLine(dir)),
    ...(subject === "configuration" ? describeSettings(parts) : parts.map((part) => `  ${oneLine(part)}`)),
    ...(subject === "configuration" ? [] : [CODE_NOTE]),
    `  Content: ${hash}`,
  ].join("\n");
}

/** Parts under the heading that says what they do. */
function describeSettings(parts: readonly string[]): string[] {
  const groups = Map.groupBy(parts, (part) => MEANINGS.find(([pointer]) => part.startsWith(pointer))?.[1] ?? "");
  return [...groups].flatMap(([meaning, members]) => [
    `  ${meaning === "" ? "other settings that widen" : meaning}:`,
    ...members.map((part) => `    ${oneLine(part)}`),
  ]);
}
