import { discoverTools } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, printLine } from "../output/print.ts";
import { discoverProject } from "./discover-project.ts";
import { explainName } from "./why/explain-name.ts";
import { formatExplanation } from "./why/format-explanation.ts";

/** `aiw why NAME` */
export const why: Command = {
  name: "why",
  summary: "Why a tool or package is there, hidden or missing",
  help: `Usage: aiw why NAME [--json] [--cwd DIR]

Explains a tool's name, a full id (package/tool) or a package: what answers to it and by which rule, what it hides, or why
nothing answers. A package's code runs only where nothing else can tell. Exit code 1 when nothing answers.`,
  options: {},
  positionals: { min: 1, max: 1 },
  async run({ io, cwd, json, positionals: [name = ""] }) {
    const registry = await discoverProject(io, { projectDir: cwd, inventory: true });
    const isKnown = registry.report.found.some(({ id, tools }) => id === name && tools !== undefined);
    // A definition that only code can tell may turn out to be none.
    if (!isKnown && registry.getEntry(name)?.spec === undefined) await registry.load();
    const { AIWHISPERER_PLUGINS: _plugins, ...environment } = io.environment;
    const explanation = await explainName(name, {
      registry,
      widened: () => discoverProject({ environment }, { projectDir: cwd, config: { tools: { enabled: ["*"] } } }),
      trusting: () =>
        discoverTools({ projectDir: cwd }, { environment: io.environment, trust: { isTrusted: () => true } }),
    });
    if (json) printJson(io.stdout, explanation);
    else printLine(io.stdout, formatExplanation(explanation, io.columns));
    return explanation.state === "tool" || explanation.state === "package" ? EXIT.ok : EXIT.failed;
  },
};
