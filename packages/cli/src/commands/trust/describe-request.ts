import type { TrustRequest } from "@aiw/core";
import { oneLine } from "../../output/one-line.ts";

/** What a part of a configuration would do, by the key it is under. */
const MEANINGS: readonly (readonly [pointer: string, meaning: string])[] = [
  ["/policy/rules/", "calls that fit run without asking"],
  ["/plugins/", "options of a package, and it counts as a dependency"],
  ["/sources/directories/", "a folder of tools; its code is asked for apart"],
  ["/tools/prefer/", "who gets a tool's name, and with it what is allowed to that name"],
  ["/workspace/roots/", "a folder beside the project that tools may read and change"],
  ["/limits/", "a bound beyond the default"],
  ["/policy/approval", "how people are asked; with never, unsafe calls run at once"],
  ["/extensions/audit/", "a record of calls, written to this place"],
  ["/extensions/logging/", "log lines of calls, written to this place"],
  ["/extensions/telemetry/", "facts of calls, sent to or offered at these addresses"],
  ["/extensions/", "what stands around calls"],
  ["/isolation/grants/", "what packages in processes of their own may touch, and how far they are confined"],
  ["/isolation/", "packages whose code runs in the host's own process"],
  ["/executors/secrets/", "variables of the environment that tools of a package may use and send"],
  ["/executors/http/", "addresses and sizes beyond what tools of type http may reach by themselves"],
  ["/executors/shell/", "variables of the environment that commands get"],
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
