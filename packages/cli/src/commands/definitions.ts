import { DEFINITION_FORMATS, isDefinitionFormat } from "@aiw/core";
import { discoverTools } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printLine } from "../output/print.ts";
import { UsageError } from "../usage-error.ts";

/** `aiw definitions` */
export const definitions: Command = {
  name: "definitions",
  summary: "Definitions as a model gets them",
  help: `Usage: aiw definitions [--format FORMAT] [--json] [--cwd DIR]

Prints the definitions of all tools as a JSON array. FORMAT: openai (default), openrouter, mcp.
With --json an object that also has what was left out, and warnings.`,
  options: { format: { type: "string", default: "openai" } },
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json, flags: { format } }) {
    if (!isDefinitionFormat(format))
      throw new UsageError(`--format is one of ${DEFINITION_FORMATS.join(", ")}, not ${JSON.stringify(format)}.`);
    const registry = await discoverTools({ projectDir: cwd });
    await registry.load();
    const { definitions: list, omitted, warnings } = registry.compileDefinitions({ format });
    printJson(io.stdout, json ? { format, definitions: list, omitted, warnings } : list);
    if (!json)
      for (const { name, reason, fix } of omitted) printLine(io.stderr, `left out: ${name}: ${reason} Fix: ${fix}`);
    return EXIT.ok;
  },
};
