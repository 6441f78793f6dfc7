import { utimes } from "node:fs/promises";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";

/** A tool in plain JavaScript with the brand of its own, so that it needs no other package. */
export function toolText(
  name: string,
  { description = `Does ${name}.`, answer = `${name} ran` }: { readonly description?: string; readonly answer?: string } = {},
): string {
  const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
  const metadata = { tags: [], permissions: [], effects };
  const spec = { name, type: "function", description, inputSchema: { type: "object" }, metadata };
  return `export const ${name} = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(spec)}, execute: () => ${JSON.stringify(answer)} };\n`;
}

/** A package whose built module has one tool; `null` leaves a file out. */
export function authorPackage(
  packageJson: object = {},
  files: { readonly [path: string]: string | null } = {},
): Promise<TemporaryWorkspace> {
  const all = {
    "package.json": `${JSON.stringify(
      {
        name: "@acme/tickets",
        version: "1.2.3",
        type: "module",
        aiwhisperer: { apiVersion: 1, tools: "./aiw-tools.json" },
        ...packageJson,
      },
      undefined,
      2,
    )}\n`,
    "dist/index.js": toolText("find"),
    ...files,
  };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return temporaryWorkspace(Object.fromEntries(kept));
}

/** What stands in for the compiler: it says what `tools.json` and `remarks.json` of the package say. */
export const COMPILER_FILES: Readonly<Record<string, string>> = {
  "node_modules/@aiw/compiler/package.json": '{ "name": "@aiw/compiler", "version": "9.0.0", "exports": "./index.mjs" }',
  "node_modules/@aiw/compiler/index.mjs": `import { readFileSync } from "node:fs";
import path from "node:path";
export const createCompiler = ({ packageDir, source }) => ({ compile: () => {
  const read = (file) => JSON.parse(readFileSync(path.join(packageDir, file), "utf8"));
  const file = path.join(packageDir, source);
  return { tools: read("tools.json"), diagnostics: read("remarks.json").map((remark) => ({ file, line: 3, column: 7, ...remark })), files: [file] };
} });
export const formatDiagnostic = ({ file, line, column, message, fix }, { cwd }) => \`\${path.relative(cwd, file)}:\${line}:\${column} \${message} | \${fix}\`;
`,
};

/** A tool as the compiler gives it. */
export function compiledTool(name: string, exported: string): object {
  const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
  const inputSchema = { type: "object", properties: { text: { type: "string", description: "Some." } }, required: ["text"], additionalProperties: false };
  const metadata = { tags: [], permissions: [], effects };
  const implementation = { compiled: true, parameters: ["text"] };
  return { export: exported, spec: { name, type: "function", description: `Does ${name}.`, inputSchema, metadata, implementation } };
}

/** Makes files look as old or new as a build leaves them. */
export async function touch(workspace: TemporaryWorkspace, file: string, seconds: number): Promise<void> {
  const time = Date.now() / 1000 + seconds;
  await utimes(`${workspace.cwd}/${file}`, time, time);
}
