import { AiwError } from "@aiw/core";
import { inspectLayout } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";
import { toAddCommand } from "../list/say-none.ts";

const NPM = "npm install ";

/** Says with the project's own package manager what is to be installed. @throws what was thrown, in those words */
export async function nameInstall(
  error: unknown,
  cwd: string,
  { environment }: Pick<CliIo, "environment">,
): Promise<never> {
  if (!AiwError.is(error) || error.code !== "extension_unavailable" || error.fix?.startsWith(NPM) !== true) throw error;
  const { code, message, fix, details, cause } = error;
  const add = toAddCommand(await inspectLayout(cwd, { environment }));
  throw new AiwError(code, message, {
    fix: `${add} ${fix.slice(NPM.length)}`,
    cause,
    ...(details !== undefined && { details }),
  });
}
