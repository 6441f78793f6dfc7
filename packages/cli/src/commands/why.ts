import { discoverTools } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printLine } from "../output/print.ts";
import { CALLER_OPTION } from "./caller/caller-option.ts";
import { discoverProject } from "./discover-project.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { readViewer, sayCaller } from "./caller/read-caller.ts";
import { explainOffer } from "./why/explain-offer.ts";
import { explainName } from "./why/explain-name.ts";
import { formatExplanation } from "./why/format-explanation.ts";

/** `aiw why NAME` */
export const why: Command = {
  name: "why",
  summary: "Why a tool or package is there, hidden or missing",
  help: `Usage: aiw why NAME [--principal ID] [--role NAME] [--frozen] [--json] [--cwd DIR]

Explains a tool's name, a full id (package/tool) or a package: what answers to it and by which rule, what it hides, or why
nothing answers. A package's code runs only where nothing else can tell. Exit code 1 when nothing answers.
--principal ID, --role NAME (repeatable)
           also whether extensions.auth of the configuration offers the tool to this caller, and by which rules; else exit code 3
${FROZEN_HELP}`,
  options: { ...CALLER_OPTION, ...FROZEN_OPTION },
  positionals: { min: 1, max: 1 },
  async run({ io, cwd, json, positionals: [name = ""], flags, lists }) {
    const viewer = readViewer({ flags, lists });
    const registry = await discoverProject(io, { projectDir: cwd, inventory: true, frozen: isFrozen(flags) });
    const isKnown = registry.report.found.some(({ id, tools }) => id === name && tools !== undefined);
    // A definition that only code can tell may turn out to be none.
    if (!isKnown && registry.getEntry(name)?.spec === undefined) await registry.load();
    const { AIWHISPERER_PLUGINS: _plugins, ...environment } = io.environment;
    const explained = await explainName(name, {
      registry,
      widened: () => discoverProject({ environment }, { projectDir: cwd, config: { tools: { enabled: ["*"] } } }),
      trusting: () =>
        discoverTools({ projectDir: cwd }, { environment: io.environment, trust: { isTrusted: () => true } }),
    });
    const entry = registry.getEntry(name);
    const offer = viewer && entry && (await explainOffer({ entry, viewer, registry }));
    const explanation = { ...explained, ...(offer && { offer }) };
    const caller = viewer === undefined ? "" : sayCaller(viewer);
    if (json) printJson(io.stdout, explanation);
    else printLine(io.stdout, formatExplanation(explanation, { width: io.columns, caller }));
    if (offer?.offered === false) return EXIT.refused;
    return explanation.state === "tool" || explanation.state === "package" ? EXIT.ok : EXIT.failed;
  },
};
