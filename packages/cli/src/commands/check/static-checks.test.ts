import { symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { packFiles } from "../../__fixtures__/pack-files.ts";
import { toolPackage, type PackageChange } from "../../__fixtures__/tool-package.ts";
import { checkPackage } from "./check-package.ts";
import type { CheckName } from "./checks.ts";
import { NO_CODE } from "./run-code.ts";
import type { CheckOutcome, Scorecard } from "./scorecard.ts";

/** Looks at a package without running its code. */
async function look(change: PackageChange): Promise<Scorecard> {
  await using folder = await toolPackage(change);
  return await lookAt(folder.cwd);
}

function lookAt(dir: string, pack = packFiles): Promise<Scorecard> {
  const options = { dir, environment: {}, strict: false, signal: new AbortController().signal };
  return checkPackage(options, { pack, runCode: () => Promise.resolve(NO_CODE) });
}

/** Names of the checks that neither pass nor were kept from looking. */
function listRed({ checks }: Scorecard): CheckName[] {
  return checks.filter(({ result }) => result === "fail" || result === "warn").map(({ name }) => name);
}

function expectFinding(card: Scorecard, name: CheckName, result: CheckOutcome): { said: string } {
  const check = card.checks.find((one) => one.name === name);
  expect(check).toMatchObject({ result });
  for (const { reason, fix } of check?.findings ?? []) {
    expect(reason).not.toBe("");
    expect(fix).not.toBe("");
  }
  return {
    said: (check?.findings ?? [])
      .map(({ reason, fix, pointer = "", code = "" }) => `${reason} ${fix} ${pointer} ${code}`)
      .join("\n"),
  };
}

type Case = readonly [what: string, change: PackageChange, check: CheckName, result: CheckOutcome, says: string];

const ANY = { type: "object", additionalProperties: false };
const RSA = `-----BEGIN RSA PRIVATE KEY-----\n${"A".repeat(120)}\n-----END RSA PRIVATE KEY-----`;
const extra = (name: string, text = "x"): PackageChange => ({
  packageJson: { files: ["index.js", "aiw-tools.json", name.split("/")[0]] },
  files: { [name]: text },
});
const described = (schema: object): PackageChange => ({
  spec: { instructions: undefined, inputSchema: { ...ANY, properties: { at: { description: "Where.", ...schema } } } },
});
const withEffects = (effects: object, permissions: readonly string[] = []): PackageChange => ({
  spec: {
    metadata: {
      tags: [],
      permissions,
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false, ...effects },
    },
  },
});
const UNSAFE = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

/** Definitions that refer to each other until nobody can write them out. */
const nested = Object.fromEntries(
  Array.from({ length: 14 }, (_, index) => {
    const next = index === 13 ? { type: "string" } : { $ref: `#/$defs/d${index + 1}` };
    return [`d${index}`, { type: "object", properties: { a: next, b: next } }];
  }),
);
const FOLDED = { ...ANY, $defs: nested, properties: { at: { $ref: "#/$defs/d0", description: "Where." } } };

