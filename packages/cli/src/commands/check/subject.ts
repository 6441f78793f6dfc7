import type { ToolSpec } from "@aiw/core";
import type { ContractReport } from "./probe/contract-report.ts";
import type { ImportReport } from "./probe/import-report.ts";

/** An object of JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** One file of the tarball. */
export interface PackedFile {
  /** From the package's folder, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
}

/** The package as a registry would get it, unpacked. */
export interface PackedPackage {
  /** The folder it was unpacked into. */
  readonly dir: string;
  readonly files: readonly PackedFile[];
  readonly bytes: number;
  /** What was not unpacked, and why. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** As packed, which managers may have changed. */
  readonly packageJson: JsonRecord;
}

/** A manifest that could be read as JSON; its tools were not judged. */
export interface ReadManifest {
  /** From the package's folder. */
  readonly file: string;
  readonly text: string;
  readonly value: JsonRecord;
  /** Members of `tools` whose spec is legal. */
  readonly specs: readonly ToolSpec[];
}

/** All that checks look at; what is absent could not be had. */
export interface CheckSubject {
  /** The package's folder on the author's disk. */
  readonly dir: string;
  readonly name: string;
  readonly version: string;
  readonly packed: PackedPackage;
  /** Folders of declared dependencies, as the package's own folder resolves them. */
  readonly dependencies: ReadonlyMap<string, string>;
  readonly manifest: ReadManifest | undefined;
}

/** The manifest that building again gives, or why it gives none. */
export type Rebuilt = { readonly text: string } | { readonly error: string; readonly fix?: string };

/** What running the code showed. */
export interface CodeReports {
  readonly rebuilt: Rebuilt | undefined;
  readonly imports: readonly ImportReport[];
  readonly contract: ContractReport | undefined;
}
