import { ts } from "@ts-morph/common";

/** What a symbol stands for, through every import and re-export. */
export function resolveAlias<Found extends ts.Symbol | undefined>(symbol: Found, checker: ts.TypeChecker): Found {
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
  return checker.getAliasedSymbol(symbol) as Found;
}
