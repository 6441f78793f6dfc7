import { resolve } from "node:path";
import { NODE_FS, OPEN } from "../file/audit-fs.ts";
import { databaseSource } from "./database-source.ts";
import { fileSource } from "./file-source.ts";
import type { TrailSource } from "./trail-source.ts";

const SQLITE = "SQLite format 3\u0000";

/** Opens a trail for reading, a file or a database as its first bytes say; undefined where nothing is. */
export async function openTrail(path: string): Promise<TrailSource | undefined> {
  const file = resolve(path);
  const source = fileSource(file);
  if ((await NODE_FS.lstat(file)) === undefined) return (await source.fingerprint()) === "" ? undefined : source;
  const handle = await NODE_FS.open(file, OPEN.read);
  try {
    const bytes = new Uint8Array(SQLITE.length);
    const { bytesRead } = await handle.read(bytes, { offset: 0, length: bytes.length, position: 0 });
    return new TextDecoder().decode(bytes.subarray(0, bytesRead)) === SQLITE ? databaseSource(file) : source;
  } finally {
    await handle.close();
  }
}
