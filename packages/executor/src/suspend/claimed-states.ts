/** Claims kept at a time; who finds no place is refused, since nobody could know of a second claim. */
const MAX_CLAIMS = 100_000;

/** Remembers which suspended calls went on, until they could not any more anyway. */
export class ClaimedStates {
  readonly #claims = new Map<string, number>();

  /** True the first time, false ever after. */
  claim(nonce: string, expiresAt: number): boolean {
    if (this.#claims.has(nonce)) return false;
    if (this.#claims.size >= MAX_CLAIMS) this.#forgetExpired();
    if (this.#claims.size >= MAX_CLAIMS) return false;
    this.#claims.set(nonce, expiresAt);
    return true;
  }

  #forgetExpired(): void {
    const now = Date.now();
    for (const [nonce, expiresAt] of this.#claims) if (expiresAt < now) this.#claims.delete(nonce);
  }
}
