import { afterEach, describe, expect, it, vi } from "vitest";
import { packFiles } from "../../__fixtures__/pack-files.ts";
import { toolPackage, type PackageChange } from "../../__fixtures__/tool-package.ts";
import { checkPackage } from "./check-package.ts";
import type { CheckName } from "./checks.ts";
import { NO_CODE } from "./run-code.ts";
import type { CheckFinding, Scorecard } from "./scorecard.ts";

async function look(change: PackageChange): Promise<Scorecard> {
  await using folder = await toolPackage(change);
  const options = { dir: folder.cwd, environment: {}, strict: false, signal: new AbortController().signal };
  return await checkPackage(options, { pack: packFiles, runCode: () => Promise.resolve(NO_CODE) });
}

const packed = (files: Readonly<Record<string, string>>): PackageChange => ({
  packageJson: { files: ["index.js", "aiw-tools.json", ...Object.keys(files).map((file) => file.split("/")[0])] },
  files,
});
const withJson = (packageJson: object): PackageChange => ({ packageJson });
const depending = (range: string): PackageChange => withJson({ dependencies: { "@aiw/core": "^0.4.0", other: range } });
const described = (description: string): PackageChange => ({ spec: { description } });
const releasing = (text: string): PackageChange => ({ files: { ".github/workflows/release.yml": text } });
const taking = (properties: object, more: object = {}): PackageChange => ({
  spec: { instructions: undefined, inputSchema: { type: "object", additionalProperties: false, properties, ...more } },
});
const asData = (tool: object): PackageChange => ({
  spec: { type: "http", implementation: { url: "https://tickets.example/{number}" } },
  manifest: (manifest) => ({
    ...manifest,
    tools: (manifest["tools"] as { spec: object }[]).map(({ spec }) => ({ ...tool, spec })),
  }),
});
const BASE64 = "QUJD".repeat(40);
const PEM = (kind: string): string => `-----BEGIN ${kind}-----\n${BASE64}\n-----END ${kind}-----\n`;

type Case = readonly [what: string, change: PackageChange, check: CheckName, fix: string];

const WRONG: readonly Case[] = [
  ["a key in JSON", packed({ "a.json": JSON.stringify({ key: PEM("PRIVATE KEY") }) }), "tarball_secrets", '"!a.json"'],
  [
    "an encrypted key",
    packed({ "a.txt": PEM("RSA PRIVATE KEY").replace("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n") }),
    "tarball_secrets",
    '"!a.txt"',
  ],
  ["a key of PGP", packed({ "a.asc": PEM("PGP PRIVATE KEY BLOCK") }), "tarball_secrets", '"!a.asc"'],
  [
    "a key called .pem",
    packed({ "a.pem": `${PEM("CERTIFICATE")}${PEM("PRIVATE KEY")}` }),
    "tarball_secrets",
    '"!a.pem"',
  ],
  [
    "a token in what is always packed",
    { files: { "README.md": `find_ticket ghp_${"a".repeat(36)}` } },
    "tarball_secrets",
    "Take it out of the file",
  ],
  ["a fine-grained token", packed({ "a.txt": `github_pat_${"a".repeat(82)}` }), "tarball_secrets", '"!a.txt"'],
  ["tests in a folder", packed({ "test/a.js": "" }), "tarball_files", '"!**/test"'],
  ["tests called spec", packed({ "a.spec.js": "" }), "tarball_files", '"!**/*.spec.*"'],
  ["what npm takes for private", withJson({ private: "yes" }), "package_identity", 'Remove "private"'],
  ["the name of a module of Node", withJson({ name: "http" }), "package_identity", "@acme"],
  ["a folder as dependency", depending(".."), "dependency_ranges", "Write a range"],
  ["a folder at home", depending("~/other"), "dependency_ranges", "Write a range"],
  ["a folder of Windows", depending("C:\\other"), "dependency_ranges", "Write a range"],
  ["an archive", depending("other-1.0.0.tgz"), "dependency_ranges", "Write a range"],
  ["a host by scp", depending("git@github.com:acme/other.git"), "dependency_ranges", "Write a range"],
  ["another name in any version", depending("npm:@acme/other"), "dependency_ranges", "Write a range"],
  ["another hash of data", asData({ definitionHash: "sha256-x" }), "definition_hashes", "Take definitionHash out"],
  ["files that are all", withJson({ files: ["**/*"] }), "packed_files", '"dist"'],
  ["files that are the folder", withJson({ files: ["./"] }), "packed_files", '"dist"'],
  ["exports without ./", withJson({ exports: "index.js" }), "entry_points", '"./index.js"'],
  ["exports without an ending", withJson({ exports: "./index" }), "entry_points", "/exports"],
  ["imports that are not packed", withJson({ imports: { "#a": "./a.js" } }), "entry_points", "/imports/#a"],
  ["an empty license", { files: { LICENSE: "" } }, "license", "LICENSE"],
  [
    "a repository to fill in",
    withJson({ repository: "git+https://github.com/OWNER/NAME.git" }),
    "repository",
    "own owner",
  ],
  ["a tool's name within another word", { files: { "README.md": "prefind_tickets" } }, "readme", "README.md"],
  ["a release that is commented out", releasing("# npm publish, id-token: write"), "provenance", "id-token: write"],
  ["letters behind an accent", described("Finds a ti\u0441\u0301ket by its number."), "alphabets", "one alphabet"],
  ["a blank description", taking({ at: { type: "string", description: " " } }), "parameters", "Describe at"],
  [
    "parameters in definitions",
    taking(
      { at: { $ref: "#/$defs/place", description: "Where." } },
      { $defs: { place: { type: "object", properties: { row: { type: "integer" } } } } },
    ),
    "parameters",
    "Describe at.row",
  ],
  [
    "parameters in alternatives",
    taking({}, { anyOf: [{ properties: { a: { type: "string" } } }] }),
    "parameters",
    "Describe a",
  ],
];

