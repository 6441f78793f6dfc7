/** What of a test runner registers tests. */
export interface TestRunner {
  describe(name: string, register: () => void): unknown;
  it(name: string, run: () => Promise<void>, timeoutMs?: number): unknown;
}
