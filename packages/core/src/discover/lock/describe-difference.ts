import { quote, toShownText } from "../../register/create-finding.ts";
import { isRecord } from "../../schema/is-record.ts";
import type { LockDifference } from "./compare-lock.ts";
import { markChange } from "./mark-change.ts";

/** Differences that one text lists. */
export const MAX_DESCRIBED = 100;

/** Files of one package that are named. */
const MAX_NAMED_FILES = 20;

/** Says what is different, a line each with the sides of a change below it, escaped; what is beyond a bound is counted. */
export function describeDifferences(differences: readonly LockDifference[]): string[] {
  const lines: string[] = [];
  const shown = withoutManyFiles(differences);
  for (const difference of shown.slice(0, MAX_DESCRIBED)) lines.push(...describe(difference));
  if (shown.length > MAX_DESCRIBED) lines.push(`… and ${shown.length - MAX_DESCRIBED} differences more`);
  return lines;
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

function describe(difference: Shown): string[] {
  const key = toShownText(difference.package);
  if ("more" in difference) return [`${key}: … and ${difference.more} files more`];
  const { kind, tool } = difference;
  const where = tool === undefined ? key : `${key}/${toShownText(tool)}`;
  if (kind === "added" || kind === "removed") return describeWhole(difference, where);
  return describeChange(difference, where);
}

/** A package or tool that is new or gone. */
function describeWhole({ kind, tool, from, to }: LockDifference, where: string): string[] {
  if (kind === "removed") return [`- ${where}${tool === undefined ? describePackage(from) : ""}`];
  return tool === undefined ? [`+ ${where}${describePackage(to)}`] : [`+ ${where}`, ...describeSpec(to)];
}

function describeChange({ kind, pointer = "", from, to }: LockDifference, where: string): string[] {
  if (kind === "file") return [`~ ${where}: file ${toShownText(pointer)} ${describeFile(from, to)}`];
  if (kind === "name" || kind === "version") return [`~ ${where}: ${kind} ${quote(from)} → ${quote(to)}`];
  return [`~ ${where}: ${kind} at ${toShownText(pointer) || "/"}`, ...describeSides(from, to)];
}

/** Of a tool that is new, whatever a model will read is the change. */
function describeSpec(spec: unknown): string[] {
  if (!isRecord(spec)) return [];
  const { description, metadata } = spec;
  return [
    `    says ${showWhole(description)}`,
    ...(isRecord(metadata)
      ? [`    effects ${quote(metadata["effects"])}, permissions ${quote(metadata["permissions"])}`]
      : []),
  ];
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

function describeSides(from: unknown, to: unknown): string[] {
  if (from === undefined) return [`    is  ${showWhole(to)}`];
  if (to === undefined) return [`    was ${showWhole(from)}`];
  const marked = markChange(toText(from), toText(to));
  return [`    was ${marked.from}`, `    is  ${marked.to}`];
}

/** All of it is the change. */
function showWhole(value: unknown): string {
  return markChange("", toText(value)).to;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
