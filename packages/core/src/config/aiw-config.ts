import type { Json } from "../contract/json.ts";
import type { ExecutorsConfig } from "./executors-config.ts";
import type { ExtensionsConfig } from "./extensions-config.ts";
import type { ToolEffects } from "../contract/tool-spec.ts";
import type { IsolationConfig } from "./isolation-config.ts";
import type { LimitsConfig } from "./limits-config.ts";
import type { WorkspaceConfig } from "./workspace-config.ts";

/** Which tools are offered; a pattern is a package key, a full id, a tool name, or a glob of one. */
export interface ToolsConfig {
  /** When present, only tools that fit one of these patterns are offered. */
  readonly enabled?: readonly string[];
  /** Patterns of tools that are never offered; they win over `enabled`. */
  readonly disabled?: readonly string[];
  /** Tool name to the package key that gets the name when several offer it. */
  readonly prefer?: { readonly [toolName: string]: string };
}

/**
 * A named selection of tools: what its parents select, what meets all of its conditions, and `include`; without `exclude`.
 */
export interface ToolsetConfig {
  /** Toolsets whose tools are in this one too. */
  readonly extends?: readonly string[];
  /** Patterns of tools that are in, whatever the conditions say. */
  readonly include?: readonly string[];
  /** Patterns of tools that are out, inherited ones too. */
  readonly exclude?: readonly string[];
  readonly effects?: Partial<ToolEffects>;
  /** The tool has every one. */
  readonly tags?: readonly string[];
  readonly category?: string;
  /** The tool names every one. */
  readonly permissions?: readonly string[];
  readonly type?: string;
  /** A glob of `*` and `?` over the whole name. */
  readonly namePattern?: string;
  /** The author's own flags (`metadata.custom`), equal as JSON. */
  readonly where?: { readonly [flag: string]: Json };
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
  /** Which calls a person is asked about for their effects. */
  readonly approval?: "never" | "unsafe_only" | "always" | "by_rule";
  /** Whether arguments that cannot be read as they come are repaired; `on` unless named. */
  readonly argumentRepair?: "on" | "off";
  /** What becomes of read-only calls that come to the same again within a turn; `block` unless named. */
  readonly repeatedCalls?: "block" | "warn" | "off";
  readonly rules?: readonly PolicyRule[];
}

/** Where tools come from beside installed packages. */
export interface SourcesConfig {
  /** Folders of tools; relative ones start at the project. */
  readonly directories?: readonly string[];
}

/** How tools are found. */
export interface DiscoveryConfig {
  /** Refuses declarations whose definitions only running code can tell; `false` takes nobody's `true` back. */
  readonly requireStatic?: boolean;
  /** Refuses to find tools unless all of them are as `aiw.lock` pins them; `false` takes nobody's `true` back. */
  readonly frozen?: boolean;
  /** `warn` lets the first of two equal names win and reports it; `error` refuses. */
  readonly onDuplicate?: "warn" | "error";
  /** Keeps what was read for the next process. */
  readonly cache?: boolean;
}

/** Configuration of a project (`aiw.config.json`) or of a host in code; secrets are references `{ "$env": "NAME" }`. */
export interface AiwConfig {
  /** Names the JSON Schema, for editors. */
  readonly $schema?: string;
  readonly tools?: ToolsConfig;
  readonly toolsets?: { readonly [name: string]: ToolsetConfig };
  /** Options by package key; the package's own schema checks them. */
  readonly plugins?: { readonly [packageKey: string]: { readonly [option: string]: unknown } };
  readonly policy?: PolicyConfig;
  readonly limits?: LimitsConfig;
  readonly workspace?: WorkspaceConfig;
  readonly sources?: SourcesConfig;
  readonly discovery?: DiscoveryConfig;
  readonly extensions?: ExtensionsConfig;
  readonly isolation?: IsolationConfig;
  readonly executors?: ExecutorsConfig;
}
