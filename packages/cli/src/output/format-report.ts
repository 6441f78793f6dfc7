import type { Finding, ShadowedName, TrustRequest } from "@aiw/core";
import { oneLine } from "./one-line.ts";
import { wrapText } from "./wrap-text.ts";

/** Characters before the text of a line that begins with a label. */
const INDENT = 10;

/** A line that says what it is about, whatever the text holds; where people look it is broken, never cut. */
export function formatFact(label: string, text: string, width?: number): string {
  return wrapText(oneLine(text), { lead: `${label.padEnd(INDENT - 1)} `, width });
}

/** A name several tools claim: who answers, and what the others are called. */
export function formatShadowed({ name, winner, losers }: ShadowedName, width?: number): string {
  const say = ({ id, version }: ShadowedName["winner"]): string => (version === undefined ? id : `${id} (${version})`);
  const text = `${name}: ${say(winner)} answers; call ${losers.map(say).join(", ")} by full id`;
  return formatFact("shadowed", text, width);
}

/** One finding: where, what and the way out. */
export function formatFinding(label: string, finding: Finding, width?: number): string {
  const { package: name, version, tool, code, pointer, reason, fix } = finding;
  const where = [name || "project", version, tool].filter((part) => part !== undefined).join(" ");
  const what = `${code}${pointer === undefined ? "" : ` at ${pointer}`}`;
  return `${formatFact(label, `${where}: ${what}`, width)}\n${formatFact("", `${reason} Fix: ${fix}`, width)}`;
}

/** What one request of the project would allow, in a line. */
export function formatWaiting({ subject, dir, parts }: TrustRequest, width?: number): string {
  const count = parts.length === 1 ? "1 part" : `${parts.length} parts`;
  const what = {
    configuration: `${count} of aiw.config.json`,
    project_tools: "code of the project's own tools",
    directory: "code of a folder of tools",
  }[subject];
  return formatFact("waiting", `${what} in ${dir}: not used until you trust it. Look: aiw trust`, width);
}
