import type { Ended } from "./run.ts";

/** One fact of a report. */
export interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly package: string;
  readonly version?: string;
  readonly dir?: string;
  readonly tool?: string;
  readonly pointer?: string;
  readonly reason: string;
  readonly fix: string;
}

/** A package whose tools are known. */
export interface FoundPackage {
  readonly id: string;
  readonly version: string;
  readonly dir: string;
  readonly realDir: string;
  readonly form: string;
  readonly notes: readonly Finding[];
}

/** What `aiw list --json` prints. */
export interface Listing {
  readonly project: { readonly dir: string; readonly mode: string };
  readonly tools: readonly {
    readonly name: string;
    readonly id: string;
    readonly package: string;
    readonly version: string;
    readonly source: string;
  }[];
  readonly findings: readonly Finding[];
  /** With `--all`. */
  readonly notEnabled?: readonly Finding[];
}

/** Reads a listing that must have succeeded. */
export function readListing({ code, stdout, stderr }: Ended): Listing {
  if (code !== 0) throw new Error(`aiw list ended with ${code}:\n${stdout}\n${stderr}`);
  return JSON.parse(stdout) as Listing;
}

/** The full ids of a listing, as the bytes of their JSON. */
export function idsOf({ tools }: Listing): string {
  return JSON.stringify(tools.map(({ id }) => id));
}
