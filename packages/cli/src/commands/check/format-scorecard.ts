import { wrapText } from "../../output/wrap-text.ts";
import { oneLine } from "../../output/one-line.ts";
import { CHECK_GROUPS } from "./checks.ts";
import type { CheckFinding, CheckOutcome, CheckResult, Scorecard } from "./scorecard.ts";

/** How the scorecard is written. */
export interface ScorecardStyle {
  /** Characters of a line, where somebody looks. */
  readonly width: number | undefined;
  /** Somebody looks at a terminal. */
  readonly isTerminal: boolean;
  /** Checks that pass are told too. */
  readonly all: boolean;
  readonly strict: boolean;
}

const SIGNS: Readonly<Record<CheckOutcome, string>> = { pass: "✓", warn: "!", fail: "✗", skipped: "-" };

/** ANSI colours: green, yellow, red, grey. */
const COLOURS: Readonly<Record<CheckOutcome, number>> = { pass: 32, warn: 33, fail: 31, skipped: 90 };

/** Findings of one check that are told; the others are counted. */
const MAX_TOLD = 5;

const INDENT = "    ";

/** Writes the scorecard for people: what was looked at, what came out, and what to do. */
export function formatScorecard(card: Scorecard, style: ScorecardStyle): string {
  const groups = CHECK_GROUPS.flatMap((group) => {
    const checks = card.checks.filter((check) => check.group === group);
    return formatGroup(group, checks, style);
  });
  return [sayWhat(card, style), "", ...groups, "", ...sayTotals(card, style)].join("\n");
}

function sayWhat({ package: { name, version }, tools, measures }: Scorecard, { width }: ScorecardStyle): string {
  const { files, bytes, unpackedBytes, imports } = measures;
  const told = [
    `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`,
    ...(files === undefined
      ? []
      : [`${files} files`, `${toKilobytes(bytes)} packed, ${toKilobytes(unpackedBytes)} unpacked`]),
    ...imports.slice(0, 3).map(({ module, cpuMs }) => `${module} imports in ${cpuMs} ms`),
  ];
  return wrapText(oneLine(`${name} ${version}: ${told.join(", ")}`), { lead: "", width });
}

function toKilobytes(bytes = 0): string {
  return bytes < 1000 * 1000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1000 / 1000).toFixed(1)} MB`;
}

/** What passes is one line for the whole group, unless all is asked for. */
function formatGroup(group: string, checks: readonly CheckResult[], style: ScorecardStyle): string[] {
  const passed = checks.filter(({ result }) => result === "pass");
  const others = checks.filter(({ result }) => result !== "pass");
  const worst = (["fail", "warn", "skipped", "pass"] as const).find((one) =>
    checks.some(({ result }) => result === one),
  );
  const told = (style.all ? checks : others).filter(({ result }) => result !== "skipped");
  const head = `${mark(worst ?? "pass", style)} ${group}: ${passed.length} of ${checks.length} pass`;
  return [head, ...told.flatMap((check) => formatCheck(check, style)), ...formatSkipped(checks, style)];
}

/** Checks that were kept from looking for one reason are one line. */
function formatSkipped(checks: readonly CheckResult[], style: ScorecardStyle): string[] {
  const skipped = checks.filter(({ result }) => result === "skipped");
  return [...Map.groupBy(skipped, ({ because = "" }) => because)].map(([because, group]) => {
    const names = group.length === checks.length ? "all" : group.map(({ name }) => name).join(", ");
    return `  ${markText("skipped", `${names}: not looked at, ${because}`, style)}`;
  });
}

function formatCheck({ name, promise, result, findings }: CheckResult, style: ScorecardStyle): string[] {
  const lead = `  ${mark(result, style)} ${name}`;
  if (result === "pass") return [`  ${markText(result, `${name}: ${promise}`, style)}`];
  const more = findings.length - MAX_TOLD;
  return [
    lead,
    ...findings.slice(0, MAX_TOLD).flatMap((finding) => formatFinding(finding, style)),
    ...(more > 0 ? [wrapText(`and ${more} more: aiw check --json`, { lead: INDENT, width: style.width })] : []),
  ];
}

function formatFinding({ tool, file, pointer, reason, fix }: CheckFinding, { width }: ScorecardStyle): string[] {
  const place = [tool, file === undefined ? pointer : `${file}${pointer === undefined ? "" : `#${pointer}`}`].filter(
    (part) => part !== undefined,
  );
  const where = place.length === 0 ? "" : `${place.join(", ")}: `;
  return [
    wrapText(oneLine(`${where}${reason}`), { lead: INDENT, width }),
    wrapText(oneLine(fix), { lead: `${INDENT}Fix: `, width }),
  ];
}

function sayTotals({ checks, totals, ok }: Scorecard, style: ScorecardStyle): string[] {
  const { pass, warn, fail, skipped } = totals;
  const rest = [
    ...(fail > 0 ? [`${fail} ${fail === 1 ? "blocks" : "block"} publishing`] : []),
    ...(warn > 0 ? [`${warn} would be better otherwise`] : []),
    ...(skipped > 0 ? [`${skipped} could not be looked at`] : []),
  ];
  const line = `${pass} of ${checks.length} checks pass${rest.length === 0 ? "" : `; ${rest.join(", ")}`}.`;
  const advice = ok
    ? skipped > 0
      ? "Nothing that was looked at blocks publishing."
      : "Ready to publish."
    : fail === 0 && style.strict
      ? "Not ready: --strict lets no warning pass."
      : "Not ready: correct what blocks publishing, then check again.";
  return [markText(ok ? (warn > 0 ? "warn" : "pass") : "fail", `${line} ${advice}`, style)];
}

/** Text behind its mark, whose colours take no room. */
function markText(outcome: CheckOutcome, text: string, style: ScorecardStyle): string {
  const lead = "    ";
  return `${mark(outcome, style)} ${wrapText(oneLine(text), { lead, width: style.width }).slice(lead.length)}`;
}

/** A sign in colour at a terminal, a word anywhere else. */
function mark(outcome: CheckOutcome, { isTerminal }: ScorecardStyle): string {
  if (!isTerminal) return outcome;
  return `\u001b[${COLOURS[outcome]}m${SIGNS[outcome]}\u001b[0m`;
}
