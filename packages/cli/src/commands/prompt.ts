import { discoverTools } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printLine } from "../output/print.ts";

/** `aiw prompt` */
export const prompt: Command = {
  name: "prompt",
  summary: "The prompt's text on every tool",
  help: `Usage: aiw prompt [--json] [--cwd DIR]

Prints the block on every tool that a system prompt may include.`,
  options: {},
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json }) {
    const registry = await discoverTools({ projectDir: cwd });
    await registry.load();
    const text = registry.getAllAiPromptInstructions();
    if (json) printJson(io.stdout, { prompt: text });
    else printLine(io.stdout, text);
    return EXIT.ok;
  },
};
