import * as path from "node:path";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { createFinding, quote, toShownText } from "../register/create-finding.ts";
import type { DiscoveryCode, Finding, FoundPackage } from "../register/discovery-report.ts";
import { checkOptions } from "./checks/check-options.ts";
import { checkVersions, type RunningVersions } from "./checks/check-versions.ts";
import { toErrno, type DiscoveryPorts } from "./discovery-ports.ts";
import { parseJson } from "./files/parse-json.ts";
import { readText, type TextRead } from "./files/read-text.ts";
import { MAX_PACKAGE_JSON } from "./find-project.ts";
import type { PackageManager } from "./package-manager.ts";
import { isRefusal, readDeclaration, type Declaration, type Refusal } from "./read-declaration.ts";
import { MAX_MANIFEST, readManifest, type Manifest } from "./read-manifest.ts";

/** A folder whose package.json was read and mentions tools. */
export interface PackageCandidate {
  readonly key: string;
  /** As the project wrote it; absent for the project itself and packages that only configuration names. */
  readonly range: string | undefined;
  readonly dir: string;
  readonly read: TextRead;
  /** The project itself, or something it installed. */
  readonly source: "package" | "project";
}

/** One tool of a package, before its code runs. */
export interface RecordedTool {
  readonly name: string;
  /** Absent in an entry map. */
  readonly spec?: ToolSpec;
  /** Absent for types that need no code of the package. */
  readonly module?: string;
  readonly export?: string;
}

/** A package whose tools can be listed. */
export interface PackageRecord extends Omit<FoundPackage, "tools" | "notes"> {
  readonly source: PackageCandidate["source"];
  readonly tools: readonly RecordedTool[];
  /** Grows when the same folder is found under another key. */
  readonly notes: Finding[];
  /** Checked where a schema is known; absent unless configured. */
  readonly options: unknown;
}

/** What reading one package gave; an ordinary dependency gives nothing. */
export interface PackageReading {
  readonly record?: PackageRecord;
  readonly findings: readonly Finding[];
  /** Somebody may be writing the file now. */
  readonly isUnparsable?: boolean;
}

/** What reading needs to know of the project. */
export interface ReadPackageContext {
  readonly ports: DiscoveryPorts;
  readonly running: RunningVersions;
  readonly manager: () => PackageManager;
  /** Configured options by package key. */
  readonly options: ReadonlyMap<string, unknown>;
}

interface Unparsable extends Refusal {
  readonly isUnparsable: true;
}

const NOT_TOOLS: PackageReading = { findings: [] };

/** Reads what a located package declares; runs none of its code. */
export async function readPackage(candidate: PackageCandidate, context: ReadPackageContext): Promise<PackageReading> {
  const started = context.ports.clock.now();
  const manifest = readPackageManifest(candidate.read);
  if (manifest === undefined) return NOT_TOOLS;
  if (isRefusal(manifest)) return refuse(manifest, { candidate, context });
  const { content } = manifest;
  const version = typeof content["version"] === "string" ? toShownText(content["version"]) : "0.0.0";
  const refused = { candidate, context, version };
  const naming = checkName(candidate, content["name"]);
  if (naming?.code === "package_name_mismatch") return refuse(naming, refused);
  const versions = await checkVersions(content, context.running);
  if (versions.refusal) return refuse(versions.refusal, refused);
  const place = findRealDir(candidate, context.ports);
  if (isRefusal(place)) return refuse(place, refused);
  const declared = readDeclared(content, place, context.ports);
  if (isRefusal(declared)) return refuse(declared, refused);
  if (declared.form === "module" || (declared.form === "map" && candidate.source === "project")) {
    return refuse(requireStatic(declared.form, candidate), refused);
  }
  const options = await readOptions(candidate.key, declared.manifest, context);
  if (isRefusal(options)) return refuse(options, refused);
  const notes = [naming, ...versions.notes, ...declared.notes].filter((note) => note !== undefined);
  const record: PackageRecord = {
    id: candidate.key,
    version,
    dir: place.dir,
    realDir: place.realDir,
    source: candidate.source,
    form: declared.form,
    tools: declared.tools,
    notes: notes.map((note) => toFinding(note, refused)),
    options: options.options,
    ms: context.ports.clock.now() - started,
  };
  return { ...(record.tools.length > 0 && { record }), findings: declared.refusals.map((refusal) => toFinding(refusal, refused)) };
}

