import { NODE_FS, OPEN, isErrno, type AuditFile, type AuditFs } from "../file/audit-fs.ts";
import { readHead } from "../file/head-file.ts";
import { TrailFiles } from "../file/trail-files.ts";
import type { TrailLine, TrailSource } from "./trail-source.ts";

const CHUNK_BYTES = 64 * 1024;

/** Bytes of one line; longer ones are cut, and are no records. */
const MAX_LINE_BYTES = 4 * 1024 * 1024 + 1;

/** The files of a trail, those set aside first. */
export function fileSource(path: string, fs: AuditFs = NODE_FS): TrailSource {
  const files = new TrailFiles(path);
  return {
    path,
    kind: "file",
    readHead: (chain) => readHead(files.head, chain, fs),
    lines: () => readFiles(files, fs),
    async fingerprint() {
      const names = files.listAside(await listFolder(files, fs)).map(({ path: aside }) => aside);
      return [...names, (await fs.lstat(path))?.ino].join("\n");
    },
  };
}

async function listFolder({ folder }: TrailFiles, fs: AuditFs): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

/** The current file is opened first: should it be set aside meanwhile, it is still read last, and nothing twice. */
async function* readFiles(files: TrailFiles, fs: AuditFs): AsyncGenerator<TrailLine> {
  const current = await openIfThere(files.current, fs);
  try {
    const last = await current?.stat();
    for (const { path } of files.listAside(await listFolder(files, fs))) {
      const stat = await fs.lstat(path);
      if (stat !== undefined && last !== undefined && stat.ino === last.ino && stat.dev === last.dev) break;
      const aside = await openIfThere(path, fs);
      if (aside === undefined) continue;
      try {
        yield* readLines(path, aside);
      } finally {
        await aside.close();
      }
    }
    if (current !== undefined) yield* readLines(files.current, current);
  } finally {
    await current?.close();
  }
}

async function openIfThere(path: string, fs: AuditFs): Promise<AuditFile | undefined> {
  try {
    return await fs.open(path, OPEN.read);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function* readLines(name: string, file: AuditFile): AsyncGenerator<TrailLine> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let parts: Uint8Array[] = [];
  let length = 0;
  let line = 0;
  const take = (isEnded: boolean): TrailLine => {
    const bytes = Buffer.concat(parts);
    parts = [];
    length = 0;
    line += 1;
    return { file: name, line, bytes, isEnded };
  };
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(chunk, { offset: 0, length: chunk.length, position });
    if (bytesRead === 0) break;
    position += bytesRead;
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0 && end < bytesRead; end = chunk.indexOf(10, from)) {
      keep(from, end);
      from = end + 1;
      yield take(true);
    }
    keep(from, bytesRead);
  }
  if (length > 0) yield take(false);

  function keep(from: number, end: number): void {
    const room = Math.max(0, MAX_LINE_BYTES - length);
    if (end > from && room > 0) parts.push(chunk.slice(from, Math.min(end, from + room)));
    length += end - from;
  }
}
