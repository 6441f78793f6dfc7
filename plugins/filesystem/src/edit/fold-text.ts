/** What stands for each of the quotes, dashes and spaces that models and editors put for the plain ones; 0 for all else. */
const PLAIN = new Uint8Array(0x1_00_00);
for (const [plain, others] of [
  ["'", "\u2018\u2019\u201a\u201b\u2032"],
  ['"', "\u201c\u201d\u201e\u201f\u2033"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  [" ", "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
] as const) {
  for (const other of others) PLAIN[other.charCodeAt(0)] = plain.charCodeAt(0);
}

const FOLDED = /[\u00a0\u2000-\u200a\u2010-\u2015\u2018-\u201f\u202f\u2032\u2033\u205f\u2212\u3000]/u;

/** Gives quotes, dashes and spaces one form each; every character stays in its place. */
export function foldText(text: string): string {
  if (!FOLDED.test(text)) return text;
  const units = Buffer.from(text, "utf16le");
  for (let at = 0; at < units.length; at += 2) {
    const plain = foldUnit((units[at] ?? 0) | ((units[at + 1] ?? 0) << 8));
    units[at] = plain & 0xff;
    units[at + 1] = plain >> 8;
  }
  return units.toString("utf16le");
}

/** Gives what {@link foldText} puts for one UTF-16 unit. */
export function foldUnit(unit: number): number {
  return PLAIN[unit] || unit;
}
