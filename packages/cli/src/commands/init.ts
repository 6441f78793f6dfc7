import { lstat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { AiwError } from "@aiw/core";
import { inspectLayout, type ProjectLayout } from "@aiw/core/node";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { oneLine } from "../output/one-line.ts";
import { printAnswer, printTalk } from "../output/print-prose.ts";
import { printJson } from "../output/print.ts";
import { discoverProject } from "./discover-project.ts";

const FILE = "aiw.config.json";
const SCHEMA = join("node_modules", "@aiw", "core", "aiw.config.schema.json");

/** What a new project says: nothing is widened, and one toolset shows how to narrow. */
const CONTENT = {
  tools: { disabled: [] },
  toolsets: { readonly: { effects: { readOnly: true } } },
  policy: { rules: [] },
};

/** `aiw init` */
export const init: Command = {
  name: "init",
  summary: "Writes a configuration file to start from",
  help: `Usage: aiw init [--json] [--cwd DIR]

Writes ${FILE} beside the project's package.json. What is there already, links included, is never changed: exit 1.`,
  options: {},
  positionals: { min: 0, max: 0 },
  async run({ io, cwd, json }) {
    const layout = await inspectLayout(cwd, { environment: io.environment });
    const dir = requireProject(layout, cwd);
    const file = join(dir, FILE);
    const isPnp = layout.pnpActive || layout.layout.endsWith("-pnp");
    const schema = isPnp ? undefined : await findSchema(dir);
    if (!(await write(file, { ...(schema && { $schema: schema }), ...CONTENT }))) {
      if (json) printJson(io.stdout, { file, created: false, schema: null });
      printTalk(io, `${oneLine(file)} is there already; nothing was changed. What it does: aiw doctor`);
      return EXIT.failed;
    }
    if (json) {
      printJson(io.stdout, { file, created: true, schema: schema ?? null });
      return EXIT.ok;
    }
    const packages = await countPackages(io, dir);
    const steps = nextSteps({ manager: layout.manager, packages, schema, isPnp });
    printAnswer(io, [`Wrote ${oneLine(file)}.`, ...steps].join("\n"));
    return EXIT.ok;
  },
};

function requireProject({ projectDir }: ProjectLayout, cwd: string): string {
  if (projectDir !== undefined) return projectDir;
  throw new AiwError("project_required", `There is no project in ${oneLine(cwd)} or above it.`, {
    fix: "Make one: npm init -y",
  });
}

/** Where editors find the schema, from the project; absent where no folder that a person would write leads to it. */
async function findSchema(projectDir: string): Promise<string | undefined> {
  for (let at = projectDir; ; at = dirname(at)) {
    const file = join(at, SCHEMA);
    if (await isThere(file)) {
      const path = relative(projectDir, file).split(sep).join("/");
      return path.startsWith("../") ? path : `./${path}`;
    }
    if (dirname(at) === at) return undefined;
  }
}

/** False for what is there already: a link counts, whatever it leads to. */
async function write(file: string, content: object): Promise<boolean> {
  try {
    await writeFile(file, `${JSON.stringify(content, undefined, 2)}\n`, { flag: "wx" });
    return true;
  } catch (cause) {
    if (await isThere(file)) return false;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AiwError("config_invalid", `${oneLine(file)} cannot be written: ${why}.`, {
      fix: "Make the folder writable.",
      cause,
    });
  }
}

function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Undefined where they cannot be looked for, which is no reason to write no file. */
async function countPackages(io: CliIo, projectDir: string): Promise<number | undefined> {
  try {
    return (await discoverProject(io, { projectDir })).report.found.length;
  } catch {
    return undefined;
  }
}

interface Outcome {
  readonly manager: ProjectLayout["manager"];
  readonly packages: number | undefined;
  readonly schema: string | undefined;
  /** Packages are in archives, where no editor reads a schema. */
  readonly isPnp: boolean;
}

function nextSteps({ manager, packages, schema, isPnp }: Outcome): string[] {
  const add = `${manager} ${manager === "npm" ? "install" : "add"}`;
  const aiw = isPnp ? `${manager} aiw` : "aiw";
  const dev = manager === "npm" || manager === "pnpm" ? "--save-dev" : "--dev";
  return [
    packages === 0
      ? `No tool package is installed yet: ${add} @aiw/plugin-filesystem`
      : `Its tools: ${aiw} list, and those that only read: ${aiw} list --toolset readonly`,
    ...(schema === undefined && !isPnp
      ? [
          `Editors learn the keys once @aiw/core is a dependency: ${add} ${dev} @aiw/core, then "$schema": "./${SCHEMA.split(sep).join("/")}".`,
        ]
      : []),
    `What it takes away holds at once; what it gives (allow rules, options, folders) once you ran: ${aiw} trust`,
  ];
}
