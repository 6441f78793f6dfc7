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
      if (date === undefined) issues.push({ message: "must be a date and time such as 2030-01-31T09:30:00Z", path });
      return date;
    });
    return issues.length > 0 ? { issues } : { value: parsed };
  };
}

/** Makes the function that writes the dates in these places as texts; one that is no point in time stays, for the schema to refuse. */
export function toDateTexts(pointers: readonly string[]): (value: unknown) => unknown {
  const places = toPlaces(pointers);
  return (value) => changeAt(value, places, (date) => (isDate(date) && !isInvalid(date) ? date.toISOString() : date));
}

/** ISO 8601 only, and only days that exist: engines read many other texts, and February 30th. */
function parseDate(text: string): Date | undefined {
  const day = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?=$|[Tt ])/.exec(text)?.[0];
  const midnight = day === undefined ? undefined : new Date(`${day}T00:00:00Z`);
  if (day === undefined || midnight === undefined || isInvalid(midnight) || !midnight.toISOString().startsWith(day))
    return undefined;
  const date = new Date(text.toUpperCase().replace(" ", "T"));
  return isInvalid(date) ? undefined : date;
}

/** Also of another realm. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]" && value instanceof Object && "toISOString" in value;
}

function isInvalid(date: Date): boolean {
  return Number.isNaN(date.getTime());
}
