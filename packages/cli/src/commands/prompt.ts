import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printLine } from "../output/print.ts";
import { sayLeftOut } from "../output/say-left-out.ts";
import { discoverProject } from "./discover-project.ts";
import { selectTools } from "./select-tools.ts";
import { TOOLSET_HELP, TOOLSET_OPTION } from "./toolset-option.ts";

/** `aiw prompt` */
export const prompt: Command = {
  name: "prompt",
  summary: "The prompt's text on every tool",
  help: `Usage: aiw prompt [--toolset NAME] [--json] [--cwd DIR]

Prints the block on every tool that a system prompt may include; what is left out, and why, goes to stderr.
${TOOLSET_HELP}`,
  options: TOOLSET_OPTION,
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json, flags: { toolset } }) {
    const registry = await discoverProject(io, { projectDir: cwd });
    const tools = selectTools(registry, toolset);
    await registry.load();
    const text = tools.getAllAiPromptInstructions();
    if (json) printJson(io.stdout, { prompt: text });
    else printLine(io.stdout, text);
    sayLeftOut(registry.report, io);
    return EXIT.ok;
  },
};
