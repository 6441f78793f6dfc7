import type { ToolEntry, ToolSource } from "../../contract/tool-source.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { isReportingSource, type ReportingSource } from "../../register/compose-report.ts";
import { createFinding, sortFindings, toShownText } from "../../register/create-finding.ts";
import type { DiscoveryReport, Finding } from "../../register/discovery-report.ts";
import type { LockDifference } from "./compare-lock.ts";
import { describeDifferences } from "./describe-difference.ts";
import { LOOK_AND_LOCK, type PackageHold } from "./hold-packages.ts";
import type { AiwLock } from "./lock-file.ts";
import { verifyLoading } from "./verify-loading.ts";

/** What judges a lock as a whole. */
export interface LockSourceOptions {
  readonly lock: AiwLock;
  readonly file: string;
  readonly isFrozen: boolean;
  readonly hold: PackageHold;
  /** The sources whose packages it held; they are asked before this one. */
  readonly sources: readonly ToolSource[];
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
    const { lock, file, hold, isFrozen, sources } = this.#options;
    const reports = sources.filter(isReportingSource).map(({ report }) => report);
    const gone = findGone(lock, hold.seen, reports);
    this.#gone = gone.map(({ finding }) => finding);
    if (isFrozen && hold.findings.length + gone.length > 0) {
      const findings = sortFindings([...hold.findings, ...this.#gone]);
      throw refuse(file, findings, [...hold.differences, ...gone.map(({ difference }) => difference)]);
    }
    verifyLoading(file, hold.folders);
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

/** What is switched off, optional and not here, or left out in production is not gone: it runs nothing. */
export function findExcused(reports: readonly Pick<DiscoveryReport, "missing" | "notEnabled">[]): Set<string> {
  const isOff = ({ code, tool }: Finding): boolean => code === "disabled_by_config" && tool === undefined;
  return new Set(
    reports.flatMap(({ missing, notEnabled }) => [
      ...missing.filter(({ code }) => code === "optional_absent").map((one) => one.package),
      ...notEnabled.filter(isOff).map((one) => one.package),
    ]),
  );
}

function findGone(
  lock: AiwLock,
  seen: ReadonlySet<string>,
  reports: readonly ReportingSource["report"][],
): GonePackage[] {
  const excused = findExcused(reports);
  const said = reports.flatMap(({ rejected, missing, notEnabled }) => [...rejected, ...missing, ...notEnabled]);
  return [...lock.packages]
    .filter(([key]) => !seen.has(key) && !excused.has(key))
    .map(([key, { version, tools }]) => {
      const why = said.find((one) => one.package === key && one.tool === undefined);
      const reason = why === undefined ? "nothing of that name is found" : why.reason;
      return {
        difference: { kind: "removed", package: key, from: { version, tools: [...tools.keys()] } },
        finding: createFinding({
          code: "lock_drift",
          package: toShownText(key),
          version,
          tools: [...tools.keys()],
          reason: `aiw.lock pins it, and it has no tools here: ${reason}`,
          fix: why?.fix ?? LOOK_AND_LOCK,
        }),
      };
    });
}

/** Findings that an error repeats; all of them are in its details. */
const MAX_SAID = 20;

function refuse(file: string, findings: readonly Finding[], differences: readonly LockDifference[]): AiwError {
  const isDrift = findings.some(({ code }) => code === "lock_drift");
  const shown = describeDifferences(differences);
  const others = findings.filter((one) => !differences.some((difference) => difference.package === one.package));
  const lines = [...shown, ...others.slice(0, MAX_SAID).map((one) => `! ${one.package}: ${one.reason}`)];
  const message = `What is installed is not what ${toShownText(file)} pins, and nothing was loaded:\n${lines.join("\n")}`;
  return new AiwError(isDrift ? "lock_drift" : "lock_missing", message, {
    fix: LOOK_AND_LOCK,
    details: { file, differences, findings },
  });
}
