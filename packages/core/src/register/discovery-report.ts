import type { TrustRequest } from "../config/trust/trust-request.ts";
import type { DiscoveryCode } from "./discovery-codes.ts";

/** One fact a person can act on; text that came from a package is escaped and bounded. */
export interface Finding {
  readonly code: DiscoveryCode;
  readonly severity: "error" | "warning" | "info";
  /** The dependency key, or the project's name for findings about the project. */
  readonly package: string;
  readonly version?: string;
  readonly dir?: string;
  readonly tool?: string;
  /** Tools that are missing for this reason, where their names are known; of a package's other findings only the reason tells. */
  readonly tools?: readonly string[];
  /** A JSON pointer into the file the finding is about. */
  readonly pointer?: string;
  readonly reason: string;
  /** A command or an edit with real values. */
  readonly fix: string;
}

/** A package whose tools are known. */
export interface FoundPackage {
  /** The dependency key the project wrote. */
  readonly id: string;
  /** Absent for a module without a package. */
  readonly version?: string;
  /** As located, for people. */
  readonly dir: string;
  /** With links followed: the identity. */
  readonly realDir: string;
  readonly source: string;
  readonly form: "manifest" | "map" | "module";
  readonly tools?: readonly string[];
  readonly notes: readonly Finding[];
  readonly ms: number;
}

/** One tool in a contest for a name. */
export interface ToolRef {
  readonly id: string;
  readonly source: string;
  readonly package?: string;
  readonly version?: string;
}

/** A short name that several tools claim; losers answer to their full id. */
export interface ShadowedName {
  readonly name: string;
  readonly winner: ToolRef;
  readonly losers: readonly ToolRef[];
  readonly rule: "explicit" | "prefer" | "order" | "source";
}

/** What one source found, and why it did not find more. */
export interface SourceReport {
  readonly found: readonly FoundPackage[];
  readonly rejected: readonly Finding[];
  readonly missing: readonly Finding[];
  readonly notEnabled: readonly Finding[];
  /** What would be found or allowed once trusted; nothing of it holds now. */
  readonly waiting: readonly TrustRequest[];
}

/** The project that was searched. */
export interface DiscoveredProject {
  readonly dir: string;
  readonly name?: string;
  readonly mode: "node_modules" | "pnp" | "none";
  /** Dependencies read. */
  readonly dependencies: number;
}

/** Milliseconds of each stage. */
export interface DiscoveryTimes {
  readonly total: number;
  readonly locate: number;
  readonly read: number;
  readonly resolve: number;
}

/** What was found, refused, missing, left out and shadowed; JSON-safe and sorted. */
export interface DiscoveryReport extends SourceReport {
  readonly project: DiscoveredProject;
  readonly shadowed: readonly ShadowedName[];
  readonly ms: DiscoveryTimes;
}
