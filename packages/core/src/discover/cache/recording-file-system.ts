import * as path from "node:path";
import { toErrno, type DiscoveryFileSystem } from "../discovery-ports.ts";
import { MAX_PACKAGE_JSON } from "../find-project.ts";
import { DECLARATION_MARKER } from "../locate-packages.ts";
import type { CacheContent } from "./cache-content.ts";
import type { CacheScope } from "./cache-scope.ts";

/** How discovery reads. */
export type ReadArguments = [descriptor: number, buffer: Buffer, offset: number, length: number, position: null];

interface Reading {
  readonly file: string;
  readonly chunks: Buffer[];
}

/** The disk, and a memory of what it answered about installed packages. */
export class RecordingFileSystem {
  readonly #fs: DiscoveryFileSystem;
  readonly #scope: CacheScope;
  readonly #open = new Map<number, Reading>();
  readonly #read = new Map<string, Buffer>();
  readonly #absent = new Set<string>();
  readonly #real = new Map<string, string>();

  constructor(fs: DiscoveryFileSystem, scope: CacheScope) {
    this.#fs = fs;
    this.#scope = scope;
  }

  /** To be used in place of the disk. */
  toFileSystem(): DiscoveryFileSystem {
    const fs = this.#fs;
    return {
      ...delegate(fs),
      openSync: (file, ...how) => this.#openFile(file, () => fs.openSync(file, ...how)),
      readSync: ((...[descriptor, buffer, offset, length, position]: ReadArguments) => {
        const count = fs.readSync(descriptor, buffer, offset, length, position);
        this.#open.get(descriptor)?.chunks.push(Buffer.from(buffer.subarray(offset, offset + count)));
        return count;
      }) as DiscoveryFileSystem["readSync"],
      closeSync: (descriptor) => {
        fs.closeSync(descriptor);
        this.#closeFile(descriptor);
      },
      realpathSync: (file) => {
        const real = fs.realpathSync(file);
        if (this.#scope.covers(file)) this.#real.set(file, real);
        return real;
      },
    };
  }

  /** What may be kept: nothing of a linked package, which changes without an install, and nothing that is not whole. */
  toContent(): CacheContent {
    const ordinary: string[] = [];
    const texts = new Map<string, string>();
    for (const [file, content] of this.#read) {
      if (!this.#isInstalled(file)) continue;
      const isOrdinary = path.basename(file) === "package.json" && !content.includes(DECLARATION_MARKER, 0, "latin1");
      const text = isOrdinary ? undefined : toWholeText(content);
      if (isOrdinary && content.length > 0 && content.length <= MAX_PACKAGE_JSON) ordinary.push(file);
      else if (text !== undefined) texts.set(file, text);
    }
    return {
      ordinary,
      texts,
      absent: [...this.#absent].filter((file) => this.#isInstalled(file)),
      real: new Map([...this.#real].filter(([, real]) => this.#scope.admits(real))),
    };
  }

  #openFile(file: Parameters<DiscoveryFileSystem["openSync"]>[0], open: () => number): number {
    const isCovered = typeof file === "string" && this.#scope.covers(file);
    try {
      const descriptor = open();
      if (isCovered) this.#open.set(descriptor, { file, chunks: [] });
      return descriptor;
    } catch (error) {
      if (isCovered && toErrno(error) === "ENOENT") this.#absent.add(file);
      throw error;
    }
  }

  #closeFile(descriptor: number): void {
    const reading = this.#open.get(descriptor);
    if (reading === undefined) return;
    this.#open.delete(descriptor);
    this.#absent.delete(reading.file);
    this.#read.set(reading.file, Buffer.concat(reading.chunks));
  }

  /** A link leads to where an author works; one that leads nowhere may lead somewhere tomorrow. */
  #isInstalled(file: string): boolean {
    const directory = path.dirname(file);
    try {
      return this.#scope.admits(this.#fs.realpathSync(directory));
    } catch {
      return this.#fs.lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink() !== true;
    }
  }
}

/** Every operation as it is, whatever the port's own shape is. */
export function delegate(fs: DiscoveryFileSystem): DiscoveryFileSystem {
  return {
    closeSync: fs.closeSync,
    lstatSync: fs.lstatSync,
    opendirSync: fs.opendirSync,
    openSync: fs.openSync,
    readdirSync: fs.readdirSync,
    readSync: fs.readSync,
    statSync: fs.statSync,
    realpathSync: (file) => fs.realpathSync(file),
  };
}

/** The text of JSON that parses; half a file is an install at work, and must be read again. */
function toWholeText(content: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return text;
  } catch {
    return undefined;
  }
}
