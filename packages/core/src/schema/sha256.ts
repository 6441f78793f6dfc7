/** The first 32 bits of the fractional parts of roots of the first primes (FIPS 180-4). */
interface Constants {
  readonly rounds: Uint32Array;
  readonly initial: Uint32Array;
}

let constants: Constants | undefined;

/** Gives the SHA-256 of a short text as lower-case hex at once, where a name cannot wait for Web Crypto. */
export function sha256Hex(text: string): string {
  // Computed at the first name that needs them: few do.
  constants ??= { rounds: roots(64, 1 / 3), initial: roots(8, 1 / 2) };
  const { rounds, initial } = constants;
  const state = Uint32Array.from(initial);
  const words = pad(new TextEncoder().encode(text));
  for (let block = 0; block < words.length; block += 16) digest(state, words.subarray(block, block + 16), rounds);
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function pad(bytes: Uint8Array): Uint32Array {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  for (const [index, byte] of bytes.entries()) padded.setUint8(index, byte);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  return Uint32Array.from({ length: padded.byteLength / 4 }, (_, index) => padded.getUint32(index * 4));
}

function digest(state: Uint32Array, block: Uint32Array, rounds: Uint32Array): void {
  const schedule = new Uint32Array(64);
  schedule.set(block);
  for (let t = 16; t < 64; t += 1) {
    const [early, late] = [at(schedule, t - 15), at(schedule, t - 2)];
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    schedule[t] = at(schedule, t - 16) + low + at(schedule, t - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(rounds, t) + at(schedule, t);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + word;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function roots(count: number, power: number): Uint32Array {
  const words = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate += 1) {
    if (!isPrime(candidate)) continue;
    words[found] = (candidate ** power % 1) * 2 ** 32;
    found += 1;
  }
  return words;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) return false;
  return true;
}
