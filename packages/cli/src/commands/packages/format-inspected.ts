import { describeDifferences } from "@aiw/core/node";
import semver from "semver";
import { formatFact, formatFinding } from "../../output/format-report.ts";
import { sayEffectsInFull } from "../../output/say-effects.ts";
import { toShown } from "../../output/to-shown.ts";
import { wrapLines } from "../../output/wrap-lines.ts";
import { describeAge } from "./judge-packages.ts";
import { listChangeWarnings } from "./list-change-warnings.ts";
import type { BroughtPackage } from "./inspect/list-brought.ts";
import type { InspectedPackage, InspectedTool } from "./inspect/inspected-package.ts";

/** What people see of a package besides what it is. */
export interface FormatOptions {
  readonly width: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The version of Node that would run its tools. */
  readonly node: string;
}

/** Packages of those it brings that are named. */
const MAX_NAMED = 12;

/** Shows all that is known of a package before it is added; every text of it escaped. Warnings come first. */
export function formatInspected(inspected: InspectedPackage, options: FormatOptions): string {
  const { width } = options;
  const { name, version, request, former } = inspected;
  const fact = ([label, text]: readonly [string, string]): string => formatFact(label, text, width);
  const head = `${toShown(name)} ${toShown(version)}`;
  const asked =
    former === undefined ? ` (asked for: ${toShown(request.text)})` : ` (installed: ${toShown(former.version)})`;
  return [
    head + asked,
    ...listWarnings(inspected, options).map((text) => fact(["warning", text])),
    fact(["tools", describeForm(inspected)]),
    ...inspected.tools.flatMap((tool) =>
      describeTool(tool).map((text, index) => fact([index === 0 ? "" : "  ", text])),
    ),
    ...listFacts(inspected, options).map(fact),
    ...inspected.notes.map((note) => formatFinding("note", note, width)),
    ...describeChanges(inspected, width),
  ].join("\n");
}

function listWarnings(inspected: InspectedPackage, { node }: FormatOptions): string[] {
  const { lookAlikes, shadowed, registry, taken, former, locked, facts, version } = inspected;
  const isOlder =
    former !== undefined && semver.valid(version) && semver.valid(former.version) && semver.lt(version, former.version);
  const range = facts.node === undefined ? null : semver.validRange(facts.node);
  return [
    ...lookAlikes.map(({ name, known, why }) =>
      why === "scope"
        ? `${toShown(name)} has the name of ${toShown(known)} in another scope; somebody else may have published it.`
        : `${toShown(name)} looks like ${toShown(known)}; make sure that it is the one you mean.`,
    ),
    ...shadowed.map(
      (one) =>
        `${toShown(one.package)} puts a command ${toShown(one.command)} into node_modules/.bin, where scripts and npx find it before the one you know.`,
    ),
    ...(registry?.deprecated === undefined ? [] : [`deprecated: ${toShown(registry.deprecated)}`]),
    ...(isOlder === true ? ["This is an older version than the installed one."] : []),
    ...listChangeWarnings(former?.locked, locked),
    ...taken.map(
      ({ name, id }) =>
        `${toShown(name)} is the name of ${toShown(id)} already; one of them answers to its full id alone.`,
    ),
    ...(range !== null && !semver.satisfies(node, range)
      ? [`It wants node ${toShown(facts.node ?? "")}; this is ${node}.`]
      : []),
  ];
}

const FORMS = {
  manifest: "told by its manifest; its code runs when one is called",
  map: "names alone are told; its code runs when definitions are asked for (development form)",
  module: "only running its code tells them (development form)",
};

function describeForm({ form, tools }: InspectedPackage): string {
  if (form === undefined) return "none are declared";
  return form === "module" ? FORMS.module : `${tools.length}, ${FORMS[form]}`;
}

function describeTool({ name, spec }: InspectedTool): string[] {
  if (spec === undefined) return [toShown(name)];
  const { effects, permissions, requiresApproval } = spec.metadata;
  const may = [
    `effects ${sayEffectsInFull(effects)}`,
    `permissions ${permissions.map(toShown).join(", ") || "none"}`,
    ...(requiresApproval === true ? ["always asked for"] : []),
  ];
  return [`${toShown(name)}: ${may.join("; ")}`, `  ${toText(spec.description)}`];
}

