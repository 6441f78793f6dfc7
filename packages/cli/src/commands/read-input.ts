import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseArguments, ToolError } from "@aiw/core";
import type { CliIo } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Seconds that `--timeout` may name. */
const MAX_TIMEOUT_SECONDS = 86_400;

/**
 * Reads the arguments of a call: JSON, `@file`, or `-` for standard input.
 * @throws UsageError when there is no such file, or its text is no JSON.
 */
export async function readInput(
  flag: string | boolean | undefined,
  { io, cwd }: { io: Pick<CliIo, "stdin">; cwd: string },
): Promise<unknown> {
  if (typeof flag !== "string") return {};
  const given = await readText(flag, { io, cwd });
  try {
    return parseArguments(given);
  } catch (error) {
    if (ToolError.is(error)) throw new UsageError(`--input: ${error.message}`);
    throw error;
  }
}

/** @throws UsageError for what is no number of seconds. */
export function readTimeout(flag: string | boolean | undefined): number | undefined {
  if (typeof flag !== "string") return undefined;
  const seconds = Number(flag);
  if (flag.trim() !== "" && seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return seconds * 1000;
  throw new UsageError(
    `--timeout is a number of seconds from above 0 to ${MAX_TIMEOUT_SECONDS}, not ${JSON.stringify(flag)}.`,
  );
}

async function readText(flag: string, { io, cwd }: { io: Pick<CliIo, "stdin">; cwd: string }): Promise<string> {
  if (flag === "-") return text(io.stdin);
  if (!flag.startsWith("@")) return flag;
  try {
    return await readFile(resolve(cwd, flag.slice(1)), "utf8");
  } catch (error) {
    throw new UsageError(
      `--input: cannot read ${flag.slice(1)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
