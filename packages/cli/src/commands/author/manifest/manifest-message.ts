import type { ManifestOptions, RenderedManifest } from "@aiw/core/node";

/** What the other process is asked. */
export interface ManifestRequest {
  readonly options: ManifestOptions;
  /** Milliseconds after which the process ends itself, whoever still waits. */
  readonly deadlineMs: number;
}

/** What a module exports, as far as a manifest is concerned. */
export interface ModuleNames {
  /** Every export. */
  readonly exports: readonly string[];
  /** Functions and classes that are no tools by what their code tells. */
  readonly functions: readonly string[];
}

/** What it answers, once. */
export type ManifestAnswer =
  | (ModuleNames & { readonly kind: "made"; readonly manifest: RenderedManifest })
  | (ModuleNames & { readonly kind: "failed"; readonly code: string; readonly message: string; readonly fix?: string });
