import { constants } from "node:fs";
import type { AiwConfig } from "../../config/aiw-config.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { readText, type ReadTextOptions, type TextRead } from "../files/read-text.ts";

/** The project's own configuration, as its file says it. */
export interface ConfigFile {
  readonly file: string;
  readonly config: AiwConfig;
}

/** The name of the file in a project's folder. */
export const CONFIG_FILE = "aiw.config.json";

/** Bytes the file may have. */
export const MAX_CONFIG_FILE: number = 1024 * 1024;

/** Fails at a link, so that an absent file costs one call and a link is looked at. */
const DIRECTLY: ReadTextOptions = { limit: MAX_CONFIG_FILE, flags: constants.O_NOFOLLOW ?? 0 };

/** Reads the file itself, never what a link of its name leads to. */
export function readDirectly(file: string, fs: DiscoveryFileSystem): TextRead {
  return readText(fs, file, DIRECTLY);
}
