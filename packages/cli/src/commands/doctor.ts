import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printLine } from "../output/print.ts";
import { diagnose } from "./doctor/diagnose.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { formatDiagnosis } from "./doctor/format-diagnosis.ts";

/** `aiw doctor` */
export const doctor: Command = {
  name: "doctor",
  summary: "What was found, what was not and why, and fixes",
  help: `Usage: aiw doctor [--load] [--frozen] [--json] [--cwd DIR]

Says how the project is installed and configured, what discovery found and refused, whether what is configured around calls can
do its work (extensions, records, isolation), and what is wrong with this machine; each problem comes with its fix. Definitions that only code can tell are loaded, from installed packages and what you trust.
--load     also runs the code of every tool, to see whether it can be loaded and is what its manifest says
${FROZEN_HELP}
Exit code 4 when there is no project, or when a package or tool cannot be used, or when what is configured refuses calls.`,
  options: { load: { type: "boolean" }, ...FROZEN_OPTION },
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json, flags }) {
    const diagnosis = await diagnose({ cwd, load: flags["load"] === true, frozen: isFrozen(flags) }, io);
    if (json) printJson(io.stdout, diagnosis);
    else printLine(io.stdout, formatDiagnosis(diagnosis, io.columns));
    return diagnosis.ok ? EXIT.ok : EXIT.configuration;
  },
};
