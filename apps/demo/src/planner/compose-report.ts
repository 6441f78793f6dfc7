import { oneLine } from "./goal.ts";
import type { Finding, FindingStatus } from "./goal.ts";
import { clip } from "./json.ts";
import type { OfferedTool } from "./offered-tool.ts";

const maximumReportLength = 60_000;
const maximumDetailsLength = 8_000;

const statusWords: Readonly<Record<FindingStatus, string>> = {
  done: "done",
  partly: "partly done",
  failed: "did not work",
  refused: "refused",
  impossible: "not possible",
};

/** Says what answers here; it stands in every answer and report. */
export const disclosure =
  "This was made by a rule-based planner, not by a language model: fixed rules chose the steps, and every fact comes from a tool's result.";

/** Writes the findings as a Markdown document. */
export function composeReport(request: string, findings: readonly Finding[]): string {
  const sections = findings.map(({ heading, status, summary, details, notes }) =>
    [`## ${oneLine(heading)}`, `*${statusWords[status]}.* ${summary}`, ...details, ...noteList(notes, "")].join("\n\n"),
  );
  const asked = clip(oneLine(request), 2_000);
  return clip(["# Report", disclosure, `Asked: ${asked}`, ...sections].join("\n\n"), maximumReportLength) + "\n";
}

/** Writes the final answer: one line for each wish, with what was found where no report holds it. */
export function composeAnswer(
  findings: readonly Finding[],
  { hasReport, tools }: { hasReport: boolean; tools: readonly OfferedTool[] },
): string {
  const useful = findings.some(({ status }) => status !== "impossible");
  const lines = findings.map(({ heading, status, summary, notes }) =>
    [`- **${oneLine(heading)}** (${statusWords[status]}): ${summary}`, ...notes.map((note) => `  - ${note}`)].join(
      "\n",
    ),
  );
  const details = hasReport
    ? []
    : findings
        .filter(({ details: found }) => found.length > 0)
        .map(
          ({ heading, details: found }) =>
            `**${oneLine(heading)}**\n\n${clip(found.join("\n\n"), maximumDetailsLength)}`,
        );
  const help = useful ? [] : [helpText(tools)];
  return clip(
    [disclosure, ...(lines.length > 0 ? [lines.join("\n")] : []), ...details, ...help].join("\n\n"),
    maximumReportLength,
  );
}

/** Says which tools are offered and which wishes the rules understand. */
export function helpText(tools: readonly OfferedTool[]): string {
  const offered = tools.map(({ name, description }) => `- \`${name}\`: ${clip(oneLine(description), 140)}`);
  return [
    tools.length === 0 ? "No tools are offered." : `These tools are offered:\n\n${offered.join("\n")}`,
    "I understand sentences such as: what is this repository · which packages does it have · list src · find all markdown files · read package.json · search for `name` in packages · find where `name` is defined · run `git status` · fetch https://example.org/ · write a report to report.md; and for any other tool its own words with its values, such as: add 2 and 40.",
  ].join("\n\n");
}

function noteList(notes: readonly string[], indent: string): string[] {
  return notes.length === 0 ? [] : [`On the way:\n\n${notes.map((note) => `${indent}- ${note}`).join("\n")}`];
}
