/** How long answers about calls count, and how far they reach; the mode is `policy.approval`. */
export interface ApprovalConfig {
  /** Milliseconds a question waits for its answer, and then a yes for its call to begin; 600,000 unless named. */
  readonly expiresMs?: number;
  /** Milliseconds an answer is remembered within its conversation; 28,800,000, which is eight hours, unless named. */
  readonly rememberMs?: number;
  /** How far beyond its call a yes may reach; all of them unless named. */
  readonly remember?: readonly ("turn" | "session" | "rule")[];
}
