import { DEFINITION_FORMATS, isDefinitionFormat } from "@aiw/core";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printTalk } from "../output/print-prose.ts";
import { printJson } from "../output/print.ts";
import { sayLeftOut } from "../output/say-left-out.ts";
import { UsageError } from "../usage-error.ts";
import { discoverProject } from "./discover-project.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { selectTools } from "./select-tools.ts";
import { CALLER_HELP, CALLER_OPTION } from "./caller/caller-option.ts";
import { sayHidden } from "./caller/say-hidden.ts";
import { TOOLSET_HELP, TOOLSET_OPTION } from "./toolset-option.ts";

/** `aiw definitions` */
export const definitions: Command = {
  name: "definitions",
  summary: "Definitions as a model gets them",
  help: `Usage: aiw definitions [--format FORMAT] [--toolset NAME] [--principal ID] [--role NAME] [--frozen] [--json] [--cwd DIR]

Prints the definitions of all tools as a JSON array; what is left out, and why, goes to stderr.
--format   openai (default), openrouter, mcp
${TOOLSET_HELP}
${CALLER_HELP}
${FROZEN_HELP}
--json     an object that also has what cannot be expressed, and warnings`,
  options: { format: { type: "string", default: "openai" }, ...TOOLSET_OPTION, ...CALLER_OPTION, ...FROZEN_OPTION },
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json, flags, lists }) {
    const { format } = flags;
    if (!isDefinitionFormat(format))
      throw new UsageError(`--format is one of ${DEFINITION_FORMATS.join(", ")}, not ${JSON.stringify(format)}.`);
    const registry = await discoverProject(io, { projectDir: cwd, frozen: isFrozen(flags) });
    const selection = await selectTools(registry, { flags, lists });
    await registry.load();
    const { definitions: list, omitted, warnings } = selection.tools.compileDefinitions({ format });
    printJson(io.stdout, json ? { format, definitions: list, omitted, warnings } : list);
    sayLeftOut(registry.report, io);
    sayHidden(selection, { registry, io });
    if (!json) for (const { name, reason, fix } of omitted) printTalk(io, `left out: ${name}: ${reason} Fix: ${fix}`);
    return EXIT.ok;
  },
};