const RIGHT: readonly (readonly [what: string, change: PackageChange, check: CheckName])[] = [
  ["certificates", packed({ "root.pem": PEM("CERTIFICATE") }), "tarball_secrets"],
  [
    "source maps with a root",
    packed({ "a.js.map": '{ "sourceRoot": "src", "sources": ["a.ts"] }', "src/a.ts": "" }),
    "tarball_files",
  ],
  ["imports of packages", withJson({ imports: { "#a": { node: "./index.js", default: "other" } } }), "entry_points"],
  [
    "several licenses",
    {
      files: { LICENSE: null, "LICENSE-MIT": "M", "LICENSE-APACHE": "A" },
      ...withJson({ files: ["*.js", "*.json", "LICENSE-*"] }),
    },
    "license",
  ],
  [
    "a license elsewhere",
    {
      ...packed({ "terms.txt": "T" }),
      packageJson: { license: "SEE LICENSE IN terms.txt", files: ["index.js", "aiw-tools.json", "terms.txt"] },
    },
    "license",
  ],
  ["an identity in quotes", releasing('permissions: { "id-token": "write" }\nrun: npm publish'), "provenance"],
  ["every permission", releasing("permissions: write-all\nrun: npm publish --provenance"), "provenance"],
  ["a short sentence of signs", described("按编号查找工单"), "descriptions"],
  ["tools that are data, whose hash nobody wrote", asData({}), "definition_hashes"],
  ["another name in a range", depending("npm:@acme/other@^1.2.0"), "dependency_ranges"],
];

function findingsOf(card: Scorecard, name: CheckName): readonly CheckFinding[] {
  return card.checks.find((check) => check.name === name)?.findings ?? [];
}

afterEach(() => vi.unstubAllEnvs());

describe("checkPackage, of what is easily missed", () => {
  it.each(WRONG)("finds %s", async (_what, change, check, fix) => {
    const said = findingsOf(await look(change), check).map((finding) => `${finding.fix} ${finding.pointer}`);
    expect(said.join("\n")).toContain(fix);
  });

  it("says what to do where there is no folder for temporary files", async () => {
    await using folder = await toolPackage();
    for (const name of ["TMPDIR", "TMP", "TEMP"]) vi.stubEnv(name, folder.path("not/there"));
    const options = { dir: folder.cwd, environment: {}, strict: false, signal: new AbortController().signal };
    await expect(checkPackage(options)).rejects.toMatchObject({
      code: "config_invalid",
      fix: expect.stringContaining("TMPDIR") as string,
    });
  });

  it("looks for nothing wrong in the code of tools that are data", async () => {
    const { checks } = await look(asData({}));
    const results = checks.filter(({ name }) => name.startsWith("import") || name === "manifest_fresh");
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(["pass"]));
  });

  it.each(RIGHT)("passes %s", async (_what, change, check) => {
    expect(findingsOf(await look(change), check)).toEqual([]);
  });
});
