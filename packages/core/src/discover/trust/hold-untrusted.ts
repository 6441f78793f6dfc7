import * as path from "node:path";
import type { TrustRequest } from "../../config/trust/trust-request.ts";
import { createFinding, quote, toShownText } from "../../register/create-finding.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import { modulesOf, type PackageRecord } from "../read/read-package.ts";
import { toStoreFinding } from "./to-store-finding.ts";
import { readTrustedContent, type TrustedContentOptions } from "./read-trusted-content.ts";

/** Whose content has to be trusted. */
export interface HoldUntrustedOptions {
  readonly subject: TrustRequest["subject"];
  /** As it is named, for people. */
  readonly dir: string;
  /** With links followed: what is trusted. */
  readonly realDir: string;
  readonly ports: DiscoveryPorts;
}

/** What may run, and what waits for a person. */
export interface HeldRecords {
  readonly records: readonly PackageRecord[];
  readonly notEnabled: readonly Finding[];
  readonly waiting: readonly TrustRequest[];
}

/** Tools and modules a finding names. */
const MAX_NAMED = 5;

/** No hash of anything. */
const TOO_LARGE = "sha256-";

/**
 * Holds back what would run before anything is called, unless a person trusted that very content.
 * A static manifest is listed as ever: its code runs when one of its tools is called, which policy judges.
 */
export function holdUntrusted(records: readonly PackageRecord[], options: HoldUntrustedOptions): HeldRecords {
  const developed = records.filter(({ form }) => form !== "manifest");
  if (developed.length === 0) return { records, notEnabled: [], waiting: [] };
  const { subject, dir, realDir, ports } = options;
  const content = toContent(developed, realDir);
  const hashNow = (): string | undefined => readTrustedContent(content, ports.fs)?.hash;
  // Whoever trusts a folder whatever it says trusts content of every size.
  const isHashTrusted = (hash = TOO_LARGE): boolean => ports.trust.isTrusted(realDir, hash);
  const hash = hashNow();
  if (isHashTrusted(hash)) {
    const isTrusted = (): boolean => isHashTrusted(hashNow());
    return {
      records: records.map((record) => (record.form === "manifest" ? record : { ...record, isTrusted })),
      notEnabled: [],
      waiting: [],
    };
  }
  return {
    records: records.filter(({ form }) => form === "manifest"),
    notEnabled: [
      ...developed.map((record) => toFinding(record, { dir, tooLarge: hash === undefined })),
      ...toStoreFindings(developed, options),
    ],
    waiting:
      hash === undefined
        ? []
        : [{ subject, dir: realDir, hash, parts: developed.flatMap((one) => toParts(one, ports)) }],
  };
}

/** A record that is not believed is why, where there is one. */
function toStoreFindings([first]: readonly PackageRecord[], { realDir, ports }: HoldUntrustedOptions): Finding[] {
  const problem = ports.trust.problem?.(realDir);
  return problem === undefined || first === undefined ? [] : [toStoreFinding(problem, first.id)];
}

function toContent(records: readonly PackageRecord[], dir: string): TrustedContentOptions {
  return {
    dir,
    modules: records.flatMap((record) => modulesOf(record).map((module) => path.join(record.realDir, module))),
    settings: records.flatMap(({ loading, realDir }) =>
      loading === undefined ? [] : [{ dir: realDir, text: loading }],
    ),
  };
}

function toParts(record: PackageRecord, { fs }: DiscoveryPorts): string[] {
  const { id, tools, realDir } = record;
  return modulesOf(record).map((module) => {
    const names = tools.flatMap((tool) => (tool.module === module ? [tool.name] : []));
    const what = names.length === 0 ? "to learn its tools" : `for ${names.join(", ")}`;
    const isThere = fs.statSync(path.join(realDir, module), { throwIfNoEntry: false }) !== undefined;
    return `${toShownText(id)}: runs ${quote(module)}${isThere ? "" : ", which is not there,"} ${what}`;
  });
}

function toFinding(record: PackageRecord, { dir, tooLarge }: { dir: string; tooLarge: boolean }): Finding {
  const { id, version, tools } = record;
  const names = tools.slice(0, MAX_NAMED).map(({ name }) => name);
  const what = names.length === 0 ? "its tools" : names.join(", ") + (tools.length > MAX_NAMED ? " …" : "");
  const runs = modulesOf(record).slice(0, MAX_NAMED).map(quote).join(", ");
  const why = tooLarge ? "names more than anybody could look at, or what cannot be read" : "nobody has trusted yet";
  return createFinding({
    code: "trust_required",
    package: id,
    version,
    dir,
    tools: tools.map(({ name }) => name),
    reason: `Listing ${what} would run ${runs}, which ${why}.`,
    fix: tooLarge ? "Declare a static manifest: aiw build" : "Look at the code, then run: aiw trust",
  });
}
