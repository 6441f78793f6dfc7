/** The place of a call among those that run, or that wait for their turn. */
export interface CallSlot {
  /** Gives the place back, however the call ended; work that did not stop may keep it a little longer. */
  end(unsettled: Promise<void> | undefined): void;
}
