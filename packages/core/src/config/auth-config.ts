import type { Json } from "../contract/json.ts";
import type { ToolEffects } from "../contract/tool-spec.ts";

/** A condition on one argument; everything named must hold. */
export interface AuthCondition {
  /** The very JSON value. */
  readonly equals?: Json;
  /** One of these JSON values. */
  readonly oneOf?: readonly Json[];
  /** A text that fits the glob: `*` is any run of characters, whatever they are, and `?` is one. */
  readonly glob?: string;
  /** A number not below. */
  readonly atLeast?: number;
  /** A number not above. */
  readonly atMost?: number;
  /** A path that is this folder or below it, by its words alone; a relative one starts at the folder tools work in. */
  readonly within?: string;
}

/** Which calls a rule of a role is about; everything named must fit, and at least one thing is named. */
export interface AuthMatch {
  /** Globs on full ids or short names, one of which fits; for `allow` a short name means the tool that owns it. */
  readonly tools?: readonly string[];
  /** Globs on the tool's package, one of which fits. */
  readonly packages?: readonly string[];
  /** The tool's category is one of these. */
  readonly categories?: readonly string[];
  /** The tool has one of these tags. */
  readonly tags?: readonly string[];
  /** Globs on permissions. `allow` covers a tool all of whose permissions fit, and has some; `ask` and `deny` one that needs any. */
  readonly permissions?: readonly string[];
  /** The effects the tool declares. */
  readonly effects?: Partial<ToolEffects>;
  /** Conditions by parameter; of a list, `allow` needs each element to fit, `ask` and `deny` any. */
  readonly input?: { readonly [parameter: string]: AuthCondition };
}

/** What callers of a role may do with the calls it matches. */
export interface AuthRule {
  /** Shown in refusals and records; the rule's place unless named. */
  readonly id?: string;
  readonly match: AuthMatch;
  /** Deny beats ask beats allow; being allowed is not being approved: unsafe calls ask nevertheless. */
  readonly decision: "allow" | "ask" | "deny";
  /** Told to the model, which can act on it. */
  readonly reason?: string;
}

/** What callers of one role may do. */
export interface AuthRole {
  /** Roles whose rules hold for this one too; what they deny stays denied. */
  readonly extends?: readonly string[];
  readonly rules?: readonly AuthRule[];
}

/** Role-based access: who may call what. */
export interface AuthConfig {
  readonly roles?: { readonly [role: string]: AuthRole };
  /** Rules that hold for every caller. */
  readonly rules?: readonly AuthRule[];
  /** What becomes of a call that no rule speaks of; `deny` unless named. */
  readonly default?: "allow" | "ask" | "deny";
  /** Roles of a call without a principal; none unless named. */
  readonly anonymousRoles?: readonly string[];
}
