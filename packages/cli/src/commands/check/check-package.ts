import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { AiwError, describeThrown, type Finding } from "@aiw/core";
import { discoverTools, inspectLayout } from "@aiw/core/node";
import { toShown } from "../../output/to-shown.ts";
import { judgeAll, judgeUnpacked } from "./judge-all.ts";
import { listFindings, listModules } from "./judge/judge-manifest.ts";
import { installPackage, PACKAGE_NAME, toInstalledFolder } from "./pack/install-package.ts";
import { packPackage } from "./pack/pack-package.ts";
import { unpackTarball, type UnpackedTarball } from "./pack/unpack-tarball.ts";
import { readOwnPackage, type OwnPackage } from "./read-own-package.ts";
import { readPackedJson, readPackedManifest } from "./read-packed.ts";
import { NO_CODE, runCode } from "./run-code.ts";
import { countOutcomes, type CheckResult, type Scorecard } from "./scorecard.ts";
import type { CheckSubject, CodeReports, PackedPackage } from "./subject.ts";

/** What is checked, and how. */
export interface CheckOptions {
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Warnings count as failures. */
  readonly strict: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds that one import may take; four times as many for the contract. */
  readonly timeoutMs?: number;
  /** Hears what takes long. */
  onStage?(stage: string): void;
}

/** What a check starts; tests give other tarballs, and run no code or some of it. */
export interface CheckWorld {
  readonly pack: typeof packPackage;
  readonly runCode: typeof runCode;
}

const TIMEOUT_MS = 15_000;

/**
 * Packs a package, installs the tarball beside what it declares, and runs every check on it. What it made on disk is gone after.
 * @throws AiwError `package_not_buildable` for a folder that is no tool package, `config_invalid` without a folder for temporary files; ToolError `cancelled`
 */
export async function checkPackage(
  options: CheckOptions,
  world: CheckWorld = { pack: packPackage, runCode },
): Promise<Scorecard> {
  const author = await readOwnPackage(options.dir);
  const scratch = await makeScratch();
  try {
    return await checkIn(scratch, { author, options, world });
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function makeScratch(): Promise<string> {
  try {
    return await realpath(await mkdtemp(path.join(tmpdir(), "aiw-check-")));
  } catch (cause) {
    throw new AiwError(
      "config_invalid",
      `Nothing can be unpacked in the folder for temporary files: ${describeThrown(cause)}`,
      { fix: "Set TMPDIR (on Windows: TEMP) to a folder that can be written.", cause },
    );
  }
}

interface Check {
  readonly author: OwnPackage;
  readonly options: CheckOptions;
  readonly world: CheckWorld;
}

async function checkIn(scratch: string, { author, options, world }: Check): Promise<Scorecard> {
  const { environment, signal, onStage = () => undefined } = options;
  const target = path.join(scratch, "tarball");
  const project = path.join(scratch, "project");
  await Promise.all([target, project].map((folder) => mkdir(folder, { recursive: true })));
  onStage("packing");
  const packing = await world.pack({ dir: author.dir, packageJson: author.packageJson, target, environment, signal });
  if (!("tarball" in packing))
    return toScorecard(author, { options, checks: judgeUnpacked(packing.reason, packing.fix) });
  const unpacked = await unpackInto(project, { author, tarball: packing.tarball });
  if ("problem" in unpacked) {
    const fix = "Look into it: npm pack, then tar -tvf the file it names.";
    return toScorecard(author, { options, checks: judgeUnpacked(unpacked.problem, fix) });
  }
  const { subject } = unpacked;
  onStage("reading it as a project would");
  const { report } = await discoverTools({ projectDir: project, config: {} }, { environment: {} });
  const setting = { scratch, environment, signal, timeoutMs: options.timeoutMs ?? TIMEOUT_MS };
  const codeSkipped = await whyNotRun(author, environment);
  const code: CodeReports =
    codeSkipped === undefined ? await world.runCode({ subject, project, setting, onStage }) : NO_CODE;
  const checks = await judgeAll({
    subject,
    findings: listFindings(report).map(toAuthor),
    code,
    ...(codeSkipped !== undefined && { codeSkipped }),
    imports: {
      reports: code.imports,
      packageDir: subject.packed.dir,
      modules: subject.manifest === undefined ? [] : listModules(subject.manifest),
      dependencies: declaredNames(subject),
      timeoutMs: setting.timeoutMs,
    },
  });
  return toScorecard(author, { options, checks, subject, code });
}

/** The author reads what to mend; how a user would get rid of the package is said elsewhere. */
function toAuthor(finding: Finding): Finding {
  const [fix = ""] = finding.fix.split(` If ${finding.package} is not yours: `);
  return { ...finding, fix };
}

/** The tarball as its package is installed; a name that is no folder's is judged all the same. */
async function unpackInto(
  project: string,
  { author, tarball }: { readonly author: OwnPackage; readonly tarball: string },
): Promise<{ readonly subject: CheckSubject } | { readonly problem: string }> {
  const dir = toInstalledFolder(project, PACKAGE_NAME.test(author.name) ? author.name : "package");
  await mkdir(dir, { recursive: true });
  let unpacked: UnpackedTarball;
  try {
    unpacked = await unpackTarball(tarball, dir);
  } catch (error) {
    return {
      problem: `The tarball cannot be unpacked: ${toShown(error instanceof Error ? error.message : String(error))}.`,
    };
  }
  const read = await readPackedJson(dir, "package.json");
  if (read === undefined) return { problem: "The tarball has no package.json that could be read." };
  const packed: PackedPackage = { dir, ...unpacked, packageJson: read.value };
  const dependencies = await installPackage(project, { packageJson: read.value, from: author.dir });
  const { name, version } = author;
  return {
    subject: { dir: author.dir, name, version, packed, dependencies, manifest: await readPackedManifest(packed) },
  };
}

/** Packages in archives have no folder that a link could lead to. */
async function whyNotRun({ dir }: OwnPackage, environment: CheckOptions["environment"]): Promise<string | undefined> {
  const { layout } = await inspectLayout(dir, { environment });
  return layout.endsWith("-pnp")
    ? "Plug'n'Play keeps dependencies in archives; check with nodeLinker: node-modules"
    : undefined;
}

function declaredNames({ packed: { packageJson } }: CheckSubject): ReadonlySet<string> {
  return new Set(
    ["dependencies", "peerDependencies", "optionalDependencies"].flatMap((field) =>
      Object.keys(packageJson[field] ?? {}),
    ),
  );
}

interface Outcome {
  readonly options: CheckOptions;
  readonly checks: readonly CheckResult[];
  readonly subject?: CheckSubject;
  readonly code?: CodeReports;
}

function toScorecard({ name, version, dir }: OwnPackage, { options, checks, subject, code }: Outcome): Scorecard {
  const totals = countOutcomes(checks);
  const { packed, manifest } = subject ?? {};
  return {
    package: { name, version, dir },
    tools: (manifest?.specs ?? []).map((spec) => spec.name),
    ok: totals.fail === 0 && !(options.strict && totals.warn > 0),
    totals,
    measures: {
      ...(packed && {
        files: packed.files.length,
        bytes: packed.bytes,
        unpackedBytes: packed.files.reduce((sum, { bytes }) => sum + bytes, 0),
      }),
      imports: (code?.imports ?? []).flatMap(({ module, cpuMs }) => (cpuMs === undefined ? [] : [{ module, cpuMs }])),
    },
    checks,
  };
}
