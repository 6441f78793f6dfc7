import { toCanonicalJson } from "@aiw/core";
import { CHAIN_START, type AuditChain } from "../audit-chain.ts";
import type { ChainLink } from "../audit-entry.ts";
import { FILE_MODE, OPEN, type AuditFs } from "./audit-fs.ts";

/** Bytes of a head at most. */
const MAX_HEAD_BYTES = 1024;

/** What a head says: how far the trail goes, `missing`, or `unreadable` for one that is not sealed by this chain. */
export type Head = ChainLink | "missing" | "unreadable";

/** Reads how far a trail goes by its head, which shows records that are missing at its end. */
export async function readHead(path: string, chain: AuditChain, fs: AuditFs): Promise<Head> {
  if ((await fs.lstat(path)) === undefined) return "missing";
  const file = await fs.open(path, OPEN.read);
  try {
    const bytes = new Uint8Array(MAX_HEAD_BYTES);
    const { bytesRead } = await file.read(bytes, { offset: 0, length: bytes.length, position: 0 });
    return parseHead(new TextDecoder().decode(bytes.subarray(0, bytesRead)), chain);
  } finally {
    await file.close();
  }
}

/** Writes it in place: shorter than a block of the disk, it is there whole or not at all. */
export async function writeHead(path: string, text: string, fs: AuditFs): Promise<void> {
  const file = await fs.open(path, OPEN.head, FILE_MODE);
  try {
    const bytes = new TextEncoder().encode(text);
    const { size } = await file.stat();
    const { bytesWritten } = await file.write(bytes, { offset: 0, length: bytes.length, position: 0 });
    if (bytesWritten !== bytes.length || size > bytes.length) await file.truncate(bytesWritten);
  } finally {
    await file.close();
  }
}

/** The text of a head. */
export function toHead({ seq, hash }: ChainLink, chain: AuditChain): string {
  return `${toCanonicalJson({ hash, seal: sealOf({ seq, hash }, chain), seq })}\n`;
}

/** Reads what `toHead` wrote. */
export function parseHead(text: string, chain: AuditChain): Head {
  try {
    const { seq, hash } = JSON.parse(text) as Partial<ChainLink>;
    if (typeof seq !== "number" || typeof hash !== "string") return "unreadable";
    const link = seq === 0 ? CHAIN_START : { seq, hash };
    return toHead(link, chain) === text ? link : "unreadable";
  } catch {
    return "unreadable";
  }
}

function sealOf({ seq, hash }: ChainLink, chain: AuditChain): string {
  return chain.digest(toCanonicalJson({ hash, head: true, seq }));
}
