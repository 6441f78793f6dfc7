import { resolve } from "node:path";
import type { HostCheck } from "../inspect-host.ts";
import { findObstacle } from "./find-obstacle.ts";
import type { ProjectEngine } from "./project-engine.ts";

/** Checks that the file of log lines can be opened, without which no call begins. */
export function checkLogging({ config, projectDir }: ProjectEngine): HostCheck[] {
  const file = config.extensions?.logging?.file;
  if (file === undefined) return [];
  const path = resolve(projectDir, file);
  // A device such as /dev/null is written to, a link is not followed.
  const obstacle = findObstacle(path, { isRight: (entry) => !entry.isDirectory() && !entry.isSymbolicLink() });
  if (obstacle === undefined) return [];
  return [
    {
      name: "logging",
      level: "error",
      message: `calls cannot be logged in ${path}: ${obstacle}; every call fails`,
      fix: "Make it writable for whoever runs the calls, or name another file in extensions.logging.",
    },
  ];
}
