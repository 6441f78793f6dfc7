import { relative } from "node:path";
import type { TrailProblem, TrailVerdict } from "@aiw/extensions/audit";
import { oneLine } from "../../output/one-line.ts";

/** Says to people what became of a record. */
export function formatVerdict(path: string, verdict: TrailVerdict): string {
  const { intact, records, calls, last, problems, problemCount, torn, lost } = verdict;
  const counted = `${records} ${records === 1 ? "record" : "records"} of ${calls} ${calls === 1 ? "call" : "calls"}`;
  const more = problemCount - problems.length;
  return [
    `${intact ? "Intact" : "Changed"}: ${oneLine(path)}, ${counted}.`,
    ...problems.map((problem) => formatProblem(path, problem)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(torn > 0
      ? [`${torn} ${torn === 1 ? "writer was" : "writers were"} cut off within a line, which is recorded.`]
      : []),
    ...(lost > 0 ? [`${lost} records were lost while they could not be written, which is recorded.`] : []),
    ...(intact && last !== undefined ? [`Its end now: ${last.hash}. Keep it elsewhere, for --expect-head.`] : []),
  ].join("\n");
}

/** A file beside the one that is named is called by its name. */
function formatProblem(path: string, { file, line, what }: TrailProblem): string {
  const name = file === path ? "" : ` of ${oneLine(relative(`${path}/..`, file))}`;
  return `  ${line === undefined ? "" : `line ${line}${name}: `}${oneLine(what)}`;
}
