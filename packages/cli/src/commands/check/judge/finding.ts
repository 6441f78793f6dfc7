import { toShown } from "../../../output/to-shown.ts";
import type { CheckFinding } from "../scorecard.ts";

type Parts = Omit<CheckFinding, "severity">;

/** Says what blocks publishing. */
export function fail(parts: Parts): CheckFinding {
  return { severity: "fail", ...parts };
}

/** Says what would be better otherwise. */
export function warn(parts: Parts): CheckFinding {
  return { severity: "warn", ...parts };
}

/** The finding where something holds, else none. */
export function when(holds: boolean, finding: CheckFinding): CheckFinding[] {
  return holds ? [finding] : [];
}

/** Shows a value of the package as JSON: one line, nothing hidden, bounded. */
export function quote(value: unknown): string {
  return toShown(JSON.stringify(value) ?? String(value));
}

/** Names a few, and counts the others. */
export function nameSome(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map(toShown).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** Members of what may be an object; nothing of what is none. */
export function membersOf(value: unknown): [name: string, value: unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
