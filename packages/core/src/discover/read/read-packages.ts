import { createFinding } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { TextRead } from "../files/read-text.ts";
import { RETRY_MS } from "../find-project.ts";
import { readPackageText } from "../locate-packages.ts";
import {
  readPackage,
  type PackageCandidate,
  type PackageReading,
  type PackageRecord,
  type ReadPackageContext,
} from "./read-package.ts";

/** Packages with tools, and why others have none. */
export interface ReadPackages {
  readonly records: readonly PackageRecord[];
  readonly rejected: readonly Finding[];
  readonly notEnabled: readonly Finding[];
}

/** Reads candidates in their order; files that did not parse are read once more, since an install may be running. */
export async function readPackages(
  candidates: readonly PackageCandidate[],
  context: ReadPackageContext,
): Promise<ReadPackages> {
  const declaring = candidates.filter(({ read }) => !isOrdinary(read));
  const readings: PackageReading[] = [];
  for (const candidate of declaring) readings.push(await readPackage(candidate, context));
  if (readings.some(({ isUnparsable }) => isUnparsable === true)) {
    await context.ports.clock.wait(RETRY_MS);
    for (const [index, candidate] of declaring.entries()) {
      if (readings[index]?.isUnparsable === true)
        readings[index] = await readPackage(reread(candidate, context), context);
    }
  }
  const findings = readings.flatMap((reading) => reading.findings);
  return {
    records: mergeTwins(readings.flatMap(({ record }) => (record === undefined ? [] : [record]))),
    rejected: findings.filter(({ code }) => code !== "static_manifest_required"),
    notEnabled: findings.filter(({ code }) => code === "static_manifest_required"),
  };
}

/** Nearly every dependency is: nothing is made or awaited for it. */
function isOrdinary(read: TextRead): boolean {
  return read.kind === "unmarked" && !read.empty;
}

function reread(candidate: PackageCandidate, { ports }: ReadPackageContext): PackageCandidate {
  return candidate.source === "project" ? candidate : { ...candidate, read: readPackageText(candidate.dir, ports.fs) };
}

/** One folder under two keys is one package, by its first key. */
function mergeTwins(records: readonly PackageRecord[]): PackageRecord[] {
  const byPlace = new Map<string, PackageRecord>();
  for (const record of records) {
    const first = byPlace.get(record.realDir);
    if (first === undefined) byPlace.set(record.realDir, record);
    else first.notes.push(toTwinNote(first, record));
  }
  return [...byPlace.values()];
}

function toTwinNote(first: PackageRecord, second: PackageRecord): Finding {
  return createFinding({
    code: "alias",
    package: first.id,
    version: first.version,
    dir: first.dir,
    reason: `${first.id} and ${second.id} are one package; its tools are ${first.id}/….`,
    fix: "Nothing to do; one of the two dependencies is enough.",
  });
}
