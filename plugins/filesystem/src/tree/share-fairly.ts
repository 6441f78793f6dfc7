/** Divides a budget among wishes: nobody gets more than wished for, and what small wishes leave goes to the larger ones. */
export function shareFairly(wishes: readonly number[], budget: number): number[] {
  const shares = wishes.map(() => 0);
  const order = [...wishes.keys()].toSorted(
    (left, right) => (wishes[left] ?? 0) - (wishes[right] ?? 0) || left - right,
  );
  let left = Math.max(0, budget);
  for (const [taken, index] of order.entries()) {
    const share = Math.min(wishes[index] ?? 0, Math.floor(left / (order.length - taken)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
