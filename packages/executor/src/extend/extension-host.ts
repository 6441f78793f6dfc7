import type { ToolLog, ToolRegistry } from "@aiw/core";
import type { Extension } from "./extension.ts";

/** What an extension that is turned on by configuration is given. */
export interface ExtensionHost {
  /** Absolute; relative paths of settings start here. */
  readonly projectDir: string;
  readonly registry: ToolRegistry;
  readonly log: ToolLog | undefined;
}

/** Makes an extension from its settings in `aiw.config.json`; doors of extensions export one as `configure`. */
export type ConfigureExtension<Settings> = (
  settings: Settings,
  host: ExtensionHost,
) => Extension | readonly Extension[] | Promise<Extension | readonly Extension[]>;
