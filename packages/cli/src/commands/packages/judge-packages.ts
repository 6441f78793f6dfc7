import semver from "semver";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { toShown } from "../../output/to-shown.ts";
import type { InspectedPackage } from "./inspect/inspected-package.ts";

/** Why a package is not added. */
export interface Refusal {
  readonly name: string;
  readonly reason: string;
  readonly fix: string;
  readonly exitCode: ExitCode;
}

/** What the person asks of releases. */
export interface JudgeOptions {
  /** Days since a version was published; any age unless given. */
  readonly minimumAgeDays?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What adds a package of another kind. */
  readonly otherwise: string;
}

const DAY_MS = 86_400_000;

/** Finds what forbids to add a package: it is broken, has no tools, or is too young. */
export function judgePackage(inspected: InspectedPackage, options: JudgeOptions): Refusal[] {
  const { name, problems, form } = inspected;
  if (problems.length > 0)
    return problems.map(({ code, reason, fix }) => ({
      name,
      reason: `${code}: ${reason}`,
      fix,
      exitCode: EXIT.failed,
    }));
  if (form === undefined)
    return [
      {
        name,
        reason: "It declares no tools (no aiwhisperer in its package.json).",
        fix: `A package of another kind is added by: ${options.otherwise} ${toShown(inspected.request.text)}`,
        exitCode: EXIT.failed,
      },
    ];
  return judgeAge(inspected, options);
}

function judgeAge({ name, version, registry }: InspectedPackage, { minimumAgeDays, now }: JudgeOptions): Refusal[] {
  if (minimumAgeDays === undefined) return [];
  const published = registry?.published;
  const refuse = (reason: string, fix: string): Refusal[] => [{ name, reason, fix, exitCode: EXIT.refused }];
  if (published === undefined)
    return refuse(
      `The registry does not say when ${toShown(version)} was published, so it may be younger than ${minimumAgeDays} days.`,
      "Look at it, then leave --minimum-age out.",
    );
  const oldest = now - minimumAgeDays * DAY_MS;
  if (Date.parse(published) <= oldest) return [];
  const older = findOlder(registry?.times ?? new Map(), oldest);
  return refuse(
    `${toShown(version)} was published ${describeAge(published, now)}, and --minimum-age asks for ${minimumAgeDays} days.`,
    older === undefined ? "Wait, or ask for fewer days." : `A version that is old enough: aiw add ${name}@${older}`,
  );
}

/** The highest released version of those that are old enough. */
function findOlder(times: ReadonlyMap<string, string>, oldest: number): string | undefined {
  const old = [...times].flatMap(([key, time]) => {
    const version = semver.valid(key);
    return version !== null && semver.prerelease(version) === null && Date.parse(time) <= oldest ? [version] : [];
  });
  return old.toSorted(semver.rcompare)[0];
}

/** `today`, `1 day ago`, `40 days ago`. */
export function describeAge(published: string, now: number): string {
  const days = Math.floor((now - Date.parse(published)) / DAY_MS);
  if (days < 1) return "less than a day ago";
  return days === 1 ? "1 day ago" : `${days} days ago`;
}
