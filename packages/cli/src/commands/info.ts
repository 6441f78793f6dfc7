import {
  definitionHash,
  describeParameters,
  type ParameterDescription,
  type ToolEntry,
  type ToolSpec,
} from "@aiw/core";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { toColumns } from "../output/columns.ts";
import { printJson, printLine } from "../output/print.ts";
import { sayEffectsInFull } from "../output/say-effects.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { discoverProject } from "./discover-project.ts";
import { CALLER_HELP, CALLER_OPTION } from "./caller/caller-option.ts";
import { FROZEN_HELP, FROZEN_OPTION, isFrozen } from "./frozen-option.ts";
import { findTool, selectTools } from "./select-tools.ts";
import { TOOLSET_HELP, TOOLSET_OPTION } from "./toolset-option.ts";

/** `aiw info NAME` */
export const info: Command = {
  name: "info",
  summary: "What one tool does, takes and may touch",
  help: `Usage: aiw info NAME [--toolset NAME] [--principal ID] [--role NAME] [--frozen] [--json] [--cwd DIR]

Shows one tool by its name or full id (package/tool).
${TOOLSET_HELP}
${CALLER_HELP}; exit code 3 for another tool
${FROZEN_HELP}`,
  options: { ...TOOLSET_OPTION, ...CALLER_OPTION, ...FROZEN_OPTION },
  positionals: { min: 1, max: 1 },
  async run({ io, cwd, json, positionals: [name = ""], ...given }) {
    const registry = await discoverProject(io, { projectDir: cwd, frozen: isFrozen(given.flags) });
    const selection = await selectTools(registry, given);
    const { tools } = selection;
    // What the manifest tells needs no code, neither this package's nor a stranger's.
    if (registry.getEntry(name)?.spec === undefined) await registry.load();
    const { spec } = findTool(name, { ...selection, io, registry, toolset: given.flags["toolset"] });
    const entry = tools.getEntry(name);
    const hash = await definitionHash(spec);
    if (json) printJson(io.stdout, { id: entry?.id, origin: entry?.origin, definitionHash: hash, spec });
    else printLine(io.stdout, toText(spec, { entry, hash, columns: io.columns }));
    return EXIT.ok;
  },
};

function toText(
  spec: ToolSpec,
  { entry, hash, columns }: { entry: ToolEntry | undefined; hash: string; columns: number | undefined },
): string {
  const { effects, permissions, category, tags, requiresApproval, timeoutMs } = spec.metadata;
  const facts = [
    ["id", entry?.id ?? spec.name],
    ["from", [entry?.origin.package ?? entry?.origin.source, entry?.origin.version].filter(Boolean).join(" ")],
    ["effects", sayEffectsInFull(effects)],
    ["permissions", permissions.join(", ") || "none"],
    ...(requiresApproval === true ? [["approval", "always asked for"]] : []),
    ...(category === undefined ? [] : [["category", category]]),
    ...(tags.length === 0 ? [] : [["tags", tags.join(", ")]]),
    ...(timeoutMs === undefined ? [] : [["time limit", `${timeoutMs / 1000} s`]]),
    ["definition", hash],
  ];
  const parameters = describeParameters(spec).map((parameter) => [
    `  ${parameter.path}`,
    parameter.type,
    parameter.required ? "required" : "optional",
    sayParameter(parameter),
  ]);
  return [
    spec.title === undefined ? spec.name : `${spec.name} (${spec.title})`,
    wrapLines(spec.description, columns),
    "",
    toColumns(facts, columns, { cut: false }),
    "",
    parameters.length === 0 ? "No parameters." : `Parameters:\n${toColumns(parameters, columns, { cut: false })}`,
  ].join("\n");
}

/** What it is for, and what may be given: `At most so many. (default 10, min 1, max 100)`. */
function sayParameter({ description = "", default: value, constraints }: ParameterDescription): string {
  const facts = [...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]), ...constraints].join(", ");
  return [description, facts === "" ? "" : `(${facts})`].filter(Boolean).join(" ");
}
