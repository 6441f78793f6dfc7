import type { Principal } from "@aiw/core";

/** The roles of whoever calls, as they are now; undefined for what is no principal, who may do nothing. */
export function readRoles(principal: unknown, anonymousRoles: readonly string[]): readonly string[] | undefined {
  if (principal === undefined) return anonymousRoles;
  try {
    const { id, roles = [] } = principal as Partial<Principal>;
    if (typeof id !== "string" || id === "" || !Array.isArray(roles)) return undefined;
    const given: readonly unknown[] = [...roles];
    return given.every((role) => typeof role === "string") ? given : undefined;
  } catch {
    return undefined;
  }
}
