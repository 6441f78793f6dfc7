import type { DiscoveryReport, Finding, ShadowedName } from "@aiw/core";

/** The discovery report as text: one line a package, each problem with its fix. */
export function formatReport(report: DiscoveryReport): string {
  const { project, found, shadowed, ms } = report;
  return [
    `project   ${project.dir}: ${project.dependencies} dependencies read, ${ms.total.toFixed(1)} ms`,
    ...found.flatMap(({ id, version, tools, ms: time, notes }) => [
      `found     ${id} ${version}: ${sayTools(tools)} (${time.toFixed(1)} ms)`,
      ...notes.map((note) => formatFinding("note", note)),
    ]),
    ...report.rejected.map((finding) => formatFinding("rejected", finding)),
    ...report.missing.map((finding) => formatFinding("missing", finding)),
    ...report.notEnabled.map((finding) => formatFinding("disabled", finding)),
    ...shadowed.map(formatShadowed),
  ].join("\n");
}

function sayTools(tools: readonly string[] | undefined): string {
  if (tools === undefined) return "tools known once loaded";
  return tools.length === 0 ? "no tool that can be used" : tools.join(", ");
}

/** A name several tools claim: who answers, and what the others are called. */
export function formatShadowed({ name, winner, losers }: ShadowedName): string {
  const say = ({ id, version }: ShadowedName["winner"]): string => (version === undefined ? id : `${id} (${version})`);
  return `shadowed  ${name}: ${say(winner)} answers; call ${losers.map(say).join(", ")} by full id`;
}

/** Problems a person should hear of even when everything else works. */
export function problemsOf(report: DiscoveryReport): Finding[] {
  // Shadowed names are told by themselves.
  const notes = report.found.flatMap((found) => found.notes).filter(({ code }) => code !== "name_shadowed");
  return [...report.rejected, ...report.missing, ...report.notEnabled, ...notes].filter(
    ({ severity }) => severity !== "info",
  );
}

/** One finding: where, what and the way out. */
export function formatFinding(label: string, finding: Finding): string {
  const { package: name, version, tool, code, pointer, reason, fix } = finding;
  const where = [name || "project", version, tool].filter((part) => part !== undefined).join(" ");
  return `${label.padEnd(9)} ${where}: ${code}${pointer === undefined ? "" : ` at ${pointer}`}\n          ${reason} Fix: ${fix}`;
}
