/** What bubblewrap can do in the version that is there. */
export interface BubblewrapFeatures {
  /** Forbids further user namespaces inside. */
  readonly disableUserns: boolean;
  /** Bounds the private temporary folder. */
  readonly sizedTmpfs: boolean;
}

/** How this machine confines a process, or why it does not and what would help. */
export type SandboxProbe =
  | { readonly kind: "bubblewrap"; readonly program: string; readonly features: BubblewrapFeatures }
  | { readonly kind: "seatbelt"; readonly program: string }
  | { readonly kind: "none"; readonly reason: string; readonly fix: string };
