/** Reads a line exactly: bytes that are no UTF-8 are no record, and a byte order mark is not passed over. */
export function decodeLine(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}
