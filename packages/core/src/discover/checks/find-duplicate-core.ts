import * as path from "node:path";
import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { RunningCore } from "../core-version.ts";
import type { ReachedPackage } from "../inventory/walk-packages.ts";
import type { PackageRecord } from "../read/read-package.ts";

const CORE = "@aiw/core";

/** What a copy of core is compared with. */
export interface DuplicateCoreOptions {
  readonly reached: readonly ReachedPackage[];
  /** Undefined inside a bundle, where nobody can tell. */
  readonly running: RunningCore | undefined;
}

/** Notes a package that brings a core of its own: another version than this one, or one inside its own folder. */
export function findDuplicateCore(
  { id, version, dir, realDir }: PackageRecord,
  { reached, running }: DuplicateCoreOptions,
): Finding | undefined {
  const core = reached
    .find(({ one }) => one.realDir === realDir)
    ?.one.dependencies()
    .find(({ name }) => name === CORE);
  if (core === undefined || running === undefined || core.realDir === running.dir) return undefined;
  const isInside = core.realDir.startsWith(realDir + path.sep);
  if (core.version === running.version && !isInside) return undefined;
  return createFinding({
    code: "duplicate_core",
    package: id,
    version,
    dir,
    reason: `It brings its own ${CORE} ${toShownText(core.version)} (${core.dir}); this is ${running.version}.`,
    fix: "Nothing to do: tools of another copy work. Updating the package may save the second copy.",
  });
}
