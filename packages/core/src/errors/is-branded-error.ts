/** Recognises an error of any copy of this package; false for whatever throws when it is looked at. */
export function isBrandedError(value: unknown, brand: symbol): value is Error {
  try {
    return value instanceof Error && brand in value;
  } catch {
    return false;
  }
}
