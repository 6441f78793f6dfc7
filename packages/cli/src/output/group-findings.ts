import type { Finding } from "@aiw/core";

/** Findings of one code that are told one by one. */
const MOST_ALONE = 2;

/** Packages that one line names. */
const MAX_NAMED = 5;

/** Findings of one code beyond a few become one that names their packages: a list of tools is no place for more. */
export function groupFindings(findings: readonly Finding[]): Finding[] {
  return [...Map.groupBy(findings, ({ code }) => code).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined || group.length <= MOST_ALONE ? group : [toOne(group, first)];
  });
}

function toOne(group: readonly Finding[], { code, severity, fix }: Finding): Finding {
  const isSame = group.every((one) => one.fix === fix);
  return {
    code,
    severity,
    package: `${group.length} times`,
    reason: `${nameSome(group.map((one) => one.package))}.`,
    fix: isSame ? fix : "aiw doctor tells each.",
  };
}

/** Names a few and says that there are more. */
export function nameSome(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.slice(0, MAX_NAMED).join(", ") + (distinct.length > MAX_NAMED ? " …" : "");
}