const CASES: readonly Case[] = [
  ["an environment file", extra("config/.env"), "tarball_secrets", "fail", ".env"],
  ["a key inside a file", extra("data.txt", RSA), "tarball_secrets", "fail", "private key"],
  ["tests", extra("a.test.js"), "tarball_files", "warn", "a.test.js"],
  ["a lonely source map", extra("a.js.map", '{ "sources": ["../src/a.ts"] }'), "tarball_files", "warn", "a.js.map"],
  ["much", extra("big.bin", "x".repeat(6 * 1024 * 1024)), "tarball_size", "warn", "big.bin"],
  ["no name", { packageJson: { name: undefined } }, "package_identity", "fail", "@acme/aiw-tickets"],
  ["a declaration that is none", { packageJson: { aiwhisperer: 5 } }, "declaration", "fail", "declaration_invalid"],
  ["a private mark", { packageJson: { private: true } }, "package_identity", "fail", "private"],
  ["a version that is none", { packageJson: { version: "2.3" } }, "package_identity", "fail", "2.3"],
  ["no core", { packageJson: { dependencies: {} } }, "core_dependency", "fail", '"^0.4.2"'],
  [
    "core as a peer",
    { packageJson: { dependencies: undefined, peerDependencies: { "@aiw/core": "^0.4.0" } } },
    "core_dependency",
    "fail",
    "peer",
  ],
  ["any core", { packageJson: { dependencies: { "@aiw/core": "*" } } }, "core_dependency", "fail", "do not exist yet"],
  ["another core", { packageJson: { dependencies: { "@aiw/core": "^0.5.0" } } }, "core_dependency", "fail", "0.4.2"],
  [
    "the workspace's core",
    { packageJson: { dependencies: { "@aiw/core": "workspace:^" } } },
    "core_dependency",
    "fail",
    "no range",
  ],
  ["one core", { packageJson: { dependencies: { "@aiw/core": "0.4.2" } } }, "core_dependency", "warn", "one version"],
  [
    "later cores",
    { packageJson: { dependencies: { "@aiw/core": ">=0.4" } } },
    "core_dependency",
    "warn",
    "later major",
  ],
  [
    "a dependency on the author's disk",
    { packageJson: { dependencies: { "@aiw/core": "^0.4.0", other: "file:../other" } } },
    "dependency_ranges",
    "fail",
    "author's own disk",
  ],
  ["a reader that is not idempotent", withEffects({ idempotent: false }), "effects", "warn", "Set idempotent to true"],
  [
    "a dependency that is a path",
    { packageJson: { dependencies: { "@aiw/core": "^0.4.0", "../../evil": "^1.0.0" } } },
    "dependency_ranges",
    "fail",
    "no name of a package",
  ],
  [
    "a dependency of no registry",
    { packageJson: { dependencies: { "@aiw/core": "^0.4.0", other: "acme/other" } } },
    "dependency_ranges",
    "warn",
    "no registry",
  ],
  ["no Node", { packageJson: { engines: undefined } }, "node_range", "fail", ">=22.19"],
  ["an old Node", { packageJson: { engines: { node: ">=18" } } }, "node_range", "warn", "18.0.0"],
  ["only an old Node", { packageJson: { engines: { node: "^18.0.0" } } }, "node_range", "fail", "no Node"],
  [
    "a script at install",
    { packageJson: { scripts: { postinstall: "node x.js" } } },
    "install_scripts",
    "fail",
    "postinstall",
  ],
  ["an addon", extra("binding.gyp"), "install_scripts", "fail", "binding.gyp"],
  ["everything published", { packageJson: { files: undefined } }, "packed_files", "warn", "files"],
  [
    "an export that is not there",
    { packageJson: { exports: { ".": "./index.js", "./more": "./more.js" } } },
    "entry_points",
    "fail",
    "/exports/.~1more",
  ],
  ["no type", { packageJson: { type: undefined } }, "entry_points", "warn", "guess"],
  ["no license", { packageJson: { license: undefined } }, "license", "warn", "license"],
  ["no text of the license", { files: { LICENSE: null } }, "license", "warn", "LICENSE"],
  ["no repository", { packageJson: { repository: undefined } }, "repository", "warn", "git+https"],
  ["no README", { files: { "README.md": null } }, "readme", "warn", "README"],
  ["a README of other things", { files: { "README.md": "Hello." } }, "readme", "warn", "find_ticket"],
  ["no release", { files: { ".github/workflows/release.yml": null } }, "provenance", "warn", "id-token"],
  [
    "a release without an identity",
    { files: { ".github/workflows/release.yml": "run: npm publish" } },
    "provenance",
    "warn",
    "identity",
  ],
  [
    "tools that are a number",
    { packageJson: { aiwhisperer: { apiVersion: 9, tools: "./aiw-tools.json" } } },
    "declaration",
    "fail",
    "api_version_unsupported",
  ],
  [
    "a way out",
    { packageJson: { aiwhisperer: { tools: "../aiw-tools.json" } } },
    "declaration",
    "fail",
    "path_escapes_package",
  ],
  [
    "an entry map",
    { packageJson: { aiwhisperer: { tools: { find_ticket: "./index.js#findTicket" } } } },
    "static_form",
    "fail",
    "aiw build",
  ],
  ["a manifest that is not packed", { packageJson: { files: ["index.js"] } }, "manifest", "fail", "manifest_missing"],
  [
    "a newer manifest",
    { manifest: (manifest) => ({ ...manifest, manifestVersion: 9 }) },
    "manifest",
    "fail",
    "manifest_version_unsupported",
  ],
  [
    "another package's manifest",
    { manifest: (manifest) => ({ ...manifest, package: { name: "a", version: "1.0.0" } }) },
    "manifest",
    "fail",
    "manifest_stale",
  ],
  [
    "a module that is not packed",
    { packageJson: { files: ["aiw-tools.json"], exports: undefined } },
    "modules",
    "fail",
    "entry_missing",
  ],
  [
    "an edited definition",
    { manifest: edit((tool) => ({ ...tool, definitionHash: "sha256-x" })) },
    "definition_hashes",
    "fail",
    "aiw build",
  ],
  ["hidden text", { spec: { description: "Finds a ticket.\u200b And more." } }, "descriptions", "fail", "U+200B"],
  ["hidden text in an enum", described({ type: "string", enum: ["a\u202eb"] }), "descriptions", "fail", "U+202E"],
  ["a long description", { spec: { description: "x".repeat(1025) } }, "descriptions", "fail", "1024"],
  ["a description that says nothing", { spec: { description: "Finds." } }, "descriptions", "warn", "hardly more"],
  [
    "an alphabet in another",
    { spec: { description: "Finds a ti\u0441ket by its number." } },
    "alphabets",
    "warn",
    "Latin and Cyrillic",
  ],
  ["a parameter nobody describes", described({ description: undefined, type: "string" }), "parameters", "fail", "at"],
  [
    "an example that is refused",
    { spec: { instructions: { examples: [{ when: "look", input: { number: "7" } }] } } },
    "examples",
    "fail",
    "number",
  ],
  ["effects nobody declared", withEffects(UNSAFE), "effects", "warn", '"read"'],
  ["effects that contradict", withEffects({ destructive: true }), "effects", "fail", "readOnly"],
  ["permissions that contradict", withEffects({}, ["net"]), "effects", "warn", "openWorld"],
  ["a schema that is none", described({ type: "nothing" }), "schemas", "fail", "aiw build"],
  ["a keyword nobody knows", described({ type: "string", maximumLength: 5 }), "schemas", "warn", "maximumLength"],
  [
    "what a format has no room for",
    { spec: { instructions: undefined, inputSchema: FOLDED } },
    "formats",
    "fail",
    "openrouter cannot say it",
  ],
  [
    "what a model is not told in any format",
    {
      spec: {
        instructions: undefined,
        description: "x".repeat(1020),
        inputSchema: {
          ...ANY,
          anyOf: [{ required: ["at"] }],
          properties: { at: { type: "string", description: "Where." } },
        },
      },
    },
    "formats",
    "warn",
    "anyOf",
  ],
  [
    "a manifest too large for hosts",
    { manifest: (manifest) => ({ ...manifest, more: "x".repeat(9 * 1024 * 1024) }) },
    "manifest",
    "fail",
    "manifest_too_large",
  ],
  ["packed packages of others", extra("node_modules/a/index.js"), "tarball_files", "warn", "files of other packages"],
];

