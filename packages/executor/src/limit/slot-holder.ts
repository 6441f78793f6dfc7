/** A call as far as its place among others is concerned. */
export interface SlotHolder {
  /** The call that made this one. */
  readonly parent: SlotHolder | undefined;
  /** True for a call that may change what it touches. */
  readonly exclusive: boolean;
}

/** True when `other` made the call, or made the one that did: it cannot end before it. */
export function isBelow({ parent }: SlotHolder, other: SlotHolder): boolean {
  for (let above = parent; above !== undefined; above = above.parent) if (above === other) return true;
  return false;
}
