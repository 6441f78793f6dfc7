/** What may still be looked at; shared by all texts, so that together they are bounded. */
export interface ScanBudget {
  /** Characters. */
  steps: number;
  /** Different texts. */
  texts: number;
}

const QUOTES = new Set(['"', "'", "`"]);

/**
 * Finds the quoted texts of code that begin with a dot or an escape, as they are written. No grammar is followed: every quote may
 * begin a text, in a comment or an expression too, so that none that code has is missed. Undefined when the budget is used up.
 */
export function findWrittenTexts(code: string, budget: ScanBudget): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (let at = code.search(/["'`][.\\]/); at >= 0 && at < code.length; at += 1) {
    const quote = code[at] ?? "";
    const next = code[at + 1];
    if (!QUOTES.has(quote) || (next !== "." && next !== "\\")) continue;
    const end = findEnd(code, at + 1, quote);
    budget.steps -= end - at;
    if (budget.steps < 0) return undefined;
    const text = code.slice(at + 1, end);
    if (end === code.length || found.has(text)) continue;
    found.add(text);
    budget.texts -= 1;
    if (budget.texts < 0) return undefined;
  }
  return found;
}

function findEnd(code: string, from: number, quote: string): number {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code[at] === quote) return at;
  }
  return code.length;
}