interface Refused {
  readonly candidate: PackageCandidate;
  readonly context: ReadPackageContext;
  readonly version?: string;
}

/** Makes the finding of a refusal: who, where, and a fix for its author and for its user. */
function toFinding({ fix, ...refusal }: Refusal, { candidate, context, version }: Refused): Finding {
  const { key, dir, source } = candidate;
  return createFinding({
    ...refusal,
    package: key,
    ...(version !== undefined && { version }),
    dir,
    fix: source === "project" || FIXED_HERE.has(refusal.code) ? fix : `${fix} ${toUserFix(refusal.code, key, context.manager())}`,
  });
}

/** Findings whose fix is in the project or in its configuration. */
const FIXED_HERE: ReadonlySet<DiscoveryCode> = new Set(["options_invalid", "node_version_unsupported", "range_unreadable", "alias", "slow_declaration", "manifest_stale"]);
const NEEDS_NEWER_CORE: ReadonlySet<DiscoveryCode> = new Set(["api_version_unsupported", "manifest_version_unsupported", "core_version_unsupported"]);

function toUserFix(code: DiscoveryCode, key: string, manager: PackageManager): string {
  if (NEEDS_NEWER_CORE.has(code)) return `Run: ${manager.add("@aiw/core@latest")}, or ${manager.remove(key)}`;
  return `If ${key} is not yours: ${manager.add(`${key}@latest`)}, or ${manager.remove(key)}`;
}

function refuse(refusal: Refusal | Unparsable, refused: Refused): PackageReading {
  const { isUnparsable = false, ...rest } = refusal as Partial<Unparsable> & Refusal;
  return { findings: [toFinding(rest, refused)], isUnparsable };
}

function readPackageManifest(read: TextRead): { readonly content: Record<string, unknown> } | Refusal | Unparsable | undefined {
  const wrong = (code: DiscoveryCode, reason: string): Refusal => ({ code, reason: `package.json ${reason}.`, fix: "Correct package.json." });
  switch (read.kind) {
    case "failed":
      return wrong("package_json_unreadable", `cannot be read (${read.errno})`);
    case "too_large":
      return wrong("package_json_too_large", `is larger than ${MAX_PACKAGE_JSON} bytes`);
    case "not_utf8":
      return wrong("package_json_invalid", "is not UTF-8");
    case "unmarked":
      return read.empty ? { ...wrong("package_json_invalid", "is empty, or no regular file"), isUnparsable: true } : undefined;
    case "text": {
      const parsed = parseJson(read.text);
      if (parsed.error !== undefined) return { ...wrong("package_json_invalid", `is not JSON, ${parsed.error}`), isUnparsable: true };
      if (!isRecord(parsed.value)) return wrong("package_json_invalid", `must be an object, is ${quote(parsed.value)}`);
      return Object.hasOwn(parsed.value, "aiwhisperer") ? { content: parsed.value } : undefined;
    }
  }
}

/** A registry range promises the package of that name; every other kind may bring another. */
function checkName({ key, range, source }: PackageCandidate, name: unknown): Refusal | undefined {
  if (source === "project" || typeof name !== "string" || name === key) return undefined;
  if (range === undefined || /[:/]/.test(range.replace(/^catalog:/, ""))) {
    return { code: "alias", reason: `${key} is the package ${quote(name)}.`, fix: `Nothing to do: its tools are ${key}/….` };
  }
  return {
    code: "package_name_mismatch",
    pointer: "/name",
    reason: `The package installed as ${key} calls itself ${quote(name)}.`,
    fix: "Install it under its own name.",
  };
}

interface Place {
  readonly dir: string;
  readonly realDir: string;
  /** Its files are not under any node_modules, so Node runs TypeScript there. */
  readonly linked: boolean;
}

function findRealDir({ dir }: PackageCandidate, { fs }: DiscoveryPorts): Place | Refusal {
  try {
    const realDir = fs.realpathSync(dir);
    return { dir, realDir, linked: !realDir.split(path.sep).includes("node_modules") };
  } catch (error) {
    return { code: "package_json_unreadable", reason: `${dir} cannot be followed (${toErrno(error)}).`, fix: "Install the package again." };
  }
}

