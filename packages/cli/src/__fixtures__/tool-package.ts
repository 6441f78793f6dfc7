import { definitionHash, type ToolSpec } from "@aiw/core";
import { temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";

/** What about a package is not as it should be; `null` leaves a file out, `undefined` a member. */
export interface PackageChange {
  readonly packageJson?: object;
  /** Of the definition, in the code and in the manifest. */
  readonly spec?: object;
  readonly manifest?: (manifest: Record<string, unknown>) => unknown;
  /** Stands before the tool in its module. */
  readonly code?: string;
  /** Stands behind it. */
  readonly end?: string;
  readonly files?: { readonly [path: string]: string | null };
}

const SPEC = {
  name: "find_ticket",
  type: "function",
  description: "Finds a ticket by its number.",
  inputSchema: {
    type: "object",
    properties: { number: { type: "integer", description: "The number of the ticket." } },
    required: ["number"],
    additionalProperties: false,
  },
  instructions: { examples: [{ when: "look at ticket 7", input: { number: 7 } }] },
  metadata: {
    tags: [],
    permissions: [],
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  },
};

const RELEASE = `on: { push: { tags: ["v*"] } }
permissions: { contents: read, id-token: write }
jobs: { publish: { runs-on: ubuntu-latest, steps: [{ run: npm publish --provenance --access public }] } }
`;

/** A tool package in plain JavaScript that is fit to publish, but for what is changed. */
export async function toolPackage(change: PackageChange = {}): Promise<TemporaryWorkspace> {
  const spec = { ...SPEC, ...change.spec } as ToolSpec;
  const packageJson = {
    name: "@acme/aiw-tickets",
    version: "2.3.0",
    description: "Tickets.",
    license: "MIT",
    repository: "github:acme/aiw-tickets",
    type: "module",
    files: ["index.js", "aiw-tools.json"],
    exports: "./index.js",
    dependencies: { "@aiw/core": "^0.4.0" },
    engines: { node: ">=22.19" },
    aiwhisperer: { apiVersion: 1, tools: "./aiw-tools.json" },
    ...change.packageJson,
  };
  const manifest = {
    manifestVersion: 1,
    package: { name: packageJson.name, version: packageJson.version },
    generatedBy: "@aiw/core 0.4.2",
    tools: [{ module: "./index.js", export: "findTicket", definitionHash: await definitionHash(spec), spec }],
  };
  const all = {
    "package.json": JSON.stringify(packageJson),
    "aiw-tools.json": `${JSON.stringify(change.manifest?.(manifest) ?? manifest, undefined, 2)}\n`,
    "index.js": `${change.code ?? ""}\nexport const findTicket = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(spec)}, execute: ({ number }) => "ticket " + number };\n${change.end ?? ""}\n`,
    "README.md": "# Tickets\n\n`find_ticket` finds a ticket.\n",
    LICENSE: "Anybody may.\n",
    ".github/workflows/release.yml": RELEASE,
    "node_modules/@aiw/core/package.json": '{ "name": "@aiw/core", "version": "0.4.2", "engines": { "node": ">=22.19" } }',
    ...change.files,
  };
  const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return temporaryWorkspace(Object.fromEntries(kept));
}
