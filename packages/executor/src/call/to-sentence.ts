/** Ends a reason as a sentence: tools and people word reasons with a full stop and without. */
export function toSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