interface DeclaredTools {
  readonly form: Declaration["form"];
  readonly tools: readonly RecordedTool[];
  readonly refusals: readonly Refusal[];
  readonly notes: readonly Refusal[];
  readonly manifest: Manifest | undefined;
}

function readDeclared(content: Readonly<Record<string, unknown>>, place: Place, ports: DiscoveryPorts): DeclaredTools | Refusal | Unparsable {
  const declaration = readDeclaration(content["aiwhisperer"], place);
  if (isRefusal(declaration)) return declaration;
  const none = { refusals: [], notes: [], tools: [], manifest: undefined };
  if (declaration.form === "module") return { ...none, form: "module" };
  if (declaration.form === "map") return { ...none, form: "map", tools: declaration.entries, refusals: declaration.refusals, notes: [SLOW] };
  const manifest = readManifestFile(declaration.path, place, ports);
  if (isRefusal(manifest)) return manifest;
  const tools = manifest.tools.map((tool) => ({ name: tool.spec.name, ...tool }));
  return { form: "manifest", manifest, tools, refusals: manifest.refusals, notes: checkFreshness(manifest, content) };
}

const SLOW: Refusal = {
  code: "slow_declaration",
  reason: "Its definitions are in code, which runs in this process before they can be listed.",
  fix: "Publish a static manifest: writeManifest() of @aiw/core/node.",
};

function readManifestFile(file: string, { dir, realDir, linked }: Place, { fs }: DiscoveryPorts): Manifest | Refusal | Unparsable {
  const located = path.join(dir, file);
  const wrong = (code: DiscoveryCode, reason: string): Refusal => ({
    code,
    reason: `${quote(file)} ${reason}.`,
    fix: 'Write it with writeManifest() of @aiw/core/node and list it in "files".',
  });
  try {
    const real = fs.realpathSync(located);
    if (!real.startsWith(realDir + path.sep)) return wrong("path_escapes_package", "is a link that leaves the package");
  } catch (error) {
    const errno = toErrno(error);
    return errno === "ENOENT" || errno === "ENOTDIR" ? wrong("manifest_missing", "is not in the package") : wrong("manifest_unreadable", `cannot be read (${errno})`);
  }
  const read = readText(fs, located, { limit: MAX_MANIFEST });
  if (read.kind === "failed") return wrong("manifest_unreadable", `cannot be read (${read.errno})`);
  if (read.kind === "too_large") return wrong("manifest_too_large", `is larger than ${MAX_MANIFEST} bytes`);
  if (read.kind !== "text") return wrong("manifest_invalid", "is not UTF-8");
  const parsed = parseJson(read.text);
  if (parsed.error === undefined) return readManifest(parsed.value, { linked });
  return { ...wrong("manifest_invalid", `is not JSON, ${parsed.error}`), isUnparsable: true };
}

function checkFreshness(manifest: Manifest, content: Readonly<Record<string, unknown>>): Refusal[] {
  const { name, version } = manifest.package;
  if (name === content["name"] && version === content["version"]) return [];
  return [
    {
      code: "manifest_stale",
      pointer: "/package",
      reason: `The manifest was written for ${quote(name)} ${quote(version)}, the package is ${quote(content["name"])} ${quote(content["version"])}.`,
      fix: "Write the manifest again with writeManifest() of @aiw/core/node.",
    },
  ];
}

function requireStatic(form: "map" | "module", { source }: PackageCandidate): Refusal {
  const whose = source === "project" ? "The project's own tools" : "Its tools";
  return {
    code: "static_manifest_required",
    pointer: "/aiwhisperer/tools",
    reason: `${whose} are declared as a ${form}, which only running code can list.`,
    fix: 'Write a manifest with writeManifest() of @aiw/core/node and declare "./aiw-tools.json".',
  };
}

async function readOptions(key: string, manifest: Manifest | undefined, { options, ports }: ReadPackageContext): Promise<{ readonly options: unknown } | Refusal> {
  const configured = options.get(key);
  if (configured === undefined) return { options: undefined };
  return checkOptions({ packageKey: key, configured, schema: manifest?.optionsSchema, environment: ports.environment });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
