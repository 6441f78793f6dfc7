import * as path from "node:path";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { quote } from "../../register/create-finding.ts";
import type { DiscoveryCode } from "../../register/discovery-codes.ts";
import { isPlainJson } from "../../schema/hidden-text.ts";
import { toErrno, type DiscoveryPorts } from "../discovery-ports.ts";
import { parseJson } from "../files/parse-json.ts";
import { readText } from "../files/read-text.ts";
import { isRefusal, readDeclaration, type Declaration, type Refusal } from "./read-declaration.ts";
import { MAX_MANIFEST, readManifest, type Manifest } from "./read-manifest.ts";

/** One tool of a package, before its code runs. */
export interface RecordedTool {
  readonly name: string;
  /** Absent in an entry map. */
  readonly spec?: ToolSpec;
  /** Absent for types that need no code of the package. */
  readonly module?: string;
  readonly export?: string;
  /** The hash a manifest has beside the spec. */
  readonly definitionHash?: string;
}

/** A package's folder, as located and with links followed. */
export interface Place {
  readonly dir: string;
  readonly realDir: string;
  /** Its files are not under any node_modules, so Node runs TypeScript there. */
  readonly linked: boolean;
}

/** Follows the links to a package's folder. */
export function findPlace(dir: string, { fs }: DiscoveryPorts): Place | Refusal {
  try {
    const realDir = fs.realpathSync(dir);
    return { dir, realDir, linked: !realDir.split(path.sep).includes("node_modules") };
  } catch (error) {
    return {
      code: "package_json_unreadable",
      reason: `${dir} cannot be followed (${toErrno(error)}).`,
      fix: "Install the package again.",
    };
  }
}

/** What a declaration says, before options and names are settled. */
export interface DeclaredTools {
  readonly form: Declaration["form"];
  /** In the module form: what has to run before its tools are known. */
  readonly module?: string;
  readonly tools: readonly RecordedTool[];
  readonly refusals: readonly Refusal[];
  readonly notes: readonly Refusal[];
  readonly manifest: Manifest | undefined;
}

/** Reads the declaration of a package.json and, where it names one, the static manifest. */
export function readDeclaredTools(
  content: Readonly<Record<string, unknown>>,
  place: Place,
  ports: DiscoveryPorts,
): DeclaredTools | Refusal {
  const declaration = readDeclaration(content["aiwhisperer"], place);
  if (isRefusal(declaration)) return declaration;
  const none = { refusals: [], notes: [], tools: [], manifest: undefined };
  if (declaration.form === "module") return { ...none, form: "module", module: declaration.path, notes: [SLOW_MODULE] };
  if (declaration.form === "map")
    return { ...none, form: "map", tools: declaration.entries, refusals: declaration.refusals, notes: [SLOW] };
  const manifest = readManifestFile(declaration.path, place, ports);
  if (isRefusal(manifest)) return manifest;
  const tools = manifest.tools.map((tool) => ({ name: tool.spec.name, ...tool }));
  return { form: "manifest", manifest, tools, refusals: manifest.refusals, notes: checkFreshness(manifest, content) };
}

/** Said of a package, or a file, whose tools are unknown until it runs. */
export const SLOW_MODULE: Refusal = {
  code: "slow_declaration",
  reason:
    "Its tools are in code, which runs before anybody knows their names: in a process of its own first, then here.",
  fix: "Publish a static manifest: aiw build",
};

const SLOW: Refusal = {
  code: "slow_declaration",
  reason:
    "Its definitions are in code, which runs before they can be listed: in a process of its own first, then here.",
  fix: "Publish a static manifest: aiw build",
};

function readManifestFile(file: string, { dir, realDir, linked }: Place, { fs }: DiscoveryPorts): Manifest | Refusal {
  const located = path.join(dir, file);
  const wrong = (code: DiscoveryCode, reason: string): Refusal => ({
    code,
    reason: `${quote(file)} ${reason}.`,
    fix: 'Write it with aiw build and list it in "files".',
  });
  try {
    const real = fs.realpathSync(located);
    if (!real.startsWith(realDir + path.sep)) return wrong("path_escapes_package", "is a link that leaves the package");
  } catch (error) {
    const errno = toErrno(error);
    return errno === "ENOENT" || errno === "ENOTDIR"
      ? wrong("manifest_missing", "is not in the package")
      : wrong("manifest_unreadable", `cannot be read (${errno})`);
  }
  const read = readText(fs, located, { limit: MAX_MANIFEST });
  if (read.kind === "failed") return wrong("manifest_unreadable", `cannot be read (${read.errno})`);
  if (read.kind === "too_large") return wrong("manifest_too_large", `is larger than ${MAX_MANIFEST} bytes`);
  if (read.kind !== "text") return wrong("manifest_invalid", "is not UTF-8");
  const parsed = parseJson(read.text);
  if (parsed.error === undefined) return readManifest(parsed.value, { linked, isPlain: isPlainJson(read.text) });
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
      fix: "Write the manifest again: aiw build",
    },
  ];
}
