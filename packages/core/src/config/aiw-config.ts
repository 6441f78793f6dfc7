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

/** A decision on calls that match; members of `input` are compared with the call's arguments. */
export interface PolicyRule {
  readonly match: { readonly tool?: string; readonly input?: { readonly [parameter: string]: Json } };
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
