import type { ParseIssue, Parse } from "../../contract/tool.ts";
import { changeAt, toPlaces } from "./change-at.ts";

/** Makes the parse function that turns the texts in these places into dates; other values there are left to the schema. */
export function toDateParse(pointers: readonly string[]): Parse<unknown> {
  const places = toPlaces(pointers);
  return (value) => {
    const issues: ParseIssue[] = [];
    // A tool may write to what it is given; records and approvals keep what was asked.
    const parsed = changeAt(structuredClone(value), places, (text, path) => {
      if (typeof text !== "string") return text;
      const date = parseDate(text);
      if (date === undefined)
        issues.push({ message: "must be a date and time such as 2030-01-31T09:30:00Z", path: [...path] });
      return date;
    });
    return issues.length > 0 ? { issues } : { value: parsed };
  };
}

/** Makes the function that writes the dates in these places as texts; one that is no point in time stays, for the schema to refuse. */
export function toDateTexts(pointers: readonly string[]): (value: unknown) => unknown {
  const places = toPlaces(pointers);
  return (value) =>
    changeAt(value, places, (date) => {
      const time = timeOf(date);
      return Number.isNaN(time) ? date : new Date(time).toISOString();
    });
}

const DATE = /^(?<day>\d{4}-\d\d-\d\d)(?:[Tt ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d))?$/;

/**
 * ISO 8601 only, and only days that exist: engines read many other texts, and February 30th. A time has its zone, since
 * without one each host would read its own.
 */
function parseDate(text: string): Date | undefined {
  const day = DATE.exec(text)?.groups?.["day"];
  if (day === undefined) return undefined;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (isInvalid(midnight) || !midnight.toISOString().startsWith(day)) return undefined;
  const date = new Date(text.toUpperCase().replace(" ", "T"));
  return isInvalid(date) ? undefined : date;
}

/** Also of another realm; NaN for what is no date. */
function timeOf(value: unknown): number {
  try {
    return Date.prototype.getTime.call(value);
  } catch {
    return Number.NaN;
  }
}

function isInvalid(date: Date): boolean {
  return Number.isNaN(date.getTime());
}
