import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { AiwError, toCanonicalJson } from "@aiw/core";
import type { AuditEntry, AuditRecord, ChainLink } from "./audit-entry.ts";

/** Before the first record. */
export const CHAIN_START: ChainLink = Object.freeze({ seq: 0, hash: "" });

/** Characters a key has at least. */
const MIN_KEY_LENGTH = 16;

/** A record as the text of its line, without the line break. */
export interface SealedRecord extends ChainLink {
  readonly line: string;
}

/**
 * Chains records: each holds the hash of the one before and its own, over its canonical JSON (RFC 8785), so that a changed,
 * dropped or moved record shows (SEC-LOG-3). With a key the hashes are HMACs, which only who has the key can make.
 */
export class AuditChain {
  readonly #key: string | undefined;

  /** @throws AiwError `config_invalid` for a key that is too short to be one. */
  constructor(key?: string) {
    if (key !== undefined && key.length < MIN_KEY_LENGTH)
      throw new AiwError("config_invalid", `The key of the record has fewer than ${MIN_KEY_LENGTH} characters.`, {
        fix: "Make one: openssl rand -base64 32",
      });
    this.#key = key;
  }

  get isKeyed(): boolean {
    return this.#key !== undefined;
  }

  /** Gives an entry its place behind another record. */
  seal(entry: AuditEntry, after: ChainLink): SealedRecord {
    const seq = after.seq + 1;
    const members = toMembers({ ...entry, v: 1, seq, prev: after.hash });
    const hash = this.digest(join(members));
    return { seq, hash, line: join([...members, toMember("hash", hash)].toSorted(byKey)) };
  }

  /** Reads a line back; undefined for anything but an unchanged record. */
  read(line: string): AuditRecord | undefined {
    const parsed = parseRecord(line);
    if (parsed === undefined) return undefined;
    const { hash, ...rest } = parsed;
    const body = toCanonicalJson(rest);
    if (!isEqual(hash, this.digest(body)) || toCanonicalJson(parsed) !== line) return undefined;
    return parsed;
  }

  /** `sha256-…`, or `hmac-sha256-…` where there is a key. */
  digest(text: string): string {
    return this.#key === undefined
      ? digestOf(text)
      : `hmac-sha256-${createHmac("sha256", this.#key).update(text).digest("base64")}`;
  }

  /** False for a hash that was made with a key where this chain has none, or without where it has one. */
  isOfKind(hash: string): boolean {
    return hash.startsWith("hmac-") === this.isKeyed;
  }
}

/** `sha256-` and the base64 SHA-256 of a text or bytes. */
export function digestOf(data: string | Uint8Array): string {
  return `sha256-${createHash("sha256").update(data).digest("base64")}`;
}

/** Reads the shape of a record, whatever its hash says. */
export function parseRecord(line: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecordShaped(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecordShaped(value: unknown): value is AuditRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { v, seq, prev, hash, kind } = value as { readonly [member: string]: unknown };
  return (
    v === 1 &&
    Number.isSafeInteger(seq) &&
    (seq as number) > 0 &&
    typeof prev === "string" &&
    typeof hash === "string" &&
    typeof kind === "string"
  );
}

interface Member {
  readonly key: string;
  readonly text: string;
}

/** Canonical members, so that the hash can join them without writing everything twice. */
function toMembers(value: object): Member[] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]: [string, unknown]) => toMember(key, member))
    .toSorted(byKey);
}

function toMember(key: string, value: unknown): Member {
  return { key, text: `${toCanonicalJson(key)}:${toCanonicalJson(value)}` };
}

function byKey(a: Member, b: Member): number {
  return a.key < b.key ? -1 : 1;
}

function join(members: readonly Member[]): string {
  return `{${members.map(({ text }) => text).join(",")}}`;
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
