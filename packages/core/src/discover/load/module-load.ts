import type { ThrownElsewhere } from "../guards/trial-import.ts";

/** The exports of a module. */
export interface ModuleExports {
  readonly [name: string]: unknown;
}

/** What loading one module gave. */
export type ModuleLoad =
  | { readonly kind: "loaded"; readonly exports: ModuleExports }
  | { readonly kind: "failed"; readonly error: unknown }
  /** In another process: its import was refused, or it brought the process down just after. */
  | { readonly kind: "failed_elsewhere"; readonly when: "import" | "later"; readonly error: ThrownElsewhere }
  | { readonly kind: "exited"; readonly by: number | string }
  | { readonly kind: "timed_out"; readonly afterMs: number };
