import type { Command } from "../command.ts";
import type { ExitCode } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";
import { removePackages } from "./packages/remove-packages.ts";
import { withInterrupts } from "./packages/with-interrupts.ts";

/** `aiw remove` */
export const remove: Command = {
  name: "remove",
  summary: "Uninstalls tool packages and takes their pins out",
  help: `Usage: aiw remove PACKAGE... [--yes] [--json] [--cwd DIR]

Uninstalls dependencies of the project with its own package manager, without running any script, and takes them out of an aiw.lock
that is there. It shows which tools go and what of the configuration names them, which stays as it is. Then you are asked. When
anything fails, or at Ctrl-C, package.json, lock files and node_modules are as before.
--yes  removes without asking; needed where there is no terminal (else exit 3)`,
  options: { yes: { type: "boolean", short: "y" } },
  positionals: { min: 1, max: 50 },
  run({ io, cwd, json, flags, positionals }): Promise<ExitCode> {
    const twice = positionals.find((name, index) => positionals.indexOf(name) !== index);
    if (twice !== undefined) throw new UsageError(`${twice} is named twice.`);
    const options = { io, cwd, json, names: positionals, accepted: flags["yes"] === true };
    return withInterrupts(io, (signal) => removePackages({ ...options, signal }));
  },
};
