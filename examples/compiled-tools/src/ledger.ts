/**
 * Keeps amounts by name for as long as the process runs.
 * @category money
 */
export class Ledger {
  readonly #amounts = new Map<string, number>();

  /**
   * Adds an amount to an account.
   * @param account - Its name; a new one begins at zero.
   * @param amount - A negative one is taken away.
   * @effects destructive=false, openWorld=false
   */
  addAmount(account: string, amount: number): { total: number } {
    const total = (this.#amounts.get(account) ?? 0) + amount;
    this.#amounts.set(account, total);
    return { total };
  }

  /**
   * Lists the accounts and their totals.
   * @effects read
   */
  listTotals(): Record<string, number> {
    return Object.fromEntries(this.#amounts);
  }
}
