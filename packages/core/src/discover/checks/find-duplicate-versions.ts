import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { ReachedPackage } from "../inventory/walk-packages.ts";
import type { PackageRecord } from "../read/read-package.ts";

/** Paths a note lists. */
const MAX_LISTED = 5;

/** Says where other versions of an enabled package lie; one version in several folders is one package. */
export function findDuplicateVersions(
  { id, version, dir, realDir }: PackageRecord,
  reached: readonly ReachedPackage[],
): Finding | undefined {
  const own = reached.find(({ one }) => one.realDir === realDir)?.one;
  if (own === undefined || version === undefined) return undefined;
  const others = reached.filter(({ one }) => one.name === own.name && one.version !== own.version);
  if (others.length === 0) return undefined;
  const shown = others.slice(0, MAX_LISTED).map(sayPlace);
  const more = others.length > MAX_LISTED ? ` and ${others.length - MAX_LISTED} more` : "";
  return createFinding({
    code: "duplicate_version",
    package: id,
    version,
    dir,
    reason: `The project gets ${toShownText(version)}; also installed: ${shown.join(", ")}${more}.`,
    fix: "Nothing to do: the project's own version is the one that is used.",
  });
}

function sayPlace({ one, by }: ReachedPackage): string {
  const dependent = by === undefined ? "" : ` (for ${by.name})`;
  return `${toShownText(one.version)} in ${one.dir}${dependent}`;
}
