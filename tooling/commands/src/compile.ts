import { forgetLostOutput, removeStaleOutput } from "./dist-folders.ts";
import { runTool } from "./run-command.ts";

forgetLostOutput();
const outcome = await runTool("tsc", ["-b"], { output: "inherit" });
removeStaleOutput();
process.exitCode = outcome.code;
