import type { JsonSchema } from "../../contract/json.ts";
import { toPointer } from "../../schema/json-pointer.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { createFinding, quote, toShownError } from "../../register/create-finding.ts";
import type { DiscoveryCode } from "../../register/discovery-codes.ts";
import type { Finding, FoundPackage } from "../../register/discovery-report.ts";
import { checkVersions, type RunningVersions } from "../checks/check-versions.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import type { TextRead } from "../files/read-text.ts";
import type { PackagePin } from "../lock/package-pin.ts";
import type { PackageManager } from "../package-manager.ts";
import { isRefusal, type Refusal } from "./read-declaration.ts";
import {
  findPlace,
  readDeclaredTools,
  type DeclaredTools,
  type Place,
  type RecordedTool,
} from "./read-declared-tools.ts";
import type { Manifest } from "./read-manifest.ts";
import { checkName, isFromRegistry, readPackageJson, toShownVersion, type NamedPackage } from "./read-package-json.ts";

/** A folder whose package.json was read and mentions tools. */
export interface PackageCandidate extends NamedPackage {
  readonly dir: string;
  readonly read: TextRead;
}

/** A package whose tools can be listed. */
export interface PackageRecord extends Omit<FoundPackage, "tools" | "notes"> {
  readonly source: PackageCandidate["source"];
  /** What its package.json calls it, where it says so. */
  readonly packageName?: string;
  /** Empty in the module form, whose tools only {@link PackageRecord.module} knows. */
  readonly tools: readonly RecordedTool[];
  readonly module?: string;
  /** What of its package.json decides how its code is loaded. */
  readonly loading?: string;
  /** Present where a person has to trust the content: whether it still is what was trusted. */
  readonly isTrusted?: () => boolean;
  /** Present where a lock pins it: what may be loaded of it. */
  readonly pin?: PackagePin;
  /** Grows when the same folder is found under another key. */
  readonly notes: Finding[];
  /** Checked where a schema is known; absent unless configured. */
  readonly options: unknown;
  /** What they are checked against, and defaults are taken from. */
  readonly optionsSchema?: JsonSchema;
}

/** The modules of a package that would be loaded, each once. */
export function modulesOf({ module, tools }: Pick<PackageRecord, "module" | "tools">): string[] {
  return module === undefined ? [...new Set(tools.flatMap((tool) => tool.module ?? []))] : [module];
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
  /** Refuses declarations whose definitions only running code can tell. */
  readonly requireStatic: boolean;
  /** True for packages whose code must not run in this process; the same holds for them. */
  readonly isIsolated: (packageKey: string) => boolean;
  /** Configured options by package key. */
  readonly options: ReadonlyMap<string, unknown>;
  /** Packages whose options the project's file gives, and nobody has trusted it yet. */
  readonly waitingOptions?: ReadonlySet<string> | undefined;
}

const NOT_TOOLS: PackageReading = { findings: [] };

/** Options that are missing and named. */
const MAX_SHOWN_OPTIONS = 10;

/** Reads what a located package declares; runs none of its code. What nests deeper than the engine can follow harms no other. */
export async function readPackage(candidate: PackageCandidate, context: ReadPackageContext): Promise<PackageReading> {
  try {
    return await readDeclaringPackage(candidate, context);
  } catch (error) {
    if (AiwError.is(error)) throw error;
    const refusal: Refusal = {
      code: "declaration_invalid",
      reason: `What it declares cannot be read: ${toShownError(error)}.`,
      fix: "Correct package.json and the manifest it names; neither may nest deeply.",
    };
    return refuse(refusal, { candidate, context });
  }
}

