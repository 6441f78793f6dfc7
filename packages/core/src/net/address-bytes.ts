const FOUR_PARTS = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;
const IPV6_LETTERS = /^[0-9a-fA-F:.]{2,45}$/;

/** Reads an address as its 4 or 16 bytes; only the canonical families, so neither `0x7f.1` nor a zone passes for one. */
export function toAddressBytes(address: string): readonly number[] | undefined {
  if (FOUR_PARTS.test(address)) {
    const bytes = address.split(".").map(Number);
    return bytes.every((byte) => byte <= 255) ? bytes : undefined;
  }
  return address.includes(":") && IPV6_LETTERS.test(address) ? toIpv6Bytes(address) : undefined;
}

/** The URL parser judges the spelling and writes it as hexadecimal groups with at most one gap. */
function toIpv6Bytes(address: string): readonly number[] | undefined {
  const written = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
  if (written === undefined) return undefined;
  const [before = [], after = []] = written.split("::").map((side) => side.split(":").filter((group) => group !== ""));
  const gap = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...gap, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
