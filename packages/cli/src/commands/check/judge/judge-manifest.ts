import * as path from "node:path";
import { definitionHash, isToolSpec, type DiscoveryReport, type Finding } from "@aiw/core";
import { toShown } from "../../../output/to-shown.ts";
import type { CheckFinding, Verdict } from "../scorecard.ts";
import type { CheckSubject, JsonRecord, Rebuilt, ReadManifest } from "../subject.ts";
import { fail, membersOf, nameSome, quote } from "./finding.ts";
import { listTools } from "./list-tools.ts";

const BUILD = "Build the package, then: aiw build";

/** Findings that belong to the tools one by one, which other checks look at more closely. */
const OF_TOOLS = new Set(["tool_name_invalid", "tool_definition_invalid"]);

/** Findings that another check is named after. */
const ELSEWHERE = new Set([...OF_TOOLS, "tool_name_collision"]);

/** Findings after which hosts read no further. */
const UNSUPPORTED = new Set(["core_version_unsupported", "node_version_unsupported"]);

/** What a project that installs the package is told of it before any code runs. */
export function listFindings({ found, rejected }: DiscoveryReport): Finding[] {
  return [...rejected, ...found.flatMap(({ notes }) => notes)].filter(
    // The project is the check's own, and configures nothing: that is nothing to change in the package.
    ({ code, severity }) => severity !== "info" && code !== "options_missing",
  );
}

/** package.json says where the tools are, as hosts read it. */
export function judgeDeclaration(findings: readonly Finding[]): CheckFinding[] {
  return findings.filter((finding) => isOfDeclaration(finding)).map((finding) => toFinding(finding, "package.json"));
}

/** The manifest can be read by a host. */
export function judgeManifest({ packed, manifest }: CheckSubject, findings: readonly Finding[]): Verdict {
  const file = readManifestPath(packed.packageJson);
  if (file === undefined) return { skipped: "no manifest is declared" };
  if (findings.some(({ code }) => UNSUPPORTED.has(code))) return { skipped: "its versions do not fit what runs here" };
  const own = findings.filter((finding) => !isOfDeclaration(finding) && !ELSEWHERE.has(finding.code));
  const { name, version } = packed.packageJson;
  const owner = new Map(membersOf(manifest?.value["package"]));
  const isOwn = owner.size === 0 || (owner.get("name") === name && owner.get("version") === version);
  return [
    ...own.filter(({ code }) => code !== "manifest_stale").map((finding) => toFinding(finding, file)),
    ...(isOwn
      ? []
      : [
          fail({
            file,
            pointer: "/package",
            code: "manifest_stale",
            reason: `It was built for ${quote(owner.get("name"))} ${quote(owner.get("version"))}, and the package is ${quote(name)} ${quote(version)}.`,
            fix: BUILD,
          }),
        ]),
  ];
}

/** A host can tell the tools without running code. */
export function judgeStaticForm({ packed: { packageJson } }: CheckSubject): Verdict {
  const tools = new Map(membersOf(packageJson["aiwhisperer"])).get("tools");
  if (typeof tools === "string" && tools.endsWith(".json")) return [];
  return [
    fail({
      file: "package.json",
      pointer: "/aiwhisperer/tools",
      code: "static_manifest_required",
      reason: "Hosts would have to run its code to know its tools; many refuse that.",
      fix: 'Write "aiwhisperer": { "apiVersion": 1, "tools": "./aiw-tools.json" } and "aiw-tools.json" in "files", then: aiw build',
    }),
  ];
}

/** Every module that the manifest names is in the tarball. */
export function judgeModules({ packed, manifest }: CheckSubject): Verdict {
  if (manifest === undefined) return { skipped: "there is no manifest to read" };
  const files = new Set(packed.files.map((file) => file.path));
  return listModules(manifest).flatMap((module) =>
    files.has(path.posix.normalize(module))
      ? []
      : [
          fail({
            file: manifest.file,
            code: "entry_missing",
            reason: `${quote(module)} is not packed.`,
            fix: `Build it, and add its folder to "files" of package.json: "${path.posix.dirname(path.posix.normalize(module))}".`,
          }),
        ],
  );
}

/** Nobody edited a definition by hand: the hash beside each is its own. */
export async function judgeHashes({ manifest }: CheckSubject): Promise<Verdict> {
  if (manifest === undefined) return { skipped: "there is no manifest to read" };
  const findings: CheckFinding[] = [];
  for (const { pointer, spec, recorded, isCode } of listTools(manifest)) {
    if (recorded === undefined && !isCode) continue;
    if (!isToolSpec(spec) || recorded === (await definitionHash(spec))) continue;
    const reason =
      recorded === undefined
        ? "No hash is recorded for it."
        : "It is not the definition that was built: its hash is another.";
    findings.push(
      fail({
        tool: spec.name,
        file: manifest.file,
        pointer: `${pointer}/definitionHash`,
        code: "manifest_stale",
        reason,
        fix: isCode ? BUILD : "Take definitionHash out: a tool that is data needs none.",
      }),
    );
  }
  return findings;
}

