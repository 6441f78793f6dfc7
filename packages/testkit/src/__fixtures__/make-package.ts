import * as path from "node:path";
import { temporaryWorkspace, type TemporaryWorkspace } from "../workspace/temporary-workspace.ts";

const TESTKIT = path.join(import.meta.dirname, "../..");

/** What of a made package is other than it should be. */
export interface MadePackage {
  /** Laid over the spec that the manifest lists. */
  readonly listed?: object;
  /** Laid over package.json. */
  readonly packageJson?: object;
  /** The code of the tool. */
  readonly execute?: string;
  readonly manifest?: string;
}

const SPEC = {
  name: "greet",
  description: "Greets somebody.",
  type: "function",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", description: "Whom to greet." } },
    required: ["name"],
    additionalProperties: false,
  },
  instructions: { examples: [{ when: "greet Ada", input: { name: "Ada" } }] },
  metadata: {
    tags: [],
    permissions: [],
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  },
};

const TEST = `import { testToolPackage } from "@aiw/testkit";
await testToolPackage({ packageDir: new URL(".", import.meta.url) });
`;

const VITEST_CONFIG = `const conditions = ["aiw-source", "module", "node", "development|production"];
export default { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ["*.test.js"] } };
`;

/** Makes a plain JavaScript package of one tool, built, with a test of one line; what it needs is linked. */
export async function makePackage(made: MadePackage = {}): Promise<TemporaryWorkspace> {
  const { listed = {}, packageJson = {}, execute = '({ name }) => "Hello, " + name' } = made;
  const owner = { name: "@acme/greetings", version: "1.0.0" };
  const manifest = {
    manifestVersion: 1,
    package: owner,
    generatedBy: "a test",
    tools: [{ module: "./index.js", export: "greet", spec: { ...SPEC, ...listed } }],
  };
  return await temporaryWorkspace({
    "package.json": JSON.stringify({
      ...owner,
      type: "module",
      files: ["index.js", "aiw-tools.json"],
      engines: { node: ">=22.19" },
      dependencies: { "@aiw/core": "*" },
      aiwhisperer: { apiVersion: 1, tools: "./aiw-tools.json" },
      ...packageJson,
    }),
    "aiw-tools.json": made.manifest ?? JSON.stringify(manifest),
    "index.js": `const freeze = (value) => (Object.values(value).forEach((member) => typeof member === "object" && freeze(member)), Object.freeze(value));
export const greet = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: freeze(${JSON.stringify(SPEC)}), execute: ${execute} };
`,
    "contract.test.js": TEST,
    "vitest.config.mjs": VITEST_CONFIG,
    "node_modules/@aiw/testkit": { link: TESTKIT },
    "node_modules/@aiw/core": { link: path.join(TESTKIT, "../core") },
    "node_modules/vitest": { link: path.join(TESTKIT, "node_modules/vitest") },
  });
}
