import type { Json } from "../contract/json.ts";

/** Which tools are offered. */
export interface ToolsConfig {
  /** Package keys, full ids or tool names that are never offered. */
  readonly disabled?: readonly string[];
  /** Tool name to the package key that gets the name when several offer it. */
  readonly prefer?: { readonly [toolName: string]: string };
}

/** What one policy rule decides. */
export type PolicyDecision = "allow" | "ask" | "deny";

/** Which calls a rule is about; everything named must fit, and at least one thing is named. */
export interface PolicyMatch {
  /**
   * A glob on the tool's full id, or on a short name. For `allow` a short name means the tool that owns it, and a pattern
   * written like one (no `/`, no `@`) reaches no package by the beginning of its name; `*` alone is every tool.
   */
  readonly tool?: string;
  /** Arguments that must equal these JSON values exactly, for `ask` and `deny` also as defaults; others do not matter. */
  readonly input?: { readonly [parameter: string]: Json };
}

/** A decision of the operator on the calls it matches. */
export interface PolicyRule {
  /** Shown in verdicts and records; `policy.rules[i]` unless named. */
  readonly id?: string;
  readonly match: PolicyMatch;
  readonly decision: PolicyDecision;
  readonly reason?: string;
}

/** Who may call what. */
export interface PolicyConfig {
  readonly rules?: readonly PolicyRule[];
}

/** Bounds of every call. */
export interface LimitsConfig {
  /** Milliseconds a call may work. */
  readonly timeoutMs?: number;
}

/** Configuration a host gives in code; secrets are references `{ "$env": "NAME" }`. */
export interface AiwConfig {
  readonly tools?: ToolsConfig;
  /** Options by package key; the package's own schema checks them. */
  readonly plugins?: { readonly [packageKey: string]: { readonly [option: string]: unknown } };
  readonly policy?: PolicyConfig;
  readonly limits?: LimitsConfig;
}
