import { analyse } from "chardet";
import { decodeBytes, findCharset, isFaithful, UTF_8, type Charset } from "./charset.ts";

/** Which pairs of bytes are frequent in text of a double-byte encoding; a legal pair outside is rare there. */
interface PairTable {
  readonly label: string;
  /** Whether a byte begins a pair. */
  isLead(byte: number): boolean;
  isTrail(byte: number): boolean;
  isFrequent(lead: number, trail: number): boolean;
}

const between = (value: number, from: number, to: number): boolean => value >= from && value <= to;
const isEucTrail = (byte: number): boolean => between(byte, 0xa1, 0xfe);

/** Korean stands before Chinese: its syllables fill a part of what is frequent in Chinese. */
const TABLES: readonly PairTable[] = [
  {
    label: "shift_jis",
    isLead: (byte) => between(byte, 0x81, 0x9f) || between(byte, 0xe0, 0xfc),
    isTrail: (byte) => between(byte, 0x40, 0xfc) && byte !== 0x7f,
    isFrequent: (lead) => between(lead, 0x81, 0x83) || between(lead, 0x88, 0x97),
  },
  {
    label: "euc-jp",
    isLead: isEucTrail,
    isTrail: isEucTrail,
    isFrequent: (lead) => lead === 0xa1 || lead === 0xa4 || lead === 0xa5,
  },
  {
    label: "euc-kr",
    isLead: isEucTrail,
    isTrail: isEucTrail,
    isFrequent: (lead) => between(lead, 0xb0, 0xc8),
  },
  {
    label: "gb18030",
    isLead: (byte) => between(byte, 0x81, 0xfe),
    isTrail: (byte) => between(byte, 0x40, 0xfe) && byte !== 0x7f,
    isFrequent: (lead, trail) => isEucTrail(trail) && (between(lead, 0xb0, 0xd7) || lead === 0xa1 || lead === 0xa3),
  },
  {
    label: "big5",
    isLead: (byte) => between(byte, 0xa1, 0xf9),
    isTrail: (byte) => between(byte, 0x40, 0x7e) || isEucTrail(byte),
    isFrequent: (lead) => between(lead, 0xa4, 0xc6) || lead === 0xa1,
  },
];

/** Share of frequent pairs from which an encoding is believed; Japanese is told by its kana alone. */
const BELIEVED: ReadonlyMap<string, number> = new Map([
  ["shift_jis", 0.8],
  ["euc-jp", 0.4],
  ["euc-kr", 0.95],
  ["gb18030", 0.8],
  ["big5", 0.8],
]);
const FEWEST_PAIRS: ReadonlyMap<string, number> = new Map([["euc-kr", 4]]);
const CONFIDENT = 50;
/** What detectors are most often wrong about, and how many kinds of pairs disprove it: Latin capitals make a few. */
const LATIN = /^(?:ISO-8859-[129]|windows-125[024])$/u;
const FEWEST_KINDS = 4;
const LEAST_CONFIDENT = 11;
const GOOD_FOR_BAD = 8;

/**
 * Names the encodings that text which is no UTF-8 may have, likeliest first; an empty list means damaged UTF-8.
 * Detectors know little of short texts, so pairs that are frequent in Chinese, Japanese or Korean decide there.
 */
export function guessCharsets(sample: Uint8Array): Charset[] {
  const matches = analyse(sample).filter(({ name }) => name !== "ASCII");
  const [first] = matches;
  if (first?.name === "UTF-8" || isDamagedUtf8(sample)) return [];
  const told = matches.filter(({ confidence }) => confidence >= LEAST_CONFIDENT).map(({ name }) => name);
  const isSure = first !== undefined && first.confidence >= CONFIDENT;
  const pairs = !isSure || LATIN.test(first.name) ? believedTables(sample, isSure ? FEWEST_KINDS : 1) : [];
  const rest = matches.map(({ name }) => name);
  const charsets = [...pairs, ...told, "windows-1252", ...rest].map(findCharset);
  return [...new Map(charsets.flatMap((charset) => (charset ? [[charset.label, charset]] : []))).values()].filter(
    (charset) => charset !== UTF_8 && isFaithfulSample(charset, sample),
  );
}

/** Other encodings hardly ever look like UTF-8, so a few wrong bytes among many right ones are damage. */
function isDamagedUtf8(sample: Uint8Array): boolean {
  const text = decodeBytes(UTF_8, sample);
  const bad = text.match(/\ufffd/gu)?.length ?? 0;
  const good = (text.match(/[^\u0000-\u007f]/gu)?.length ?? 0) - bad;
  return good > bad * GOOD_FOR_BAD;
}

function believedTables(sample: Uint8Array, fewestKinds: number): string[] {
  const rated = TABLES.flatMap((table) => {
    const share = shareOfFrequent(table, sample, fewestKinds);
    return share !== undefined && share >= (BELIEVED.get(table.label) ?? 1) ? [{ label: table.label, share }] : [];
  });
  // Kana or Hangul throughout prove more than a high share of a wide range does.
  const isCertain = ({ label }: { label: string }): boolean => label.startsWith("euc");
  rated.sort((left, right) => Number(isCertain(right)) - Number(isCertain(left)) || right.share - left.share);
  return rated.map(({ label }) => label);
}

/** The share of frequent pairs among all; `undefined` when the bytes are not pairs of the table, or too few. */
function shareOfFrequent(table: PairTable, sample: Uint8Array, fewestKinds: number): number | undefined {
  const kinds = new Set<number>();
  let pairs = 0;
  let frequent = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const lead = sample[index] ?? 0;
    if (lead < 0x80) continue;
    const trail = sample[index + 1];
    // A pair may be cut in two where the sample ends.
    if (trail === undefined) break;
    if (!table.isLead(lead) || !table.isTrail(trail)) {
      if (table.label === "shift_jis" && between(lead, 0xa1, 0xdf)) continue;
      return undefined;
    }
    pairs += 1;
    kinds.add(lead * 256 + trail);
    if (table.isFrequent(lead, trail)) frequent += 1;
    index += 1;
  }
  const isEnough = pairs >= (FEWEST_PAIRS.get(table.label) ?? 2) && kinds.size >= fewestKinds;
  return isEnough ? frequent / pairs : undefined;
}

/** A sample may end within a character, so its last bytes are not held against it. */
function isFaithfulSample(charset: Charset, sample: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => isFaithful(charset, sample.subarray(0, sample.length - cut)));
}
