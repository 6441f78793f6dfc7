import type { ToolEntry, ToolSource } from "../../contract/tool-source.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { isReportingSource, type ReportingSource } from "../../register/compose-report.ts";
import { compareText, createFinding, sortFindings, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { LockDifference } from "./compare-lock.ts";
import { describeDifferences } from "./describe-difference.ts";
import { findOff, type LookedAt } from "./find-off.ts";
import type { PackageHold } from "./hold-packages.ts";
import { INSTALL_OR_LOCK, toLockFixes } from "./lock-fix.ts";
import type { AiwLock } from "./lock-file.ts";

/** What judges a lock as a whole. */
export interface LockSourceOptions {
  readonly lock: AiwLock;
  readonly file: string;
  readonly isFrozen: boolean;
  readonly hold: PackageHold;
  /** The sources whose packages it held; they are asked before this one. */
  readonly sources: readonly ToolSource[];
  readonly lookedAt: LookedAt;
}

/** Brings no tools: asked last, it says what is pinned and not found, and under `frozen` lets nothing go on that is different. */
export class LockSource implements ReportingSource {
  readonly name = "lock";
  readonly #options: LockSourceOptions;
  #gone: readonly Finding[] = [];

  constructor(options: LockSourceOptions) {
    this.#options = options;
  }

  /** @throws AiwError `lock_drift`, `lock_missing` where the lock must hold */
  async list(): Promise<readonly ToolEntry[]> {
    const { file, hold, isFrozen } = this.#options;
    const gone = findGone(this.#options);
    this.#gone = gone.map(({ finding }) => finding);
    if (isFrozen && hold.findings.length + gone.length > 0) {
      const findings = sortFindings([...hold.findings, ...this.#gone, ...findBroken(this.#options)]);
      throw refuseDrift(file, findings, [...hold.differences, ...gone.map(({ difference }) => difference)]);
    }
    return [];
  }

  get report(): ReportingSource["report"] {
    return { found: [], rejected: [], missing: this.#gone, notEnabled: [] };
  }
}

interface GonePackage {
  readonly difference: LockDifference;
  readonly finding: Finding;
}

function findGone({ lock, hold, sources, lookedAt }: LockSourceOptions): GonePackage[] {
  const unseen = [...lock.packages].filter(([key]) => !hold.seen.has(key));
  if (unseen.length === 0) return [];
  const reports = sources.filter(isReportingSource).map(({ report }) => report);
  const keys = unseen.map(([key]) => key);
  const off = findOff(keys, lookedAt, reports);
  const said = reports.flatMap(({ rejected, missing, notEnabled }) => [...rejected, ...missing, ...notEnabled]);
  return unseen
    .filter(([key]) => !off.has(key))
    .map(([key, { version, tools }]) => {
      const of = said.filter((one) => one.package === key);
      const why = of.find(({ tool }) => tool === undefined) ?? of[0];
      const reason = why === undefined ? "nothing of that name is found." : why.reason;
      return {
        difference: { kind: "removed", package: key, from: { version, tools: [...tools.keys()] } },
        finding: createFinding({
          code: "lock_drift",
          package: toShownText(key),
          version,
          tools: [...tools.keys()],
          reason: `aiw.lock pins it, and it has no tools here: ${reason}`,
          fix: why?.fix ?? INSTALL_OR_LOCK,
        }),
      };
    });
}

/** Why pinned tools of packages that are here are gone: they are broken, as what hides text is. */
function findBroken({ hold, sources }: LockSourceOptions): Finding[] {
  const gone = new Set(
    hold.differences
      .filter(({ kind, tool }) => kind === "removed" && tool !== undefined)
      .map((one) => toShownText(`${one.package}/${one.tool}`)),
  );
  const rejected = sources.filter(isReportingSource).flatMap(({ report }) => report.rejected);
  return rejected.filter((one) => one.tool !== undefined && gone.has(`${one.package}/${one.tool}`));
}

/** Findings that an error repeats; all of them are in its details. */
const MAX_SAID = 20;

/** Makes the error of what is not as a lock pins it, with the differences. */
export function refuseDrift(
  file: string,
  findings: readonly Finding[],
  differences: readonly LockDifference[],
): AiwError {
  const isDrift = findings.some(({ code }) => code === "lock_drift");
  const sorted = differences.toSorted((a, b) => compareText(a.package, b.package));
  const compared = new Set(sorted.flatMap(({ kind, package: key }) => (kind === "removed" ? [] : [key])));
  const others = findings.filter((one) => one.tool !== undefined || !compared.has(one.package));
  const lines = [
    ...describeDifferences(sorted),
    ...others
      .slice(0, MAX_SAID)
      .map((one) => `! ${one.package}${one.tool === undefined ? "" : `/${one.tool}`}: ${one.reason}`),
  ];
  const message = `What is installed is not what ${toShownText(file)} pins, and nothing was loaded:\n${lines.join("\n")}`;
  return new AiwError(isDrift ? "lock_drift" : "lock_missing", message, {
    fix: toLockFixes(findings),
    details: { file, differences: sorted, findings },
  });
}
