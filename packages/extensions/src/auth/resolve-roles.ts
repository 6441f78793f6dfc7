import { AiwError, nearestNames, type AuthConfig, type AuthRule } from "@aiw/core";
import { compileRule, type CompiledAuthRule } from "./compile-rule.ts";

/** Rules of each role, inherited ones too. */
export type ResolvedRoles = ReadonlyMap<string, readonly CompiledAuthRule[]>;

/**
 * Prepares the rules of every role, `where` being the word for their place.
 * @throws AiwError `config_invalid` for a role that inherits from itself or from nothing, and for roles of nobody that nothing defines.
 */
export function resolveRoles({ roles = {}, anonymousRoles = [] }: AuthConfig, where: string): ResolvedRoles {
  const defined = new Map(Object.entries(roles));
  const resolved = new Map<string, readonly CompiledAuthRule[]>();
  const resolve = (name: string, path: readonly string[]): readonly CompiledAuthRule[] => {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    if (path.includes(name)) throw inCircle([...path.slice(path.indexOf(name)), name], where);
    const role = defined.get(name);
    if (role === undefined) throw unknownRole(name, [...defined.keys()], `${where}.roles.${path.at(-1)}.extends`);
    const own = compileRules(role.rules, `${where}.roles.${name}.rules`);
    const inherited = (role.extends ?? []).flatMap((parent) => resolve(parent, [...path, name]));
    const rules = [...new Set([...own, ...inherited])];
    resolved.set(name, rules);
    return rules;
  };
  for (const name of defined.keys()) resolve(name, []);
  for (const name of anonymousRoles)
    if (!defined.has(name)) throw unknownRole(name, [...defined.keys()], `${where}.anonymousRoles`);
  return resolved;
}

/** Prepares a list of rules. @throws AiwError `config_invalid` */
export function compileRules(rules: readonly AuthRule[] | undefined, where: string): readonly CompiledAuthRule[] {
  return (rules ?? []).map((rule, index) => compileRule(rule, `${where}[${index}]`));
}

function inCircle(names: readonly string[], where: string): AiwError {
  return new AiwError("config_invalid", `The role ${names[0]} inherits from itself: ${names.join(" → ")}.`, {
    fix: `Remove ${JSON.stringify(names.at(-1))} from ${where}.roles.${names.at(-2)}.extends.`,
  });
}

function unknownRole(name: string, known: readonly string[], place: string): AiwError {
  const [nearest] = nearestNames(name, known, 1);
  return new AiwError("config_invalid", `${place} names the role ${JSON.stringify(name)}, which nothing defines.`, {
    fix: nearest === undefined ? `Roles: ${known.join(", ") || "none"}.` : `Did you mean ${nearest}?`,
  });
}
