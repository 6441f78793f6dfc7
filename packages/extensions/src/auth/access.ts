import type { AuthConfig, Principal } from "@aiw/core";
import { combineDecisions, type ExtensionCall, type ExtensionVerdict } from "@aiw/executor";
import { readRoles } from "./caller-roles.ts";
import type { AuthArguments, CompiledAuthRule } from "./compile-rule.ts";
import { compileRules, resolveRoles, type ResolvedRoles } from "./resolve-roles.ts";
import { AccessMemory, type ToolAccess, type ToolQuestion } from "./tool-access.ts";

/** The rules of one `auth`, and what they say of tools and calls. */
export class Access {
  readonly #name: string;
  readonly #roles: ResolvedRoles;
  readonly #everyone: readonly CompiledAuthRule[];
  readonly #anonymousRoles: readonly string[];
  readonly #default: NonNullable<AuthConfig["default"]>;
  readonly #memory = new AccessMemory();

  constructor(config: AuthConfig, name: string) {
    this.#name = name;
    this.#roles = resolveRoles(config, name);
    this.#everyone = compileRules(config.rules, `${name}.rules`);
    this.#anonymousRoles = [...(config.anonymousRoles ?? [])];
    this.#default = config.default ?? "deny";
  }

  /** False for a tool no call of which could be allowed. */
  isOffered(tool: ToolQuestion, principal: Principal | undefined): boolean {
    const accesses = this.#accessesOf(tool, principal);
    if (accesses === undefined || accesses.some(({ isDenied }) => isDenied)) return false;
    return this.#default !== "deny" || accesses.some(({ isNamed }) => isNamed);
  }

  /** The rules on calls of a tool that hold for the caller; undefined for a caller who is none. */
  rulesOn(tool: ToolQuestion, principal: Principal | undefined): readonly CompiledAuthRule[] | undefined {
    const accesses = this.#accessesOf(tool, principal);
    return accesses && [...new Set(accesses.flatMap(({ rules }) => rules))];
  }

  /** What is allowed here gets no opinion: being permitted is not being approved. */
  judge(call: ExtensionCall): ExtensionVerdict | undefined {
    const { entry, spec, ownsName, principal, toolName } = call;
    const accesses = entry && spec && this.#accessesOf({ entry, spec, ownsName }, principal);
    const given = toGiven(call);
    if (accesses === undefined || given === undefined)
      return this.#byDefault("deny", `Nobody can say who calls ${toolName}, or what the call is of.`);
    const strongest = combineDecisions(fitting(accesses, given));
    if (strongest === undefined) return this.#judgeUnnamed(toolName, accesses);
    if (strongest.decision === "allow") return undefined;
    const { decision, rule, reason = describe(strongest, toolName) } = strongest;
    return { decision, reason, rule };
  }

  #judgeUnnamed(toolName: string, accesses: readonly ToolAccess[]): ExtensionVerdict | undefined {
    if (this.#default === "allow") return undefined;
    if (this.#default === "ask")
      return this.#byDefault("ask", `No rule for the caller speaks of this use of ${toolName}.`);
    const rules = accesses.flatMap((access) => access.rules);
    const parameters = new Set(rules.flatMap((rule) => (rule.decision === "deny" ? [] : rule.parameters)));
    if (parameters.size === 0) return this.#byDefault("deny", `The caller may not use ${toolName}.`);
    return this.#byDefault("deny", `The caller may use ${toolName} with other values of ${list(parameters)} alone.`);
  }

  #byDefault(decision: "ask" | "deny", reason: string): ExtensionVerdict {
    return { decision, reason, rule: `${this.#name}.default` };
  }

  /** What the rules for everybody and those of each of the caller's roles say; undefined for a caller who is none. */
  #accessesOf(tool: ToolQuestion, principal: Principal | undefined): readonly ToolAccess[] | undefined {
    const roles = readRoles(principal, this.#anonymousRoles);
    if (roles === undefined) return undefined;
    const accesses = [this.#memory.accessOf(tool, this.#everyone)];
    for (const role of roles) {
      const rules = this.#roles.get(role);
      if (rules !== undefined) accesses.push(this.#memory.accessOf(tool, rules));
    }
    return accesses;
  }
}

function fitting(accesses: readonly ToolAccess[], given: AuthArguments): CompiledAuthRule[] {
  const found: CompiledAuthRule[] = [];
  for (const { rules } of accesses) for (const rule of rules) if (rule.fits(given)) found.push(rule);
  return found;
}

function toGiven({ arguments: input, parsedArguments: parsed, workspace }: ExtensionCall): AuthArguments | undefined {
  return input === undefined ? undefined : { input, parsed, cwd: workspace?.cwd };
}

function describe({ decision, parameters }: CompiledAuthRule, toolName: string): string {
  const use = parameters.length === 0 ? toolName : `${toolName} with these values of ${list(parameters)}`;
  return decision === "ask" ? `A person has to agree to the use of ${use}.` : `The caller may not use ${use}.`;
}

function list(names: Iterable<string>): string {
  return [...names].join(", ");
}