function edit(change: (tool: Record<string, unknown>) => unknown): NonNullable<PackageChange["manifest"]> {
  return (manifest) => ({ ...manifest, tools: (manifest["tools"] as Record<string, unknown>[]).flatMap(change) });
}

describe("checkPackage, before any code runs", () => {
  it("passes a package that is fit to publish", async () => {
    const card = await look({});
    expect(listRed(card)).toEqual([]);
    expect(card).toMatchObject({ ok: true, tools: ["find_ticket"], measures: { files: 5 } });
  });

  it.each(CASES)("finds %s", async (_what, change, check, result, says) => {
    const card = await look(change);
    expect(expectFinding(card, check, result).said).toContain(says);
    expect(card.ok).toBe(!card.checks.some((one) => one.result === "fail"));
  });

  it("tells who wrote a function where to describe its parameters: it has no input schema of its own", async () => {
    const inputSchema = { type: "object", properties: { a: { type: "string" }, rest: { type: "array", items: {} } } };
    const implementation = { compiled: true, parameters: ["a", "rest"], rest: true };
    const { said } = expectFinding(await look({ spec: { inputSchema, implementation } }), "parameters", "fail");
    expect(said).toContain("Write @param a - What it is. in the comment of the function");
    expect(said).toContain("and so for rest");
    expect(said).not.toContain("input schema");
  });

  it("tells the author what to mend, and not how a user would get rid of the package", async () => {
    const card = await look({ packageJson: { files: ["index.js"] } });
    const { said } = expectFinding(card, "manifest", "fail");
    expect(said).toContain("aiw build");
    expect(said).not.toMatch(/is not yours|npm (?:install|uninstall)/);
  });

  it.each<[string, PackageChange, string]>([
    ["illegal", { spec: { name: "find-ticket" } }, "tool_name_invalid"],
    ["long", { spec: { name: "x".repeat(65) } }, "tool_name_invalid"],
    ["in another case than the others", { spec: { name: "findTicket" } }, "find_ticket"],
    [
      "the same after folding",
      { manifest: edit((tool) => [tool, { ...tool, spec: { ...(tool["spec"] as object), name: "FIND_TICKET" } }]) },
      "tool_name_collision",
    ],
  ])("row 28: names that are %s fail the check", async (_what, change, says) => {
    expect(expectFinding(await look(change), "names", "fail").said).toContain(says);
  });

  it("finds links, which managers leave out or follow", async () => {
    await using folder = await toolPackage({ packageJson: { files: ["index.js", "aiw-tools.json", "link.js"] } });
    await symlink("/etc/hostname", folder.path("link.js"));
    const card = await lookAt(folder.cwd);
    expect(expectFinding(card, "tarball_paths", "fail").said).toContain('"package/link.js" is a link');
  });

  it("finds what is no tarball, and looks at nothing else", async () => {
    await using folder = await toolPackage();
    const tarball = folder.path("README.md");
    const card = await lookAt(folder.cwd, () => Promise.resolve({ tarball }));
    expect(expectFinding(card, "packs", "fail").said).toContain("cannot be unpacked");
    expect(card.totals).toEqual({ pass: 0, warn: 0, fail: 1, skipped: card.checks.length - 1 });
  });

  it("tells each broken rule of one package once, in its own check", async () => {
    const card = await look({ spec: { name: "find-ticket", description: "" }, packageJson: { engines: undefined } });
    expect(listRed(card)).toEqual(["node_range", "names", "descriptions"]);
  });
});
