import type { Finding } from "@aiw/core";
import { CHECKS, type CheckName } from "./checks.ts";
import { judgeContract, judgeDefinitions } from "./judge/judge-contract.ts";
import { judgeCore, judgeNode, judgeRanges } from "./judge/judge-dependencies.ts";
import { judgeEffects } from "./judge/judge-effects.ts";
import { judgeEntryPoints } from "./judge/judge-entry-points.ts";
import { judgeImport } from "./judge/judge-import-ending.ts";
import {
  judgeGlobals,
  judgeHandles,
  judgeNetwork,
  judgeSilence,
  judgeSurroundings,
  judgeTime,
  type ImportSubject,
} from "./judge/judge-imports.ts";
import {
  isDataAlone,
  judgeDeclaration,
  judgeFresh,
  judgeHashes,
  judgeManifest,
  judgeModules,
  judgeStaticForm,
  toFinding,
} from "./judge/judge-manifest.ts";
import {
  judgeIdentity,
  judgeInstallScripts,
  judgeLicense,
  judgePackedFiles,
  judgeReadme,
  judgeRepository,
} from "./judge/judge-package-json.ts";
import { judgeProvenance } from "./judge/judge-provenance.ts";
import { judgeExamples, judgeFormats, judgeSchemas } from "./judge/judge-schemas.ts";
import { judgeNames } from "./judge/judge-specs.ts";
import { judgeFiles, judgePaths, judgeSecrets, judgeSize } from "./judge/judge-tarball.ts";
import { judgeDescriptions, judgeParameters, judgeAlphabets } from "./judge/judge-texts.ts";
import type { CheckFinding, CheckResult, Verdict } from "./scorecard.ts";
import { toOutcome } from "./scorecard.ts";
import type { CheckSubject, CodeReports } from "./subject.ts";

/** All that is known of a package once it was packed, read and run. */
export interface JudgedPackage {
  readonly subject: CheckSubject;
  /** What a project that installs it is told. */
  readonly findings: readonly Finding[];
  readonly code: CodeReports;
  readonly imports: ImportSubject;
  /** Why no code could be run. */
  readonly codeSkipped?: string;
}

type Judge = (known: JudgedPackage) => Verdict | Promise<Verdict>;

/** One judge for each check. */
const JUDGES: { readonly [name in CheckName]: Judge } = {
  packs: () => [],
  tarball_paths: ({ subject }) => judgePaths(subject),
  tarball_size: ({ subject }) => judgeSize(subject),
  tarball_secrets: ({ subject }) => judgeSecrets(subject),
  tarball_files: ({ subject }) => judgeFiles(subject),
  package_identity: ({ subject }) => judgeIdentity(subject),
  core_dependency: ({ subject, findings }) => orUnsupported(judgeCore(subject), findings, "core_version_unsupported"),
  dependency_ranges: ({ subject }) => judgeRanges(subject),
  node_range: ({ subject, findings }) => orUnsupported(judgeNode(subject), findings, "node_version_unsupported"),
  install_scripts: ({ subject }) => judgeInstallScripts(subject),
  packed_files: ({ subject }) => judgePackedFiles(subject),
  entry_points: ({ subject }) => judgeEntryPoints(subject),
  license: ({ subject }) => judgeLicense(subject),
  repository: ({ subject }) => judgeRepository(subject),
  readme: ({ subject }) => judgeReadme(subject),
  provenance: ({ subject }) => judgeProvenance(subject),
  declaration: ({ findings }) => judgeDeclaration(findings),
  static_form: ({ subject }) => judgeStaticForm(subject),
  manifest: ({ subject, findings }) => judgeManifest(subject, findings),
  modules: ({ subject }) => judgeModules(subject),
  definition_hashes: ({ subject }) => judgeHashes(subject),
  manifest_fresh: ({ subject, code }) => judgeFresh(subject, code.rebuilt),
  names: ({ subject }) => judgeNames(subject),
  descriptions: ({ subject }) => judgeDescriptions(subject),
  alphabets: ({ subject }) => judgeAlphabets(subject),
  parameters: ({ subject }) => judgeParameters(subject),
  examples: ({ subject }) => judgeExamples(subject),
  effects: ({ subject }) => judgeEffects(subject),
  schemas: ({ subject }) => judgeSchemas(subject),
  formats: ({ subject }) => judgeFormats(subject),
  imports: ofImports(judgeImport),
  import_time: ofImports(judgeTime),
  import_silent: ofImports(judgeSilence),
  import_handles: ofImports(judgeHandles),
  import_globals: ofImports(judgeGlobals),
  import_surroundings: ofImports(judgeSurroundings),
  import_network: ofImports(judgeNetwork),
  definitions: ({ code, codeSkipped }) =>
    codeSkipped === undefined ? judgeDefinitions(code.contract) : { skipped: codeSkipped },
  contract: ({ subject, code, codeSkipped }) =>
    codeSkipped === undefined ? judgeContract(code.contract, subject.manifest) : { skipped: codeSkipped },
};

/** A range may be right and still not take what runs here: then nothing else could be read. */
function orUnsupported(own: readonly CheckFinding[], findings: readonly Finding[], code: Finding["code"]): Verdict {
  if (own.some(({ severity }) => severity === "fail")) return own;
  return [
    ...own,
    ...findings.filter((finding) => finding.code === code).map((finding) => toFinding(finding, "package.json")),
  ];
}

function ofImports(judge: (imports: ImportSubject) => Verdict): Judge {
  return ({ subject: { manifest }, imports, codeSkipped }) => {
    if (codeSkipped !== undefined) return { skipped: codeSkipped };
    if (manifest !== undefined && isDataAlone(manifest)) return [];
    return imports.reports.length === 0 ? { skipped: "no module could be imported" } : judge(imports);
  };
}

/** Gives every check its result, in the order of the scorecard. */
export async function judgeAll(known: JudgedPackage): Promise<CheckResult[]> {
  return Promise.all(listNames().map(async (name) => toResult(name, await JUDGES[name](known))));
}

/** Of a package that does not pack nothing else is known. */
export function judgeUnpacked(reason: string, fix: string): CheckResult[] {
  return listNames().map((name) =>
    toResult(name, name === "packs" ? [{ severity: "fail", reason, fix }] : { skipped: "there is no tarball" }),
  );
}

function listNames(): CheckName[] {
  return Object.keys(CHECKS) as CheckName[];
}

function toResult(name: CheckName, verdict: Verdict): CheckResult {
  const [group, promise] = CHECKS[name];
  const shared = { name, group, promise, result: toOutcome(verdict) };
  return "skipped" in verdict
    ? { ...shared, because: verdict.skipped, findings: [] }
    : { ...shared, findings: verdict };
}
