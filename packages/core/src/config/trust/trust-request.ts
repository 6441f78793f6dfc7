/** Something a project's own files want to widen, which waits until a person trusts its content. */
export interface TrustRequest {
  readonly subject: "configuration" | "project_tools" | "directory";
  /** The folder whose content it is, with links followed. */
  readonly dir: string;
  /** `sha256-…` of the content that was read. */
  readonly hash: string;
  /** What trusting it would allow, for a person. */
  readonly parts: readonly string[];
}
