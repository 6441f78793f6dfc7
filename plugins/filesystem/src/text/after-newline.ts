import type { Charset } from "./charset.ts";

/**
 * Finds the next line feed at or after `from` in a block that begins between code units.
 * Gives the index after it, or -1.
 */
export function afterNewline(block: Buffer, from: number, { unit, bigEndian }: Charset): number {
  if (unit === 1) return block.indexOf(0x0a, from) + 1 || -1;
  for (let at = block.indexOf(0x0a, from); at !== -1; at = block.indexOf(0x0a, at + 1)) {
    const first = at - (bigEndian ? unit - 1 : 0);
    if (first < from || first % unit !== 0 || first + unit > block.length) continue;
    if (isOnly(block, { first, unit, at })) return first + unit;
  }
  return -1;
}

/** Whether a carriage return stands before the line feed that ends at `end`. */
export function isCrLf(block: Buffer, end: number, { unit, bigEndian }: Charset): boolean {
  const first = end - 2 * unit;
  const at = first + (bigEndian ? unit - 1 : 0);
  return first >= 0 && block[at] === 0x0d && isOnly(block, { first, unit, at });
}

function isOnly(
  block: Buffer,
  { first, unit, at }: { readonly first: number; readonly unit: number; readonly at: number },
): boolean {
  for (let index = first; index < first + unit; index += 1) if (index !== at && block[index] !== 0) return false;
  return true;
}
