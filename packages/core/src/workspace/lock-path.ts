import { foldName } from "../confine/resolve-path.ts";

const tails = new Map<string, Promise<unknown>>();

/** Runs writers of one real path one after another, across all workspaces of this process. */
export async function lockPath<Result>(realPath: string, work: () => Promise<Result>): Promise<Result> {
  const key = foldName(realPath);
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(key, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}
