import type { AiwConfig, DiscoveryReport } from "@aiw/core";
import type { CliIo } from "../../../io.ts";

/** What decides how calls of a project run. */
export interface ProjectEngine {
  readonly projectDir: string;
  /** What of the configuration holds. */
  readonly config: AiwConfig;
  readonly report: Pick<DiscoveryReport, "waiting" | "found">;
  readonly environment: CliIo["environment"];
  /** What a person types to add a package. */
  readonly add: string;
  /** The file that was started: this command's own. */
  readonly program: string | undefined;
  /** The version of this command, and of the engine and extensions it brings. */
  readonly version: string;
}
