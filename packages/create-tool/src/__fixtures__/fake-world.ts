import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { ProgramRequest, World } from "../world.ts";

/** A world in a temporary folder that says what was printed and run. */
export interface FakeWorld extends World, AsyncDisposable {
  readonly stdin: PassThrough;
  readonly ran: readonly ProgramRequest[];
  readonly interrupt: AbortController;
  /** What was printed on standard output so far. */
  printed(): string;
  /** The same of standard error. */
  complained(): string;
}

/** What a test says of its world. */
export interface FakeWorldOptions extends Partial<Pick<World, "environment" | "interactive" | "run">> {
  /** Begins the name of the folder; as awkward as names come unless given. */
  readonly folder?: string;
}

/** Makes a temporary folder, and a world in it. */
export async function fakeWorld(options: FakeWorldOptions = {}): Promise<FakeWorld> {
  const { folder = "create tool #ü%41-", ...changes } = options;
  const base = await realpath(await mkdtemp(join(tmpdir(), folder)));
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const ran: ProgramRequest[] = [];
  const interrupt = new AbortController();
  let printed = "";
  let complained = "";
  stdout.on("data", (chunk) => (printed += String(chunk)));
  stderr.on("data", (chunk) => (complained += String(chunk)));
  return {
    stdin,
    stdout,
    stderr,
    cwd: base,
    environment: {},
    interactive: false,
    year: 2026,
    signal: interrupt.signal,
    async run(request) {
      ran.push(request);
      return 0;
    },
    ...changes,
    ran,
    interrupt,
    printed: () => printed,
    complained: () => complained,
    async [Symbol.asyncDispose]() {
      await rm(base, { recursive: true, force: true });
    },
  };
}
