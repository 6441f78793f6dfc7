import type { AiwLock, LockedPackage } from "./lock-file.ts";
import { createFinding, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { PackageRecord } from "../read/read-package.ts";
import { comparePackage, type LockDifference } from "./compare-lock.ts";
import { INSTALL_OR_LOCK, LOOK_AND_LOCK, toLockFix } from "./lock-fix.ts";
import { describeDifferences } from "./describe-difference.ts";
import type { LockedRecords, LockGuard } from "./lock-guard.ts";
import { lockPackage } from "./lock-package.ts";
import type { PackagePin } from "./package-pin.ts";
import type { PinnedFolder } from "./pinned-files.ts";
import { isInstalled } from "./read-content.ts";
import { verifyLoading } from "./verify-loading.ts";

/** Lines of a difference that a finding repeats. */
const MAX_LINES = 12;

/** The lock that is in force, and its file. */
export interface HoldOptions {
  readonly lock: AiwLock;
  readonly file: string;
  readonly fs: DiscoveryFileSystem;
}

/** Compares packages with a lock, and remembers what was different. */
export class PackageHold implements LockGuard {
  readonly #lock: AiwLock;
  readonly #file: string;
  readonly #fs: DiscoveryFileSystem;
  readonly #seen = new Set<string>();
  readonly #folders: PinnedFolder[] = [];
  readonly #findings: Finding[] = [];
  readonly #differences: LockDifference[] = [];

  constructor({ lock, file, fs }: HoldOptions) {
    this.#lock = lock;
    this.#file = file;
    this.#fs = fs;
  }

  /**
   * Lets through what is as the lock pins it, and what is developed here and was never pinned; a person's trust judges that. From
   * then on nothing of the packages is loaded that is not as it was compared.
   */
  hold(records: readonly PackageRecord[]): LockedRecords {
    const held = records.map((record) => this.#holdOne(record));
    const notEnabled = held.flatMap((one) => ("finding" in one ? [one.finding] : []));
    this.#findings.push(...notEnabled);
    verifyLoading(this.#file, this.#folders);
    return { records: held.flatMap((one) => ("record" in one ? [one.record] : [])), notEnabled };
  }

  /** Keys of the packages that were there, whatever became of them. */
  get seen(): ReadonlySet<string> {
    return this.#seen;
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }

  get differences(): readonly LockDifference[] {
    return this.#differences;
  }

  #holdOne(record: PackageRecord): { readonly record: PackageRecord } | { readonly finding: Finding } {
    const { id, form, source } = record;
    const locked = this.#lock.packages.get(id);
    if (form !== "manifest" && source !== "package" && locked === undefined) return { record };
    this.#seen.add(id);
    if (locked === undefined || form !== "manifest") return { finding: this.#refuseUnpinned(record, locked) };
    const current = lockPackage(record, this.#fs, locked);
    if ("problem" in current) return { finding: toFinding(record, `it cannot be compared: ${current.problem}`) };
    const differences = comparePackage(id, locked, current);
    if (differences.length > 0) {
      this.#differences.push(...differences);
      return { finding: toFinding(record, sayDifferences(differences)) };
    }
    const pin = this.#toPin(record, locked);
    const { dir, realDir } = record;
    const files = Object.fromEntries(pin.files);
    this.#folders.push({ packageKey: id, dir, realDir, files, isWhole: pin.isWhole });
    return { record: { ...record, pin } };
  }

  #toPin(record: PackageRecord, locked: LockedPackage): PackagePin {
    return {
      files: locked.files,
      isWhole: isInstalled(record),
      check: () => {
        const current = lockPackage(record, this.#fs, locked);
        if ("problem" in current) return toShownText(current.problem);
        const differences = comparePackage(record.id, locked, current);
        return differences.length === 0 ? undefined : sayDifferences(differences);
      },
    };
  }

  #refuseUnpinned(record: PackageRecord, locked: LockedPackage | undefined): Finding {
    const { id, version, dir, form, tools } = record;
    if (form === "manifest") this.#differences.push({ kind: "added", package: id, to: toSummary(record) });
    return createFinding({
      code: locked === undefined ? "lock_missing" : "lock_drift",
      package: id,
      ...(version !== undefined && { version }),
      dir,
      tools: tools.map(({ name }) => name),
      reason:
        form === "manifest"
          ? "aiw.lock does not pin it."
          : `It is declared as a ${form}, which only running code can list, and aiw.lock pins manifests alone.`,
      fix:
        form === "manifest"
          ? toLockFix(record, LOOK_AND_LOCK)
          : "Ask its author for a static manifest (aiw build), or remove it.",
    });
  }
}

function toSummary({ version, tools }: PackageRecord): object {
  return { version, tools: tools.map(({ name }) => name).toSorted() };
}

function toFinding(record: PackageRecord, what: string): Finding {
  const { id, version, dir, source, tools } = record;
  return createFinding({
    code: "lock_drift",
    package: id,
    ...(version !== undefined && { version }),
    dir,
    tools: tools.map(({ name }) => name),
    reason: `It is not what aiw.lock pins: ${what.replace(/\.?$/, ".")}`,
    fix: toLockFix(record, source === "package" ? INSTALL_OR_LOCK : LOOK_AND_LOCK),
  });
}

/** One line of findings: the first differences, whole. */
function sayDifferences(differences: readonly LockDifference[]): string {
  const lines = describeDifferences(differences).map((line) => line.trim());
  const more = lines.length > MAX_LINES ? ["and more: aiw lock --check shows all"] : [];
  return [...lines.slice(0, MAX_LINES), ...more].join("; ");
}
