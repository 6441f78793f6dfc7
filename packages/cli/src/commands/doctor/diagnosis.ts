import type { DiscoveryReport } from "@aiw/core";
import type { ProjectLayout } from "@aiw/core/node";
import type { HostCheck } from "./inspect-host.ts";

/** Everything `aiw doctor` knows; its JSON answer. */
export interface Diagnosis {
  /** There is a project, every enabled package and tool of it can be used, and nothing configured refuses calls. */
  readonly ok: boolean;
  /** Tools that answer to a name. */
  readonly tools: number;
  /** Why nothing could be discovered. */
  readonly error?: DiagnosedError;
  /** Null when nothing could be discovered. */
  readonly report: DiscoveryReport | null;
  /** Null when the project's package.json cannot be read. */
  readonly layout: ProjectLayout | null;
  readonly versions: {
    readonly node: string;
    readonly aiw: string;
  };
  /** The project's configuration; null without a report. */
  readonly config: ConfigFacts | null;
  /** The folders of calls from here, and what rules take away of them; null without a report. */
  readonly workspace: WorkspaceFacts | null;
  /** Variables that change what is found, those that are set. */
  readonly environment: readonly EnvironmentFact[];
  readonly trust: TrustFacts;
  /** Remarks on the host, on declarations, and on what stands around calls. */
  readonly checks: readonly HostCheck[];
}

/** A failure of discovery as a whole. */
export interface DiagnosedError {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** What a configuration file does now, without its values: they may be secret. */
export interface ConfigFacts {
  /** Null when there is none. */
  readonly file: string | null;
  /** Pointers of what holds. */
  readonly holds: readonly string[];
  /** What waits until it is trusted. */
  readonly waits: readonly string[];
}

/** Where tools may work, as it holds now; folders are absolute. */
export interface WorkspaceFacts {
  readonly roots: readonly string[];
  /** Nothing is written there. */
  readonly readOnly: readonly string[];
  /** Patterns of what is neither read nor written. */
  readonly deny: readonly string[];
}

/** A variable that is set, and what it does. */
export interface EnvironmentFact {
  readonly name: string;
  readonly value: string;
  readonly effect: string;
}

/** Where trust is kept, and what of it is about this project. */
export interface TrustFacts {
  readonly file: string;
  /** Records of this project. */
  readonly records: number;
  /** Of these, records of what is there now. */
  readonly current: number;
  /** Why the file is not believed. */
  readonly problem?: string;
}
