import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import * as path from "node:path";
import valid from "semver/functions/valid.js";
import { PACKAGE_NAME } from "../pack/install-package.ts";
import type { CheckFinding } from "../scorecard.ts";
import type { CheckSubject } from "../subject.ts";
import { fail, membersOf, nameSome, quote, warn, when } from "./finding.ts";

const FILE = "package.json";
const AT_INSTALL = ["preinstall", "install", "postinstall"];
const MAX_NAME = 214;

/** A name and a version that registries take. */
export function judgeIdentity({ packed: { packageJson } }: CheckSubject): CheckFinding[] {
  const { name, version, private: isPrivate } = packageJson;
  const isName =
    typeof name === "string" &&
    PACKAGE_NAME.test(name) &&
    name === name.toLowerCase() &&
    name.length <= MAX_NAME &&
    !isBuiltin(name);
  return [
    ...when(
      !isName,
      fail({
        file: FILE,
        pointer: "/name",
        reason: `${quote(name)} is no name of a registry.`,
        fix: 'Write one such as "@acme/aiw-tickets".',
      }),
    ),
    ...when(
      !(typeof version === "string" && valid(version) === version),
      fail({
        file: FILE,
        pointer: "/version",
        reason: `${quote(version)} is no version.`,
        fix: 'Write one such as "1.0.0".',
      }),
    ),
    ...when(
      // As npm asks: "yes" is one, too.
      Boolean(isPrivate),
      fail({
        file: FILE,
        pointer: "/private",
        reason: "A private package cannot be published.",
        fix: 'Remove "private".',
      }),
    ),
  ];
}

/** Nothing runs on the machines of those who install the package. */
export function judgeInstallScripts({ packed }: CheckSubject): CheckFinding[] {
  const scripts = new Map(membersOf(packed.packageJson["scripts"]));
  const runs = AT_INSTALL.filter((name) => scripts.has(name));
  const addon = packed.files.some((file) => file.path === "binding.gyp") && !scripts.has("install");
  return [
    ...runs.map((name) =>
      fail({
        file: FILE,
        pointer: `/scripts/${name}`,
        reason: `"${name}" runs on every machine that installs the package, and most that use tools refuse it.`,
        fix: `Remove "${name}"; do its work when building, or at the first call.`,
      }),
    ),
    ...when(
      addon,
      fail({
        file: "binding.gyp",
        reason: "npm compiles a package with binding.gyp at install.",
        fix: 'Leave binding.gyp out of "files" and publish what was compiled.',
      }),
    ),
    ...when(
      scripts.has("prepare"),
      warn({
        file: FILE,
        pointer: "/scripts/prepare",
        reason: '"prepare" runs where the package is installed from its repository.',
        fix: 'Call it "prepack", which runs for the author alone.',
      }),
    ),
  ];
}

const EVERYTHING = /^(?:\.|\/)?\/?\*{0,2}(?:\/\*{0,2})?$/;

/** A list of what is published, so that nothing gets there by chance. */
export function judgePackedFiles({ packed: { packageJson } }: CheckSubject): CheckFinding[] {
  const { files } = packageJson;
  const isAll = Array.isArray(files) && files.some((one) => typeof one === "string" && EVERYTHING.test(one));
  if (Array.isArray(files) && !isAll) return [];
  const reason = `${isAll ? 'This "files" takes everything:' : 'Without "files"'} everything in the folder is published that no ignore file names.`;
  return [warn({ file: FILE, pointer: "/files", reason, fix: 'Write "files": ["dist", "aiw-tools.json"].' })];
}

/** `LICENSE`, `LICENSE-MIT`, `MIT-LICENSE.txt`, `LICENSES/MIT.txt`. */
const LICENSE_TEXT = /^(?:[\w.]+-)?(?:licen[cs]es?|copying|unlicen[cs]e)(?:[-.][\w.-]+)?(?:\/[^/]+)?$/i;

/** A license in package.json and its text. */
export function judgeLicense({ packed }: CheckSubject): CheckFinding[] {
  const { license } = packed.packageJson;
  const named = /^SEE LICENSE IN (.+)$/.exec(String(license))?.[1];
  const hasText = packed.files.some(
    (file) => file.bytes > 0 && (LICENSE_TEXT.test(file.path) || file.path === named?.replace(/^\.\//, "")),
  );
  return [
    ...when(
      !(typeof license === "string" && license.trim() !== ""),
      warn({
        file: FILE,
        pointer: "/license",
        reason: "Nobody may use a package without a license.",
        fix: 'Write "license": "MIT", or the one you chose.',
      }),
    ),
    ...when(
      !hasText,
      warn({
        reason: "The text of the license is not packed.",
        fix: "Write it to a file LICENSE beside package.json.",
      }),
    ),
  ];
}

/** `owner/name`, with a host before it or not, or a URL; not the one that stands in for yours. */
const REPOSITORY =
  /^(?!.*\bOWNER\/NAME\b)(?:(?:github|gitlab|bitbucket|gist):\S+|[\w.-]+\/[\w.-]+|\S+:\/\/\S+|[\w.-]+@[\w.-]+:\S+)$/;

/** Where the source is. */
export function judgeRepository({ packed: { packageJson } }: CheckSubject): CheckFinding[] {
  const { repository } = packageJson;
  const url: unknown = typeof repository === "string" ? repository : new Map(membersOf(repository)).get("url");
  if (typeof url === "string" && REPOSITORY.test(url)) return [];
  return [
    warn({
      file: FILE,
      pointer: "/repository",
      reason: "Nobody can see where the package comes from, and no provenance can be made of it.",
      fix: 'Write "repository": { "type": "git", "url": "git+https://github.com/OWNER/NAME.git" }, with your own owner and name.',
    }),
  ];
}

/** A README that names what people came for. */
export async function judgeReadme({ packed, manifest }: CheckSubject): Promise<CheckFinding[]> {
  const readme = packed.files.find((file) => /^readme(?:\.(?:md|markdown|txt))?$/i.test(file.path));
  if (readme === undefined)
    return [
      warn({
        reason: "No README is packed.",
        fix: "Write README.md: what the tools do, what they need, how to install them.",
      }),
    ];
  const text = await readFile(path.join(packed.dir, readme.path), "utf8");
  const words = new Set(text.match(/\w+/g));
  const unnamed = (manifest?.specs ?? []).map(({ name }) => name).filter((name) => !words.has(name));
  if (unnamed.length === 0) return [];
  const reason = `${readme.path} does not name ${nameSome(unnamed)}.`;
  return [warn({ file: readme.path, reason, fix: `Say in ${readme.path} what each tool does.` })];
}
