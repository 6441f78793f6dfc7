/**
 * Moves a date by a number of days.
 *
 * @param date - Where to begin.
 * @param days - Negative ones go back.
 * @integer
 * @example find the day a week later: addDays(new Date("2026-01-01"), 7)
 * @effects pure
 */
export function addDays(date: Date, days: number): { date: Date } {
  return { date: new Date(date.getTime() + days * 86_400_000) };
}