async function readDeclaringPackage(candidate: PackageCandidate, context: ReadPackageContext): Promise<PackageReading> {
  const started = context.ports.clock.now();
  const manifest = readPackageJson(candidate.read);
  if (manifest === undefined) return NOT_TOOLS;
  if (isRefusal(manifest)) return refuse(manifest, { candidate, context });
  const { content } = manifest;
  const version = toShownVersion(content["version"]);
  const refused = { candidate, context, version };
  const naming = checkName(candidate, content["name"]);
  if (naming?.code === "package_name_mismatch") return refuse(naming, refused);
  const versions = await checkVersions(content, context.running);
  if (versions.refusal) return refuse(versions.refusal, refused);
  const place = findPlace(candidate.dir, context.ports);
  if (isRefusal(place)) return refuse(place, refused);
  const declared = readDeclaredTools(content, place, context.ports);
  if (isRefusal(declared)) return refuse(declared, refused);
  const isStaticRequired = context.requireStatic || context.isIsolated(candidate.key);
  if (isStaticRequired && declared.form !== "manifest") {
    return refuse({ ...refuseForm(declared.form, candidate, context), tools: namesOf(declared) }, refused);
  }
  const record = await toRecord({ content, place, declared, refused });
  if (isRefusal(record)) return refuse({ ...record, tools: namesOf(declared) }, refused);
  const notes = [naming, ...versions.notes].filter((note) => note !== undefined);
  record.notes.unshift(...notes.map((note) => toFinding(note, refused)));
  const hasTools = record.tools.length > 0 || record.module !== undefined;
  return {
    ...(hasTools && { record: { ...record, ms: context.ports.clock.now() - started } }),
    findings: declared.refusals.map((refusal) => toFinding(refusal, refused)),
  };
}

function namesOf({ tools }: DeclaredTools): string[] {
  return tools.map(({ name }) => name);
}

interface DeclaredPackage {
  readonly content: Readonly<Record<string, unknown>>;
  readonly place: Place;
  readonly declared: DeclaredTools;
  readonly refused: Refused & { readonly version: string };
}

/** Settles what a declaration leaves to configuration and trust. */
async function toRecord({ content, place, declared, refused }: DeclaredPackage): Promise<PackageRecord | Refusal> {
  const { candidate, context, version } = refused;
  const { form, tools, module, manifest } = declared;
  // Only code that a person has to trust is compared with what it was.
  const isLoadedOnTrust = candidate.source !== "package" && form !== "manifest";
  const loading = isLoadedOnTrust ? toLoading(content) : undefined;
  if (typeof loading === "object") return loading;
  const options = await readOptions(candidate.key, manifest, context);
  if (isRefusal(options)) return options;
  const isWaiting = context.waitingOptions?.has(candidate.key) === true;
  const unset = findUnsetOptions({ key: candidate.key, manifest, options: options.options, isWaiting });
  return {
    id: candidate.key,
    version,
    dir: place.dir,
    realDir: place.realDir,
    source: candidate.source,
    ...(typeof content["name"] === "string" && { packageName: content["name"] }),
    form,
    tools,
    ...(module !== undefined && { module }),
    ...(loading !== undefined && { loading }),
    notes: [...(unset === undefined ? [] : [unset]), ...declared.notes].map((note) => toFinding(note, refused)),
    options: options.options,
    ...(manifest?.optionsSchema !== undefined && { optionsSchema: manifest.optionsSchema }),
    ms: 0,
  };
}

/** The members of a package.json that decide which code runs, as text; only somebody else's nesting can prevent it. */
function toLoading({ aiwhisperer, type, imports, exports }: Readonly<Record<string, unknown>>): string | Refusal {
  try {
    return JSON.stringify({ aiwhisperer, type, imports, exports });
  } catch {
    return {
      code: "package_json_invalid",
      reason: "package.json nests too deeply.",
      fix: "Correct package.json.",
    };
  }
}

interface GivenOptions {
  readonly key: string;
  readonly manifest: Manifest | undefined;
  readonly options: unknown;
  readonly isWaiting: boolean;
}

/** A package that needs settings nobody gave lists its tools, and each call of them says what is missing. */
function findUnsetOptions({ key, manifest, options, isWaiting }: GivenOptions): Refusal | undefined {
  const required: unknown = manifest?.optionsSchema?.required;
  if (options !== undefined || !Array.isArray(required) || required.length === 0) return undefined;
  const shown = required.slice(0, MAX_SHOWN_OPTIONS).map((name) => quote(name));
  const names = required.length > shown.length ? `${shown.join(", ")} …` : shown.join(", ");
  const pointer = toPointer(["plugins", key]);
  const why = isWaiting ? `and what aiw.config.json sets at ${pointer} waits for trust` : "which are not configured";
  return {
    code: "options_missing",
    pointer,
    reason: `It needs the options ${names}, ${why}; calls of its tools will say so.`,
    fix: isWaiting ? "Look at it, then run: aiw trust" : `Set ${pointer} in the configuration.`,
  };
}