/** A description is what a model reads, so all of it is shown; its length has a limit of its own. */
function toText(text: string): string {
  return (
    text
      .match(/[\s\S]{1,140}/gu)
      ?.map(toShown)
      .join("") ?? ""
  );
}

function listFacts(inspected: InspectedPackage, { now }: FormatOptions): [string, string][] {
  const { content, brings, requiredOptions, facts, registry, scripts, name, version } = inspected;
  const fresh = brings.filter(({ isNew }) => isNew === true);
  const wanting = [{ name, version, scripts, isNew: true }, ...brings].filter((one) => one.scripts.length > 0);
  return [
    ...(requiredOptions.length === 0
      ? []
      : [
          ["options", `it needs ${requiredOptions.map(toShown).join(", ")}: plugins in aiw.config.json`] as [
            string,
            string,
          ],
        ]),
    ["files", `${content.files}, ${describeBytes(content.bytes)} unpacked`],
    ["brings", describeBrought(brings, fresh)],
    [
      "scripts",
      wanting.length === 0
        ? "none wanted to run at installation"
        : `not run, and wanted by ${wanting.map(describeScripts).join("; ")}`,
    ],
    ...(inspected.commands.length === 0
      ? []
      : [["commands", `${inspected.commands.map(toShown).join(", ")}: in node_modules/.bin`] as [string, string]]),
    ["published", describePublished(inspected, now)],
    ["origin", describeOrigin(registry?.provenance, facts.repository, registry !== undefined)],
    ["license", facts.license === undefined ? "none is named" : toShown(facts.license)],
  ];
}

function describeBrought(brings: readonly BroughtPackage[], fresh: readonly BroughtPackage[]): string {
  if (brings.length === 0) return "no other package";
  const named = fresh.slice(0, MAX_NAMED).map(({ name, version }) => toShown(`${name}@${version}`));
  const more = fresh.length > MAX_NAMED ? [`and ${fresh.length - MAX_NAMED} more`] : [];
  const what = brings.length === 1 ? "1 package" : `${brings.length} packages`;
  if (brings.some(({ isNew }) => isNew === null)) return `${what}; which of them are new here is not known`;
  return `${what}, ${fresh.length} new here${fresh.length === 0 ? "" : `: ${[...named, ...more].join(", ")}`}`;
}

function describeScripts({ name, version, scripts }: Pick<BroughtPackage, "name" | "version" | "scripts">): string {
  return `${toShown(`${name}@${version}`)} (${scripts.join(", ")})`;
}

function describePublished({ registry, request }: InspectedPackage, now: number): string {
  if (request.name === undefined) return "not asked: it does not come by a name of the registry";
  if (registry === undefined) return "unknown: the registry did not answer";
  if (registry.published === undefined) return "the registry does not say when";
  return `${registry.published.slice(0, 10)}, ${describeAge(registry.published, now)}`;
}

/** Where it was built says nothing of what it does (SEC-SUP-2). */
function describeOrigin(provenance: string | undefined, repository: string | undefined, isKnown: boolean): string {
  const place = repository === undefined ? "names no repository" : `names ${toShown(repository)}`;
  if (!isKnown) return `unknown; its package.json ${place}`;
  const said =
    provenance === undefined
      ? "no provenance in the registry"
      : `the registry has a statement of provenance (${toShown(provenance)}), not verified here, and no proof that it is harmless`;
  return `${said}; its package.json ${place}`;
}

function describeChanges(
  { former, locked, differences, content }: InspectedPackage,
  width: number | undefined,
): string[] {
  if (former === undefined) return [];
  if (former.locked === undefined || locked === undefined)
    return former.content?.hash === content.hash
      ? [formatFact("changes", "none", width)]
      : [formatFact("changes", "its files; what it said before is not known without running code", width)];
  if (differences.length === 0) return [formatFact("changes", "none", width)];
  return [
    formatFact("changes", "against what is installed:", width),
    wrapLines(describeDifferences(differences, { reviewed: new Map() }).join("\n"), width),
  ];
}

function describeBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
