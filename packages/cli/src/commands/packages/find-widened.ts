import type { LockedPackage } from "@aiw/core/node";

/** Flags whose other value lets a tool do more. */
const WIDER = { readOnly: false, destructive: true, idempotent: false, openWorld: true } as const;

/** Says which tools may do more than before: by effects, permissions, or by no longer asking. */
export function findWidened(from: LockedPackage | undefined, to: LockedPackage | undefined): string[] {
  return [...(to?.tools ?? [])].flatMap(([name, { spec }]) => {
    const former = from?.tools.get(name)?.spec.metadata;
    if (former === undefined) return [];
    const { effects, permissions, requiresApproval } = spec.metadata;
    const flags = (Object.keys(WIDER) as (keyof typeof WIDER)[]).filter(
      (flag) => effects[flag] === WIDER[flag] && former.effects[flag] !== WIDER[flag],
    );
    const more = [
      ...flags.map((flag) => (WIDER[flag] ? `now ${flag}` : `no longer ${flag}`)),
      ...permissions.filter((one) => !former.permissions.includes(one)).map((one) => `now with ${one}`),
      ...(former.requiresApproval === true && requiresApproval !== true ? ["no longer always asked for"] : []),
    ];
    return more.length === 0 ? [] : [`${name} is ${more.join(", ")}`];
  });
}
