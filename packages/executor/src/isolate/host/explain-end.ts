/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

const OUT_OF_MEMORY = /heap out of memory|process out of memory|Allocation failed|ERR_MEMORY_ALLOCATION_FAILED/u;
const SIGNALLED = 128;

/** Says in words a model may see how a process ended; what it printed is not repeated (SEC-LOG-4). */
export function explainEnd({ code, signal }: ProcessEnd, printed: string): string {
  if (OUT_OF_MEMORY.test(printed)) return "it took more memory than it may";
  if (signal !== null) return `it was ended by ${signal}`;
  if (code === 1 && /^(?:Uncaught|\s*at |node:internal)/mu.test(printed)) return "nobody caught an error in it";
  // A confining program passes a signal on as a code.
  if (code !== null && code > SIGNALLED) return `it was ended by signal ${code - SIGNALLED}`;
  return `it left with code ${String(code)}`;
}
