import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { CacheContent } from "./cache-content.ts";
import type { CacheScope } from "./cache-scope.ts";
import { delegate, type ReadArguments } from "./recording-file-system.ts";

/** What stands for a package.json that declares no tools. */
const ORDINARY = Buffer.from("{}");

class AbsentFile extends Error {
  readonly code = "ENOENT";
}

interface OpenText {
  readonly content: Buffer;
  at: number;
}

/**
 * The disk, but for what a cache says of installed packages. What it says are the bytes of files, which are judged as the files
 * themselves would be: whoever forges a cache can say no more than whoever forges a manifest.
 */
export function replayFiles(fs: DiscoveryFileSystem, content: CacheContent, scope: CacheScope): DiscoveryFileSystem {
  const { texts, real } = content;
  const ordinary = new Set(content.ordinary);
  const absent = new Set(content.absent);
  const open = new Map<number, OpenText>();
  let last = 0;
  const openText = (bytes: Buffer): number => {
    last -= 1;
    open.set(last, { content: bytes, at: 0 });
    return last;
  };
  return {
    ...delegate(fs),
    openSync: (file, ...how) => {
      if (typeof file !== "string" || !scope.covers(file)) return fs.openSync(file, ...how);
      if (ordinary.has(file)) return openText(ORDINARY);
      const text = texts.get(file);
      if (text !== undefined) return openText(Buffer.from(text));
      if (absent.has(file)) throw new AbsentFile(`ENOENT: no such file or directory, open '${file}'`);
      return fs.openSync(file, ...how);
    },
    readSync: ((...[descriptor, buffer, offset, length, position]: ReadArguments) => {
      const text = open.get(descriptor);
      if (text === undefined) return fs.readSync(descriptor, buffer, offset, length, position);
      const count = text.content.copy(buffer, offset, text.at, text.at + length);
      text.at += count;
      return count;
    }) as DiscoveryFileSystem["readSync"],
    closeSync: (descriptor) => {
      if (!open.delete(descriptor)) fs.closeSync(descriptor);
    },
    realpathSync: (file) => {
      const known = scope.covers(file) ? real.get(file) : undefined;
      return known !== undefined && scope.admits(known) ? known : fs.realpathSync(file);
    },
  };
}
