import type { TrustRequest } from "./trust-request.ts";

/** The hash that stands for whatever a folder says, now and later. */
export const ANY_CONTENT = "*";

/** Content a person trusted. */
export interface TrustRecord {
  readonly subject: TrustRequest["subject"] | "any";
  /** With links followed. */
  readonly dir: string;
  /** `sha256-…` of the content, or {@link ANY_CONTENT}. */
  readonly hash: string;
  /** What was shown when it was trusted. */
  readonly parts: readonly string[];
  /** ISO 8601. */
  readonly at: string;
}

/** Why nothing that is recorded is believed. */
export interface TrustProblem {
  readonly reason: string;
  readonly fix: string;
}

/** What a person trusts, recorded outside every project. */
export interface TrustStore {
  /** The file that records it. */
  readonly file: string;
  /** True when this very content of the folder, or any content of it, was trusted; false whenever the file is not believed. */
  isTrusted(dir: string, hash: string): boolean;
  /** Why the file is not believed for a project; undefined when it is, or when there is none. */
  problem(projectDir: string): TrustProblem | undefined;
  /** @throws AiwError `trust_store_invalid` when the file is not believed: nothing is overwritten then. */
  add(record: Omit<TrustRecord, "at">): Promise<TrustRecord>;
  /**
   * Takes back one content of a folder, or everything about the folder; gives what was taken back.
   * @throws AiwError `trust_store_invalid`
   */
  remove(dir: string, hash?: string): Promise<readonly TrustRecord[]>;
  /** Every record, sorted by folder and hash; none when the file is not believed. */
  list(): readonly TrustRecord[];
}
