import type { ProgramAnswer } from "./run-program.ts";

/** What a probe looks at; tests replace it. */
export interface ProbePorts {
  readonly platform: NodeJS.Platform;
  exists(path: string): boolean;
  /** Undefined for what cannot be read. */
  readText(path: string): string | undefined;
  run(argv: readonly string[]): Promise<ProgramAnswer>;
}
