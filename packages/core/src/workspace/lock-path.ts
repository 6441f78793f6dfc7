import { foldName } from "../confine/resolve-path.ts";

const tails = new Map<string, Promise<unknown>>();

/** Runs writers of one real path one after another, across all workspaces of this process; work learns whether it had to wait. */
export async function lockPath<Result>(
  realPath: string,
  work: (hasWaited: boolean) => Promise<Result>,
): Promise<Result> {
  const key = foldName(realPath);
  const before = tails.get(key);
  const next = async (): Promise<Result> => await work(before !== undefined);
  const mine = before === undefined ? next() : before.then(next, next);
  tails.set(key, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}
