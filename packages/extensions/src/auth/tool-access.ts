import type { ToolEntry, ToolSpec } from "@aiw/core";
import type { AuthSubject, CompiledAuthRule } from "./compile-rule.ts";

/** What one list of rules says of one tool, whatever the arguments. */
export interface ToolAccess {
  /** True when every call is denied. */
  readonly isDenied: boolean;
  /** True when some call may be allowed or asked about. */
  readonly isNamed: boolean;
  /** Rules on calls of the tool. */
  readonly rules: readonly CompiledAuthRule[];
}

/** What is asked about a tool. */
export interface ToolQuestion {
  readonly entry: ToolEntry;
  readonly spec: ToolSpec | undefined;
  readonly ownsName: boolean;
}

interface Known extends ToolQuestion {
  readonly byRules: Map<readonly CompiledAuthRule[], ToolAccess>;
}

/** Remembers what lists of rules say of tools: a tool is matched once, until its definition or the owner of its name changes. */
export class AccessMemory {
  readonly #byEntry = new WeakMap<ToolEntry, Known>();

  accessOf(question: ToolQuestion, rules: readonly CompiledAuthRule[]): ToolAccess {
    const { byRules } = this.#knownOf(question);
    const known = byRules.get(rules);
    if (known !== undefined) return known;
    const access = toAccess(toSubject(question), rules);
    byRules.set(rules, access);
    return access;
  }

  #knownOf(question: ToolQuestion): Known {
    const { entry, spec, ownsName } = question;
    const known = this.#byEntry.get(entry);
    if (known?.spec === spec && known?.ownsName === ownsName) return known;
    const fresh: Known = { entry, spec, ownsName, byRules: new Map() };
    this.#byEntry.set(entry, fresh);
    return fresh;
  }
}

function toSubject({ entry, spec, ownsName }: ToolQuestion): AuthSubject {
  const { id, name, origin } = entry;
  return { toolId: id, toolName: name, package: origin.package, spec, ownsName };
}

function toAccess(tool: AuthSubject, rules: readonly CompiledAuthRule[]): ToolAccess {
  const about = rules.map((rule) => ({ rule, isAbout: rule.isAbout(tool) }));
  return {
    isDenied: about.some(
      ({ rule, isAbout }) => isAbout === true && rule.decision === "deny" && rule.parameters.length === 0,
    ),
    // Of a tool whose definition is not known yet nobody can say that it is not meant.
    isNamed: about.some(({ rule, isAbout }) => isAbout !== false && rule.decision !== "deny"),
    rules: about.filter(({ isAbout }) => isAbout === true).map(({ rule }) => rule),
  };
}
