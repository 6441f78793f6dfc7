import type { Ask } from "./contenders.ts";
import type { Request } from "./requests.ts";

/** Shares of requests that had an acceptable tool among the first so many answers. */
export interface Recall {
  readonly at1: number;
  readonly at3: number;
  readonly at8: number;
  /** Requests that had none among the first eight. */
  readonly missed: readonly string[];
}

/** Asks every request once. */
export async function measureRecall(ask: Ask, requests: readonly Request[]): Promise<Recall> {
  const ranks: { readonly request: string; readonly rank: number }[] = [];
  for (const { request, accept } of requests) {
    const answer = await ask(request, 8);
    const rank = answer.findIndex((id) => accept.includes(id));
    ranks.push({ request, rank: rank < 0 ? Number.POSITIVE_INFINITY : rank + 1 });
  }
  const share = (limit: number): number => ranks.filter(({ rank }) => rank <= limit).length / ranks.length;
  return {
    at1: share(1),
    at3: share(3),
    at8: share(8),
    missed: ranks.filter(({ rank }) => rank > 8).map(({ request }) => request),
  };
}
