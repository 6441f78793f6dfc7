import { runCli } from "../run-cli.ts";
import { fakeIo, type FakeIo, type FakeWorld } from "./fake-io.ts";

/** How a command line ended, and what it printed. */
export interface EndedAiw {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  json(): unknown;
}

/** Runs one command line in a world of its own; `prepare` may type, interrupt and wait for text. */
export async function runAiw(
  cwd: string,
  args: readonly string[],
  { prepare, ...world }: FakeWorld & { readonly prepare?: (fake: FakeIo) => void } = {},
): Promise<EndedAiw> {
  const fake = fakeIo(cwd, world);
  prepare?.(fake);
  const code = await runCli(args, fake.io);
  return { code, out: fake.stdout(), err: fake.stderr(), json: () => JSON.parse(fake.stdout()) as unknown };
}
