import type { SimpleCommand } from "./simple-command.ts";
import type { Finding } from "./verdict.ts";

/** What a command turned out to run. */
export interface Unwrapped {
  /** Commands it runs, to be judged as if they stood there. */
  readonly commands: readonly SimpleCommand[];
  /** Shell texts it runs. */
  readonly scripts: readonly { readonly text: string; readonly from: SimpleCommand }[];
  readonly findings: readonly Finding[];
}

/** Something noticed instead of a command to go on with. */
export function onlyFinding(finding: Finding): Unwrapped {
  return { commands: [], scripts: [], findings: [finding] };
}