interface Refused {
  readonly candidate: PackageCandidate;
  readonly context: ReadPackageContext;
  readonly version?: string;
}

/** Makes the finding of a refusal: who, where, and a fix for its author and for its user. */
function toFinding({ fix, ...refusal }: Refusal, { candidate, context, version }: Refused): Finding {
  const { key, dir, source, range } = candidate;
  const own = FIXED_BY_AUTHOR.get(refusal.code);
  if (own !== undefined && source === "package" && range !== undefined && isFromRegistry(range)) {
    return createFinding({ ...refusal, package: key, ...(version !== undefined && { version }), dir, fix: own });
  }
  const toUserFix = NEEDS_NEWER_CORE.has(refusal.code) ? toCoreFix : toPackageFix;
  return createFinding({
    ...refusal,
    package: key,
    ...(version !== undefined && { version }),
    dir,
    fix:
      source !== "package" || FIXED_HERE.has(refusal.code) ? fix : `${fix} ${toUserFix(candidate, context.manager())}`,
  });
}

/** What whoever installed a package cannot mend and need not. */
const FIXED_BY_AUTHOR: ReadonlyMap<DiscoveryCode, string> = new Map<DiscoveryCode, string>([
  ["slow_declaration", "Nothing to do; its author could publish a static manifest."],
  ["manifest_stale", "Nothing to do; its author could write the manifest again."],
]);

/** Findings whose fix is in the project or in its configuration. */
const FIXED_HERE: ReadonlySet<DiscoveryCode> = new Set([
  "options_invalid",
  "options_missing",
  "node_version_unsupported",
  "range_unreadable",
  "alias",
  "slow_declaration",
  "manifest_stale",
]);
const NEEDS_NEWER_CORE: ReadonlySet<DiscoveryCode> = new Set([
  "api_version_unsupported",
  "manifest_version_unsupported",
  "core_version_unsupported",
]);

function toCoreFix({ key, range }: PackageCandidate, manager: PackageManager): string {
  const update = manager.add("@aiw/core@latest");
  return range === undefined ? `Run: ${update}` : `Run: ${update}, or ${manager.remove(key)}`;
}

/** The registry's package of that name is another one than an alias, a link or a folder brings. */
function toPackageFix({ key, range }: PackageCandidate, manager: PackageManager): string {
  // Only configuration names it: whoever misspelt a name must not be told to fetch it.
  if (range === undefined) return `If ${key} is not yours: remove it from plugins in the configuration.`;
  const update = isFromRegistry(range) ? `${manager.add(`${key}@latest`)}, or ` : "";
  return `If ${key} is not yours: ${update}${manager.remove(key)}`;
}

function refuse(refusal: Refusal, refused: Refused): PackageReading {
  return { findings: [toFinding(refusal, refused)], isUnparsable: refusal.isUnparsable === true };
}

function refuseForm(
  form: "map" | "module",
  { source }: PackageCandidate,
  { requireStatic }: Pick<ReadPackageContext, "requireStatic">,
): Refusal {
  const whose = source === "project" ? "The project's own tools" : "Its tools";
  return {
    code: "static_manifest_required",
    pointer: "/aiwhisperer/tools",
    reason: `${whose} are declared as a ${form}, which only running code can list, and ${sayWhyStatic(requireStatic)}.`,
    fix: 'Declare "./aiw-tools.json" and write it: aiw build',
  };
}

/** What makes a static manifest the only declaration that is read. */
export function sayWhyStatic(requireStatic: boolean): string {
  return requireStatic ? "static manifests are required" : "code of an isolated package never runs to list tools";
}

async function readOptions(
  key: string,
  manifest: Manifest | undefined,
  { options, ports }: ReadPackageContext,
): Promise<{ readonly options: unknown } | Refusal> {
  const configured = options.get(key);
  if (configured === undefined) return { options: undefined };
  const { checkOptions } = await import("../checks/check-options.ts");
  return checkOptions({ packageKey: key, configured, schema: manifest?.optionsSchema, environment: ports.environment });
}
