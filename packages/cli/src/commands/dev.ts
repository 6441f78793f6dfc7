import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import { toPackageOptions } from "./build/package-options.ts";
import { runDev } from "./dev/run-dev.ts";

/** `aiw dev` */
export const dev: Command = {
  name: "dev",
  summary: "Serves a tool package under development to an agent",
  help: `Usage: aiw dev [DIR] [--restart] [--module FILE] [--source FILE] [--json] [--cwd DIR] [-- COMMAND...]

Builds the tool package in DIR (or here) after each change, by its own build script where it has one, and serves the last good build
to COMMAND, an agent, as a folder of tools in AIWHISPERER_PLUGINS_DIR. Hosts that watch their registry take new definitions and code
without a restart. Without COMMAND it prints the variable and the calls to try, and goes on until Ctrl-C (exit 130).
--restart      starts COMMAND again at each good build, for hosts that do not watch
--module FILE  the built module; else as for aiw build
--source FILE  what it is built from; else as for aiw build
--json         one line of JSON for each build, on stderr where there is a COMMAND`,
  options: { restart: { type: "boolean" }, module: { type: "string" }, source: { type: "string" } },
  positionals: { min: 0, max: 1 },
  takesCommandLine: true,
  explainWords: ([, ...rest]) => `Write the command after --: aiw dev -- ${rest.join(" ")}`,
  run({ io, cwd, json, flags, positionals, commandLine }) {
    const restart = flags["restart"] === true;
    if (restart && commandLine.length === 0) throw new UsageError("--restart needs a command after --.");
    const dir = resolve(cwd, positionals[0] ?? ".");
    return runDev({ io, cwd, json, commandLine, dir, files: toPackageOptions(flags), restart });
  },
};
