import { crc32, inflateRawSync } from "node:zlib";

/** One file or folder of an archive, in the order of the archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  /** What the system of the archive's maker says of it: kind and mode. */
  readonly attributes: number;
  readonly madeBy: number;
}

const LOCAL = 0x04_03_4b_50;
const CENTRAL = 0x02_01_4b_50;
const END = 0x06_05_4b_50;
const END_BYTES = 22;
const DEFLATED = 8;

/** Reads an archive without comments and without parts beyond 4 GB, such as Yarn keeps packages in. */
export function readZip(bytes: Buffer): ZipEntry[] {
  const end = bytes.length - END_BYTES;
  if (bytes.readUInt32LE(end) !== END) throw new Error("It does not end as an archive does.");
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString("utf8", at + 46, nameEnd),
      content: readContent(bytes, at),
      attributes: bytes.readUInt32LE(at + 38),
      madeBy: bytes.readUInt16LE(at + 4),
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** Writes an archive whose files are stored as they are. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const shared = toShared(entry, name);
    const local = Buffer.concat([toUint32(LOCAL), shared, name, entry.content]);
    const central = Buffer.alloc(46 - 4 - 2 - shared.length);
    central.writeUInt32LE(entry.attributes, 6);
    central.writeUInt32LE(offset, 10);
    directory.push(toUint32(CENTRAL), toUint16(entry.madeBy), shared, central, name);
    files.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

function readContent(bytes: Buffer, at: number): Buffer {
  const local = bytes.readUInt32LE(at + 42);
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
  return bytes.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(packed) : Buffer.from(packed);
}

/** What both the file and its row in the directory begin with; the time is the oldest there is. */
function toShared({ content }: ZipEntry, name: Buffer): Buffer {
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(0x21, 8);
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(content.length, 14);
  shared.writeUInt32LE(content.length, 18);
  shared.writeUInt16LE(name.length, 22);
  return shared;
}

function toUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function toUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
