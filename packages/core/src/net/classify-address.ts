import { toAddressBytes } from "./address-bytes.ts";

/** Why an address is not public. */
export type AddressClass =
  | "public"
  | "loopback"
  | "private"
  | "link-local"
  | "metadata"
  | "translated"
  | "reserved"
  | "unreadable";

/** One block of addresses: a prefix of bytes and its length in bits. */
interface AddressBlock {
  readonly bytes: readonly number[];
  readonly bits: number;
  readonly kind: AddressClass;
}

// Metadata comes first: its addresses also lie in wider blocks, and one of them (168.63.129.16) looks public.
const IPV4_BLOCKS = toBlocks([
  ["169.254.169.254/32", "metadata"],
  ["169.254.170.2/32", "metadata"],
  ["169.254.170.23/32", "metadata"],
  ["168.63.129.16/32", "metadata"],
  ["100.100.100.200/32", "metadata"],
  ["192.0.0.192/32", "metadata"],
  ["127.0.0.0/8", "loopback"],
  ["10.0.0.0/8", "private"],
  ["172.16.0.0/12", "private"],
  ["192.168.0.0/16", "private"],
  ["100.64.0.0/10", "private"],
  ["169.254.0.0/16", "link-local"],
  ["0.0.0.0/8", "reserved"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "reserved"],
  ["192.31.196.0/24", "reserved"],
  ["192.52.193.0/24", "reserved"],
  ["192.88.99.0/24", "translated"],
  ["192.175.48.0/24", "reserved"],
  ["198.18.0.0/15", "reserved"],
  ["198.51.100.0/24", "reserved"],
  ["203.0.113.0/24", "reserved"],
  ["224.0.0.0/4", "reserved"],
  ["240.0.0.0/4", "reserved"],
]);

// Only 2000::/3 is global unicast; what is not listed here and outside it is reserved.
const IPV6_BLOCKS = toBlocks([
  ["fd00:ec2::254/128", "metadata"],
  ["fd00:ec2::23/128", "metadata"],
  ["fd20:ce::254/128", "metadata"],
  ["fe80::a9fe:a9fe/128", "metadata"],
  ["::1/128", "loopback"],
  ["::ffff:0:0/96", "translated"],
  ["::ffff:0:0:0/96", "translated"],
  ["::/96", "translated"],
  ["64:ff9b::/96", "translated"],
  ["64:ff9b:1::/48", "translated"],
  ["2002::/16", "translated"],
  ["2001::/32", "translated"],
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "reserved"],
  ["2620:4f:8000::/48", "reserved"],
  ["3fff::/20", "reserved"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "private"],
]);

const GLOBAL_UNICAST = toBlocks([["2000::/3", "public"]]);

/** Says whether an address, read as bytes, is public unicast (SEC-NET-2). */
export function classifyAddress(address: string): AddressClass {
  const bytes = toAddressBytes(address);
  if (bytes === undefined) return "unreadable";
  if (bytes.length === 4) return findClass(bytes, IPV4_BLOCKS) ?? "public";
  if (carriesMetadata(bytes)) return "metadata";
  return findClass(bytes, IPV6_BLOCKS) ?? findClass(bytes, GLOBAL_UNICAST) ?? "reserved";
}

/** Compares addresses by their bytes; spellings do not matter. */
export function isSameAddress(left: string, right: string): boolean {
  const [a, b] = [toAddressBytes(left), toAddressBytes(right)];
  return a !== undefined && b !== undefined && a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Where IPv4 addresses stand in translated ones: at the end, after 2002:, and split around byte 8 (RFC 6052). */
const CARRIED_AT = [
  [12, 13, 14, 15],
  [2, 3, 4, 5],
  [6, 7, 9, 10],
] as const;

/** A translated address leads where the IPv4 address in it leads; Teredo writes it inverted. */
function carriesMetadata(bytes: readonly number[]): boolean {
  if (findClass(bytes, IPV6_BLOCKS) !== "translated") return false;
  const inverted = bytes.map((byte) => byte ^ 0xff);
  return [bytes, inverted].some((each) =>
    CARRIED_AT.some((places) => {
      const carried = places.map((place) => each[place] ?? 0);
      return findClass(carried, IPV4_BLOCKS) === "metadata";
    }),
  );
}

function findClass(bytes: readonly number[], blocks: readonly AddressBlock[]): AddressClass | undefined {
  return blocks.find((block) => isInBlock(bytes, block))?.kind;
}

function isInBlock(bytes: readonly number[], block: AddressBlock): boolean {
  const whole = block.bits >> 3;
  for (let index = 0; index < whole; index += 1) {
    if (bytes[index] !== block.bytes[index]) return false;
  }
  const rest = block.bits & 7;
  if (rest === 0) return true;
  const shift = 8 - rest;
  return (bytes[whole] ?? 0) >> shift === (block.bytes[whole] ?? 0) >> shift;
}

function toBlocks(blocks: readonly (readonly [cidr: string, kind: AddressClass])[]): readonly AddressBlock[] {
  return blocks.map(([cidr, kind]) => {
    const [address = "", bits] = cidr.split("/");
    return { bytes: toAddressBytes(address) ?? [], bits: Number(bits), kind };
  });
}
