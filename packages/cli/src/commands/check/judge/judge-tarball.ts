import { readFile } from "node:fs/promises";
import * as path from "node:path";
import type { CheckFinding } from "../scorecard.ts";
import type { CheckSubject, PackedFile, PackedPackage } from "../subject.ts";
import { fail, nameSome, quote, warn, when } from "./finding.ts";

const MEBIBYTE = 1024 * 1024;
const MAX_UNPACKED = 5 * MEBIBYTE;
const MAX_FILES = 1000;

/** Files whose names say that they are secrets; examples of them are none. */
const SECRET_NAME =
  /(?:^|\/)(?:\.env(?:\.(?!example$|sample$|template$|dist$)[^/]*)?|\.npmrc|\.netrc|\.git-credentials|\.pypirc|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|\.aws\/credentials|\.docker\/config\.json|credentials\.json|service-account[^/]*\.json)$/i;

/** What keys and tokens look like inside of files; patterns and prefixes alone do not fit. */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  // A key inside of JSON or code has its ends of lines written out; an encrypted one has lines about that first.
  [
    /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn]|[A-Z][\w-]+: ?[^\n\\]{1,100})+[A-Za-z0-9+/=\s\\]{100}/,
    "a private key",
  ],
  [/\bnpm_[A-Za-z0-9]{36}\b/, "an npm token"],
  [/\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{82})\b/, "a GitHub token"],
  [/\bAKIA[0-9A-Z]{16}\b/, "an AWS key"],
];

/** Certificates and public keys alone, which are for everybody. */
const PUBLIC_PEM = /^(?![^]*PRIVATE KEY)[^]*-----BEGIN (?:[A-Z0-9]+ )?(?:CERTIFICATE|PUBLIC KEY)-----/;

/** What no `files` leaves out. */
const ALWAYS_PACKED = /^(?:package\.json|(?:readme|licen[cs]e)[^/]*)$/i;

/** Bytes of a file in which secrets are looked for. */
const MAX_SCANNED = MEBIBYTE;

const TEST = /(?:^|\/)(?:__tests__|__fixtures__|__mocks__|tests?)\/|\.(?:test|spec)\.[cm]?[jt]sx?$/;

/** Everything in the tarball is an ordinary file below its own folder. */
export function judgePaths({ packed }: CheckSubject): CheckFinding[] {
  return packed.refused.slice(0, 20).map(({ path: file, reason }) =>
    fail({
      reason: `${quote(file)} ${reason}; it is not unpacked everywhere.`,
      fix: `Take ${quote(file)} out of the package.`,
    }),
  );
}

/** What everybody who installs the package loads. */
export function judgeSize({ packed: { files } }: CheckSubject): CheckFinding[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const largest = files
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 3)
    .map((file) => file.path);
  const fix = `Leave out what users do not need, in "files" of package.json; the largest: ${nameSome(largest)}.`;
  return [
    ...when(bytes > MAX_UNPACKED, warn({ reason: `It unpacks to ${(bytes / MEBIBYTE).toFixed(1)} MiB.`, fix })),
    ...when(files.length > MAX_FILES, warn({ reason: `It has ${files.length} files.`, fix })),
  ];
}

/** Files that nobody means to publish. */
export async function judgeSecrets({ packed }: CheckSubject): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  for (const file of packed.files) {
    const secret = await findSecret(packed, file);
    if (secret === undefined) continue;
    const fix = ALWAYS_PACKED.test(file.path)
      ? "Take it out of the file, which is always packed."
      : `Leave it out: "files" of package.json, or "!${file.path}" in it.`;
    findings.push(
      fail({
        file: file.path,
        reason: `${quote(file.path)} is or has ${secret}.`,
        fix: `${fix} What was published once has to be revoked.`,
      }),
    );
  }
  return findings.slice(0, 20);
}

async function findSecret({ dir }: PackedPackage, { path: file, bytes }: PackedFile): Promise<string | undefined> {
  const text = bytes > MAX_SCANNED ? "" : await readFile(path.join(dir, file), "latin1");
  const isNamed = SECRET_NAME.test(file) && !(file.endsWith(".pem") && PUBLIC_PEM.test(text));
  return isNamed ? "a file of secrets, by its name" : SECRET_TEXT.find(([pattern]) => pattern.test(text))?.[1];
}

/** Files that users have no use for. */
export async function judgeFiles({ packed }: CheckSubject): Promise<CheckFinding[]> {
  const paths = packed.files.map((file) => file.path);
  const tests = paths.filter((file) => TEST.test(file) && !file.includes("node_modules/"));
  const bundled = paths.filter((file) => /(?:^|\/)node_modules\//.test(file));
  const lonely = await findLonelyMaps(packed);
  return [
    ...when(
      tests.length > 0,
      warn({
        reason: `Tests are packed: ${nameSome(tests)}.`,
        fix: `Add ${listExclusions(tests)} to "files".`,
      }),
    ),
    ...when(
      bundled.length > 0,
      warn({
        reason: `${bundled.length} files of other packages are packed with it, where nobody audits or updates them.`,
        fix: 'Remove "bundleDependencies" and leave node_modules out of "files".',
      }),
    ),
    ...when(
      lonely.length > 0,
      warn({
        reason: `Source maps lead to sources that are not packed: ${nameSome(lonely)}.`,
        fix: 'Add the sources to "files", or leave the maps out: "!**/*.map".',
      }),
    ),
  ];
}

/** Patterns that leave out all of the tests that are packed. */
function listExclusions(tests: readonly string[]): string {
  const patterns = tests.map((file) => {
    const folder = /(?:^|\/)(__tests__|__fixtures__|__mocks__|tests?)\//.exec(file)?.[1];
    return folder === undefined ? `"!**/*.${/\.spec\.\w+$/.test(file) ? "spec" : "test"}.*"` : `"!**/${folder}"`;
  });
  return [...new Set(patterns)].toSorted().join(" and ");
}

async function findLonelyMaps({ dir, files }: PackedPackage): Promise<string[]> {
  const packed = new Set(files.map((file) => file.path));
  const lonely: string[] = [];
  for (const { path: file, bytes } of files) {
    if (!file.endsWith(".map") || bytes > 4 * MEBIBYTE) continue;
    const { sourceRoot, sources, sourcesContent } = await readMap(path.join(dir, file));
    const missing = sources.filter((source, index) => {
      const isWithin = packed.has(path.posix.join(path.posix.dirname(file), sourceRoot, source));
      return !isWithin && typeof sourcesContent[index] !== "string";
    });
    if (missing.length > 0) lonely.push(file);
  }
  return lonely;
}

interface SourceMap {
  readonly sourceRoot: string;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly unknown[];
}

/** One that is no map leads nowhere. */
async function readMap(file: string): Promise<SourceMap> {
  try {
    const { sourceRoot, sources, sourcesContent } = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
    return {
      sourceRoot: typeof sourceRoot === "string" ? sourceRoot : "",
      sources: Array.isArray(sources) ? sources.filter((source) => typeof source === "string") : [],
      sourcesContent: Array.isArray(sourcesContent) ? sourcesContent : [],
    };
  } catch {
    return { sourceRoot: "", sources: [], sourcesContent: [] };
  }
}
