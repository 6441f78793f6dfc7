import * as path from "node:path";
import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding, SourceReport } from "../../register/discovery-report.ts";
import type { PackageRecord } from "../read/read-package.ts";

/** A record and the directory it is of. */
export interface OwnedRecord {
  readonly record: PackageRecord;
  readonly home: string;
}

/** What reading one directory gave. */
export interface TakenDirectory extends Pick<SourceReport, "rejected" | "notEnabled" | "waiting"> {
  readonly records: readonly PackageRecord[];
}

/** What one reading of all directories has given so far. */
export class DirectoryReading {
  readonly records: OwnedRecord[] = [];
  readonly #byId = new Map<string, PackageRecord>();
  readonly #seen = new Set<string>();
  readonly #rejected: Finding[] = [];
  readonly #missing: Finding[] = [];
  readonly #notEnabled: Finding[] = [];
  readonly #waiting: SourceReport["waiting"][number][] = [];

  get report(): SourceReport {
    const [rejected, missing, notEnabled] = [this.#rejected, this.#missing, this.#notEnabled];
    return { found: [], rejected, missing, notEnabled, waiting: this.#waiting };
  }

  hasSeen(realDir: string): boolean {
    const has = this.#seen.has(realDir);
    this.#seen.add(realDir);
    return has;
  }

  miss(dir: string): void {
    this.#missing.push(
      createFinding({
        code: "directory_missing",
        package: toDirectoryKey(dir),
        dir,
        reason: `${dir} is named as a directory of tools and is not there.`,
        fix: `Make it, or remove it from AIWHISPERER_PLUGINS_DIR or sources.directories.`,
      }),
    );
  }

  /** Nobody names a folder of tools for nothing. */
  noteEmpty(dir: string): void {
    this.#missing.push(
      createFinding({
        code: "directory_empty",
        package: toDirectoryKey(dir),
        dir,
        reason: `${dir} is named as a directory of tools and has no module and no folder that declares tools.`,
        fix: "Put a module into it that exports tools, or do not name it.",
      }),
    );
  }

  reject(finding: Finding): void {
    this.#rejected.push(finding);
  }

  /** Takes what a directory gave; an id belongs to the first folder or file that has it. */
  take(home: string, { records, rejected, notEnabled, waiting }: TakenDirectory): void {
    this.#rejected.push(...rejected);
    this.#notEnabled.push(...notEnabled);
    this.#waiting.push(...waiting);
    for (const record of records) {
      const first = this.#byId.get(record.id);
      if (first === undefined) {
        this.#byId.set(record.id, record);
        this.records.push({ record, home });
      } else this.#rejected.push(toTwin(record, first));
    }
  }
}

function toTwin({ id, dir, module }: PackageRecord, first: PackageRecord): Finding {
  const here = toShownText(path.join(dir, module ?? ""));
  const there = toShownText(path.join(first.dir, first.module ?? ""));
  return createFinding({
    code: "tool_name_collision",
    package: id,
    dir,
    reason: `${here} would be ${id}, as ${there} is.`,
    fix: "Rename one of the two.",
  });
}

/** Names a directory in findings. */
export function toDirectoryKey(dir: string): string {
  return toShownText(`dir:${path.basename(dir)}`);
}
