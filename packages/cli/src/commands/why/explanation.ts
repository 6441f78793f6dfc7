import type { Finding, FoundPackage, ShadowedName } from "@aiw/core";

/** What a name leads to, or why it leads nowhere. */
export type NameState =
  /** A tool answers to the name. */
  | "tool"
  /** A package of the project whose tools are found. */
  | "package"
  /** Switched off by configuration or environment. */
  | "disabled"
  /** Installed, but the project does not depend on it itself. */
  | "not_enabled"
  /** It would run code of the project that nobody trusts yet. */
  | "waits_for_trust"
  /** Installed and unusable, or it failed to load. */
  | "rejected"
  /** The project depends on it, and it is not installed. */
  | "not_installed"
  /** A dependency of the project that declares no tools. */
  | "no_tools"
  | "unknown";

/** Why a name leads where it leads; data for people and programs. */
export interface Explanation {
  readonly name: string;
  readonly state: NameState;
  /** The project that was searched. */
  readonly project: string;
  /** The tool that answers to the name, or null. */
  readonly tool: ExplainedTool | null;
  /** The package the name means, or the tool's. */
  readonly package: ExplainedPackage | null;
  /** Whether the caller that was named is offered the tool; absent where nobody was named, or no tool answers. */
  readonly offer?: ExplainedOffer;
  /** Tools that claim the name, and the rule that chose. */
  readonly contest: ShadowedName | null;
  /** Everything discovery has to say of the name, its package and its tool. */
  readonly findings: readonly Finding[];
  /** Names like it; empty when something was found. */
  readonly nearest: readonly string[];
}

/** Whether the named caller is offered the tool. */
export interface ExplainedOffer {
  /** False for a tool no call of which could be allowed. */
  readonly offered: boolean;
  /** What becomes of a call that no rule speaks of; null where no roles are configured. */
  readonly byDefault: "allow" | "ask" | "deny" | null;
  /** The rules that hold for the caller and are about the tool. */
  readonly rules: readonly {
    readonly rule: string;
    readonly decision: "allow" | "ask" | "deny";
    /** Parameters it has conditions on. */
    readonly parameters: readonly string[];
    readonly reason?: string;
  }[];
}

/** The tool that answers. */
export interface ExplainedTool {
  readonly id: string;
  readonly version: string | null;
  readonly source: string;
  /** What a call may write: the short name where the tool owns it, and the full id always. */
  readonly callAs: readonly string[];
}

/** A package of the project. */
export interface ExplainedPackage extends Pick<FoundPackage, "id" | "version" | "dir" | "source" | "form"> {
  /** Null until code that alone can tell was loaded. */
  readonly tools: readonly string[] | null;
  /** What the project wrote; null for what is no dependency. */
  readonly wanted: WantedRange | null;
}

/** An entry of the project's package.json. */
export interface WantedRange {
  readonly field: string;
  readonly range: string;
}
