import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printLine } from "../output/print.ts";
import { sayLeftOut } from "../output/say-left-out.ts";
import { discoverProject } from "./discover-project.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { selectTools } from "./select-tools.ts";
import { CALLER_HELP, CALLER_OPTION } from "./caller/caller-option.ts";
import { sayHidden } from "./caller/say-hidden.ts";
import { TOOLSET_HELP, TOOLSET_OPTION } from "./toolset-option.ts";

/** `aiw prompt` */
export const prompt: Command = {
  name: "prompt",
  summary: "The prompt's text on every tool",
  help: `Usage: aiw prompt [--toolset NAME] [--principal ID] [--role NAME] [--frozen] [--json] [--cwd DIR]

Prints the block on every tool that a system prompt may include; what is left out, and why, goes to stderr.
${TOOLSET_HELP}
${CALLER_HELP}
${FROZEN_HELP}`,
  options: { ...TOOLSET_OPTION, ...CALLER_OPTION, ...FROZEN_OPTION },
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json, flags, lists }) {
    const registry = await discoverProject(io, { projectDir: cwd, frozen: isFrozen(flags) });
    const selection = await selectTools(registry, { flags, lists });
    await registry.load();
    const text = selection.tools.getAllAiPromptInstructions();
    if (json) printJson(io.stdout, { prompt: text });
    else printLine(io.stdout, text);
    sayLeftOut(registry.report, io);
    sayHidden(selection, { registry, io });
    return EXIT.ok;
  },
};
