import type { CallRecordFound } from "@aiw/extensions/audit";
import { toColumns } from "../../output/columns.ts";

/** Records as lines for people: when, how it ended, what, for whom, how long, with what. */
export function formatRecords(records: readonly CallRecordFound[], columns: number | undefined): string {
  return toColumns(records.map(toRow), columns);
}

function toRow({ startedAt, outcome, tool, principal, durationMs, arguments: given }: CallRecordFound): string[] {
  const { status, code, withheld } = outcome;
  return [
    toTime(startedAt),
    status === "ok" ? (withheld === true ? "ok, withheld" : "ok") : String(code ?? status),
    tool.name,
    typeof principal?.id === "string" ? principal.id : "-",
    Number.isFinite(durationMs) ? `${Math.round(durationMs)} ms` : "-",
    given === undefined ? "" : JSON.stringify(given),
  ];
}

/** In UTC, as in the records. */
function toTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "?" : date.toISOString().replace("T", " ").slice(0, 19);
}
