import type { AuthConfig, AuthRule, Principal, ToolEntry } from "@aiw/core";
import { Access } from "./access.ts";

/** What the rules of a configuration say of one tool and one caller, whatever the arguments. */
export interface AccessExplanation {
  /** False for a tool no call of which could be allowed. */
  readonly offered: boolean;
  /** What becomes of a call that no rule speaks of. */
  readonly byDefault: NonNullable<AuthConfig["default"]>;
  /** The rules that hold for the caller and are about the tool. */
  readonly rules: readonly ExplainedRule[];
}

/** One rule that is about the tool. */
export interface ExplainedRule {
  /** Its id, else its place. */
  readonly rule: string;
  readonly decision: AuthRule["decision"];
  /** The parameters it has conditions on: it is about some calls alone. */
  readonly parameters: readonly string[];
  /** The operator's words, where there are some. */
  readonly reason?: string;
}

/** The tool and the caller that are asked about. */
export interface AccessQuestion {
  readonly entry: ToolEntry;
  /** True when its short name leads to this very tool. */
  readonly ownsName: boolean;
  /** Absent for a call that names nobody. */
  readonly principal: Principal | undefined;
}

/**
 * Says whether `extensions.auth` of a configuration offers a tool to a caller, and by which rules.
 * @throws AiwError `config_invalid`
 */
export function explainAccess(config: AuthConfig, { entry, ownsName, principal }: AccessQuestion): AccessExplanation {
  const access = new Access(config, "extensions.auth");
  const tool = { entry, spec: entry.spec, ownsName };
  const rules = access.rulesOn(tool, principal) ?? [];
  return {
    offered: access.isOffered(tool, principal),
    byDefault: config.default ?? "deny",
    rules: rules.map(({ rule, decision, parameters, reason }) => ({
      rule,
      decision,
      parameters,
      ...(reason !== undefined && { reason }),
    })),
  };
}
