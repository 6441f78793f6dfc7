import { quote, toShownText } from "../../register/create-finding.ts";
import { escapeHiddenText } from "../../schema/hidden-text.ts";
import { isRecord } from "../../schema/is-record.ts";
import { comparePackage, type LockDifference } from "./compare-lock.ts";
import type { LockedPackage } from "./lock-file.ts";
import { markChange } from "./mark-change.ts";

/** Differences that one text lists, unless all are asked for. */
export const MAX_DESCRIBED = 100;

/** Files of one package that are named. */
const MAX_NAMED_FILES = 20;

/** How much of the differences is said. */
export interface DescribeOptions {
  /** For whoever says yes to them: every difference and every changed text whole, and of new packages each definition. */
  readonly reviewed?: ReadonlyMap<string, LockedPackage>;
}

/**
 * Says what is different, a line each with the sides of a change below it, escaped. What is beyond a bound is counted: for review
 * that is only how many files have other bytes, of which nothing more could be said than their names.
 */
export function describeDifferences(
  differences: readonly LockDifference[],
  { reviewed }: DescribeOptions = {},
): string[] {
  const isWhole = reviewed !== undefined;
  const all = isWhole ? differences.flatMap((one) => [one, ...listTools(one, reviewed)]) : differences;
  const shown = withoutManyFiles(all);
  const most = isWhole ? shown.length : MAX_DESCRIBED;
  const lines = shown.slice(0, most).flatMap((one) => describe(one, isWhole));
  if (shown.length > most) lines.push(`… and ${shown.length - most} differences more`);
  return lines;
}

/** Of a package that is new, what each of its tools says is new. */
function listTools(
  { kind, tool, package: key }: LockDifference,
  packages: ReadonlyMap<string, LockedPackage>,
): LockDifference[] {
  const one = packages.get(key);
  if (kind !== "added" || tool !== undefined || one === undefined) return [];
  return comparePackage(key, { ...one, tools: new Map() }, one);
}

type Shown = LockDifference | { readonly more: number; readonly package: string };

/** A new version may change thousands of files; what it says and asks for must not drown in them. */
function withoutManyFiles(differences: readonly LockDifference[]): Shown[] {
  return [...Map.groupBy(differences, (one) => one.package)].flatMap(([key, ofPackage]): Shown[] => {
    const files = ofPackage.filter(({ kind }) => kind === "file");
    const rest = files.length - MAX_NAMED_FILES;
    if (rest <= 0) return ofPackage;
    const others = ofPackage.filter(({ kind }) => kind !== "file");
    return [...others, ...files.slice(0, MAX_NAMED_FILES), { more: rest, package: key }];
  });
}

function describe(difference: Shown, isWhole: boolean): string[] {
  const key = toShownText(difference.package);
  if ("more" in difference) return [`${key}: … and ${difference.more} files more`];
  const { kind, tool } = difference;
  const where = tool === undefined ? key : `${key}/${toShownText(tool)}`;
  if (kind === "added" || kind === "removed") return describeEntire(difference, where, isWhole);
  return describeChange(difference, where, isWhole);
}

/** A package or tool that is new or gone. */
function describeEntire({ kind, tool, from, to }: LockDifference, where: string, isWhole: boolean): string[] {
  if (kind === "removed") return [`- ${where}${tool === undefined ? describePackage(from) : ""}`];
  return tool === undefined ? [`+ ${where}${describePackage(to)}`] : [`+ ${where}`, ...describeSpec(to, isWhole)];
}

function describeChange({ kind, pointer = "", from, to }: LockDifference, where: string, isWhole: boolean): string[] {
  if (kind === "file") return [`~ ${where}: file ${showPlace(pointer, isWhole)} ${describeFile(from, to)}`];
  if (kind === "name" || kind === "version") return [`~ ${where}: ${kind} ${quote(from)} → ${quote(to)}`];
  return [
    `~ ${where}: ${sayKind(kind, pointer)} at ${showPlace(pointer, isWhole) || "/"}`,
    ...describeSides({ from, to, isWhole }),
  ];
}

/** The first members of a definition that are texts, and no description. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ["title", "title"],
  ["version", "version"],
  ["instructions", "instructions"],
]);

/** What a person calls it: an example's input is no description. */
function sayKind(kind: LockDifference["kind"], pointer: string): string {
  if (kind !== "description") return kind;
  if (/^\/instructions\/examples(?:\/|$)/.test(pointer)) return "example";
  return TEXTS.get(pointer.split("/")[1] ?? "") ?? kind;
}

/** Names of members are the author's, and a model reads those of a schema. */
function showPlace(pointer: string, isWhole: boolean): string {
  return isWhole ? escapeHiddenText(pointer.toWellFormed()).replaceAll(/[\n\r\t]/g, " ") : toShownText(pointer);
}

/** Of a tool that is new, whatever a model will read is the change. */
function describeSpec(spec: unknown, isWhole: boolean): string[] {
  if (!isRecord(spec)) return [];
  const { name: _name, description, metadata, ...others } = spec;
  const { effects, permissions, ...rest } = isRecord(metadata) ? metadata : {};
  return [
    `    says ${showEntire(description, isWhole)}`,
    `    effects ${quote(effects)}, permissions ${isWhole ? showEntire(permissions, isWhole) : quote(permissions)}`,
    ...(isWhole
      ? Object.entries({ ...others, metadata: rest }).map(([name, value]) => describeMember(name, value))
      : []),
  ];
}

function describeMember(name: string, value: unknown): string {
  return `    ${toShownText(name)} ${showEntire(value, true)}`;
}

function describePackage(value: unknown): string {
  if (!isRecord(value)) return "";
  const { version, tools } = value;
  const names = Array.isArray(tools) ? tools.map((tool) => toShownText(String(tool))) : [];
  const some = names.slice(0, MAX_NAMED_FILES).join(", ") + (names.length > MAX_NAMED_FILES ? " …" : "");
  return ` ${toShownText(String(version))}${some === "" ? "" : `: ${some}`}`;
}

function describeFile(from: unknown, to: unknown): string {
  if (from === undefined) return "is new";
  return to === undefined ? "is gone" : "changed";
}

interface Sides {
  readonly from: unknown;
  readonly to: unknown;
  readonly isWhole: boolean;
}

function describeSides({ from, to, isWhole }: Sides): string[] {
  if (from === undefined) return [`    is  ${showEntire(to, isWhole)}`];
  if (to === undefined) return [`    was ${showEntire(from, isWhole)}`];
  // A text and a number that look alike are told apart by quotes.
  const areTexts = typeof from === "string" && typeof to === "string";
  const [before, after] = areTexts ? [from, to] : [JSON.stringify(from), JSON.stringify(to)];
  const marked = markChange(before, after, { isWhole });
  return [`    was ${marked.from}`, `    is  ${marked.to}`];
}

/** All of it is the change. */
function showEntire(value: unknown, isWhole: boolean): string {
  return markChange("", toText(value), { isWhole }).to;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "none");
}
