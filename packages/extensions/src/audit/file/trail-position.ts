import { AiwError } from "@aiw/core";
import { CHAIN_START, type AuditChain } from "../audit-chain.ts";
import type { AuditBreakEntry, AuditEntry, ChainLink } from "../audit-entry.ts";
import type { AuditFs } from "./audit-fs.ts";
import { readHead, toHead, writeHead, type Head } from "./head-file.ts";
import { readTail, type Tail } from "./read-tail.ts";
import type { TrailFiles } from "./trail-files.ts";

/** Where a writer goes on. */
export interface TrailPosition {
  /** The last record there is. */
  readonly link: ChainLink;
  /** Bytes of the current file. */
  readonly size: number;
  /** What the writer found and has to record first: cut off lines, records that are missing. */
  readonly found: readonly AuditEntry[];
  /** True where the last line has no end. */
  readonly needsEnd: boolean;
}

/** What finding the place needs. */
export interface PositionSources {
  readonly files: TrailFiles;
  readonly chain: AuditChain;
  readonly fs: AuditFs;
  now(): number;
}

const NO_TAIL: Tail = { size: 0, last: undefined, torn: undefined, isEnded: true };

/**
 * Finds where the trail ends, and makes a head for one that begins; only under the lock.
 * @throws AiwError `audit_failed` for a file that holds something else; `config_invalid` for one that is sealed in another way.
 */
export async function findPosition(sources: PositionSources): Promise<TrailPosition> {
  const { files, chain, fs } = sources;
  const exists = (await fs.lstat(files.current)) !== undefined;
  const tail = exists ? await readTail(files.current, chain, fs) : NO_TAIL;
  const aside = tail.last ?? (await findLastAside(sources));
  const head = await readHead(files.head, chain, fs);
  if (tail.last === undefined && tail.size > 0 && aside === undefined && typeof head === "string")
    throw new AiwError("audit_failed", `${files.current} holds something else than records sealed like these.`, {
      fix: "Name another file, or set the key as it was.",
    });
  if (head === "missing" && tail.size === 0 && aside === undefined)
    // Made before the first record, so that its absence beside records is never innocent.
    await writeHead(files.head, toHead(CHAIN_START, chain), fs);
  return toPosition({ tail, link: aside ?? CHAIN_START, head }, sources);
}

function toPosition(
  { tail, link, head }: { readonly tail: Tail; readonly link: ChainLink; readonly head: Head },
  { now }: PositionSources,
): TrailPosition {
  const time = new Date(now()).toISOString();
  const found: AuditEntry[] = tail.torn === undefined ? [] : [{ kind: "torn", time, ...tail.torn }];
  const reason = judgeHead(head, link, tail.size === 0 && link.seq === 0);
  if (reason !== undefined)
    found.push({ kind: "break", time, reason, found: link, ...(typeof head !== "string" && { expected: head }) });
  return { link, size: tail.size, found, needsEnd: !tail.isEnded };
}

/** A head behind the records is one that a killed writer did not come to; one ahead of them tells of records that are gone. */
export function judgeHead(head: Head, link: ChainLink, isNew: boolean): AuditBreakEntry["reason"] | undefined {
  if (head === "missing") return isNew ? undefined : "head_missing";
  if (head === "unreadable") return "head_unreadable";
  if (head.seq > link.seq) return "records_missing";
  return head.seq === link.seq && head.hash !== link.hash ? "head_differs" : undefined;
}

/** The last record of the files set aside: a writer may have been killed before it began the next one. */
async function findLastAside({ files, chain, fs }: PositionSources): Promise<ChainLink | undefined> {
  const newest = files.listAside(await fs.readdir(files.folder)).at(-1);
  return newest === undefined ? undefined : (await readTail(newest.path, chain, fs)).last;
}
