/** Letters to add, take away or exchange to make one text of another (Levenshtein); infinite beyond the most that is asked for. */
export function countEdits(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > most) return Number.POSITIVE_INFINITY;
    row = next;
  }
  return row.at(-1) ?? 0;
}