/** Building again gives the same bytes. */
export function judgeFresh({ manifest }: CheckSubject, rebuilt: Rebuilt | undefined): Verdict {
  if (manifest === undefined) return { skipped: "there is no manifest to read" };
  if (rebuilt === undefined && isDataAlone(manifest)) return [];
  if (rebuilt === undefined) return { skipped: "the code could not be loaded" };
  if ("error" in rebuilt)
    return [fail({ file: manifest.file, reason: toShown(rebuilt.error), fix: rebuilt.fix ?? BUILD })];
  const built = toSameWriter(rebuilt.text, manifest);
  if (built === manifest.text) return [];
  return [fail({ file: manifest.file, code: "manifest_stale", reason: sayDifference(manifest, built), fix: BUILD })];
}

/** Another release of the builder is no difference: the manifest says which one wrote it. */
function toSameWriter(text: string, { value }: ReadManifest): string {
  const { generatedBy } = value;
  const built = JSON.parse(text) as JsonRecord;
  return `${JSON.stringify(generatedBy === undefined ? built : { ...built, generatedBy }, undefined, 2)}
`;
}

/** Every tool is data, which nobody builds: there is no code that could do wrong. */
export function isDataAlone(manifest: ReadManifest): boolean {
  return manifest.specs.length > 0 && listTools(manifest).every(({ isCode }) => !isCode);
}

/** Distinct modules of a manifest, as it names them. */
export function listModules({ value }: ReadManifest): string[] {
  const tools: unknown[] = Array.isArray(value["tools"]) ? value["tools"] : [];
  const modules = tools
    .map((tool) => new Map(membersOf(tool)).get("module"))
    .filter((module) => typeof module === "string");
  return [...new Set(modules)].toSorted();
}

/** Where package.json says that the manifest is, from its folder. */
export function readManifestPath(packageJson: CheckSubject["packed"]["packageJson"]): string | undefined {
  const tools = new Map(membersOf(packageJson["aiwhisperer"])).get("tools");
  return typeof tools === "string" && tools.endsWith(".json") ? path.posix.normalize(tools) : undefined;
}

function sayDifference({ text, value }: ReadManifest, built: string): string {
  const [listed, now] = [byName(value), byName(JSON.parse(built) as unknown)];
  const gone = [...listed.keys()].filter((name) => !now.has(name));
  const added = [...now.keys()].filter((name) => !listed.has(name));
  const changed = [...now]
    .filter(([name, tool]) => listed.has(name) && listed.get(name) !== tool)
    .map(([name]) => name);
  const parts = [
    ...(changed.length > 0 ? [`${nameSome(changed)} ${changed.length === 1 ? "is" : "are"} different`] : []),
    ...(added.length > 0 ? [`${nameSome(added)} ${added.length === 1 ? "is" : "are"} missing`] : []),
    ...(gone.length > 0 ? [`${nameSome(gone)} ${gone.length === 1 ? "is" : "are"} no longer in the code`] : []),
  ];
  if (parts.length > 0) return `The code gives another manifest: ${parts.join(", ")}.`;
  const isJson = JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(built));
  return isJson ? "It is written in another way than aiw build writes it." : "The code gives another manifest.";
}

function byName(manifest: unknown): Map<string, string> {
  const tools = new Map(membersOf(manifest)).get("tools");
  const list: unknown[] = Array.isArray(tools) ? tools : [];
  return new Map(
    list.map((tool) => {
      const spec = new Map(membersOf(new Map(membersOf(tool)).get("spec")));
      return [String(spec.get("name")), JSON.stringify(tool)];
    }),
  );
}

function isOfDeclaration({ code, pointer = "" }: Finding): boolean {
  return pointer.startsWith("/aiwhisperer") || code === "declaration_invalid" || code.startsWith("package_");
}

/** As a project is told; whatever is a warning there is for the author to mend. */
export function toFinding({ code, severity, tool, pointer, reason, fix }: Finding, file?: string): CheckFinding {
  return {
    severity: severity === "error" ? "fail" : "warn",
    code,
    ...(tool !== undefined && { tool }),
    ...(file !== undefined && { file }),
    ...(pointer !== undefined && { pointer }),
    reason,
    fix,
  };
}
