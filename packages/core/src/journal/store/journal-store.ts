import type { JournalHistory } from "./journal-history.ts";
import type { JournalRecord, PackIndex } from "./journal-record.ts";

/** Bytes by their hash, to be kept with a record. */
export type NewImages = ReadonlyMap<string, Uint8Array>;

/** Whether a record must survive a crash of the system before work goes on. */
export interface AppendOptions {
  readonly images?: NewImages;
  readonly isDurable?: boolean;
}

/** Reads many images; what it opens stays open until it is disposed of. */
export interface ImageReader extends AsyncDisposable {
  /** The bytes of an image, or `undefined` where they are gone or damaged. */
  read(hash: string): Promise<Uint8Array | undefined>;
}

/** Keeps the records and the images of one journal. */
export interface JournalStore {
  /** What the records come to; another object once somebody else has written them anew. */
  readonly history: JournalHistory;
  /** Reads what others have recorded meanwhile. */
  refresh(): Promise<void>;
  /**
   * Adds a record that is made from the history as it is at that moment; images come first, and the record says where they are.
   * @throws errors of the disk; nothing was recorded then.
   */
  append(make: (pack: PackIndex | undefined) => JournalRecord, options?: AppendOptions): Promise<void>;
  /** The bytes of an image, or `undefined` where they are gone or damaged. */
  readImage(hash: string): Promise<Uint8Array | undefined>;
  /** Opens the images as they are now. */
  openImages(): ImageReader;
  /** Removes images that no group stands on any more. */
  sweep(): Promise<void>;
  /** Lets go of records that count no more, once they are most of all there are. */
  compact(): Promise<void>;
}
