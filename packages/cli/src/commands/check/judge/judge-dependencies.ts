import { readFileSync } from "node:fs";
import * as path from "node:path";
import gte from "semver/functions/gte.js";
import satisfies from "semver/functions/satisfies.js";
import valid from "semver/functions/valid.js";
import intersects from "semver/ranges/intersects.js";
import minVersion from "semver/ranges/min-version.js";
import validRange from "semver/ranges/valid.js";
import { findFolder, PACKAGE_NAME } from "../pack/install-package.ts";
import type { CheckFinding } from "../scorecard.ts";
import type { CheckSubject } from "../subject.ts";
import { fail, membersOf, quote, warn } from "./finding.ts";

const FILE = "package.json";
const CORE = "@aiw/core";
const CORE_POINTER = "/dependencies/@aiw~1core";

/** What a published @aiw/core runs on, where the author's copy does not say. */
const NODE_FLOOR = ">=22.19";

/** Ranges that lead to the author's own disk or workspace. */
const LOCAL =
  /^(?:workspace|catalog|file|link|portal|patch):|^(?:\.{1,2}|~)$|^(?:\.{0,2}|~)[/\\]|^[a-z]:[/\\]|^(?![a-z+]+:)[^#]*\.(?:tgz|tar\.gz|tar)$/i;
const REMOTE = /^(?:git(?:\+\w+)?|https?|ssh|github|gitlab|bitbucket|gist):|^[\w.-]+@[\w.-]+:|^[\w.-]+\/[\w.-]+(?:#|$)/;

/** `@aiw/core` is an ordinary dependency in a range that the package was built against and that may grow. */
export function judgeCore(subject: CheckSubject): CheckFinding[] {
  const { packageJson } = subject.packed;
  const at = (field: string): unknown => new Map(membersOf(packageJson[field])).get(CORE);
  const { version = "1.0.0" } = readInstalled(subject, CORE);
  const write = `Write "dependencies": { "${CORE}": "^${version}" }.`;
  const range = at("dependencies");
  const peer =
    at("peerDependencies") === undefined
      ? []
      : [
          fail({
            file: FILE,
            pointer: "/peerDependencies/@aiw~1core",
            reason: `${CORE} is a peer, which not every manager installs.`,
            fix: `Move it. ${write}`,
          }),
        ];
  if (range === undefined) {
    return peer.length > 0
      ? peer
      : [fail({ file: FILE, pointer: "/dependencies", reason: `${CORE} is no dependency.`, fix: write })];
  }
  return [...peer, ...judgeCoreRange(range, { version, isKnown: subject.dependencies.has(CORE), write })];
}

interface CoreFacts {
  readonly version: string;
  readonly isKnown: boolean;
  readonly write: string;
}

function judgeCoreRange(range: unknown, { version, isKnown, write }: CoreFacts): CheckFinding[] {
  const told = { file: FILE, pointer: CORE_POINTER, fix: write };
  if (typeof range !== "string" || validRange(range) === null)
    return [fail({ ...told, reason: `${quote(range)} is no range of versions.` })];
  if (validRange(range) === "*")
    return [fail({ ...told, reason: `${quote(range)} also takes versions that do not exist yet.` })];
  if (isKnown && !satisfies(version, range, { includePrerelease: true }))
    return [fail({ ...told, reason: `${quote(range)} does not take ${version}, which it was built with.` })];
  if (valid(range) !== null)
    return [warn({ ...told, reason: `${quote(range)} is one version alone; a fix would need a release of yours.` })];
  const isOpen = satisfies("99999.0.0", range);
  return isOpen ? [warn({ ...told, reason: `${quote(range)} takes every later major version.` })] : [];
}

/** Every dependency can be installed by somebody else, from a registry. */
export function judgeRanges({ packed: { packageJson } }: CheckSubject): CheckFinding[] {
  return ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((field) =>
    membersOf(packageJson[field]).flatMap(([name, range]) => {
      if (name === CORE && field === "dependencies") return [];
      const told = { file: FILE, pointer: `/${field}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` };
      const found = PACKAGE_NAME.test(name) ? judgeRange(quote(name), range) : [refuseName(quote(name))];
      return found.map((finding) => ({ ...finding, ...told }));
    }),
  );
}

function refuseName(name: string): CheckFinding {
  return fail({
    reason: `${name} is no name of a package.`,
    fix: "Write the name of a package, or take the entry out.",
  });
}

function judgeRange(name: string, range: unknown): CheckFinding[] {
  const write = `Write a range of versions, such as "^1.2.3", for ${name}.`;
  if (typeof range !== "string") return [fail({ reason: `The range of ${name} is ${quote(range)}.`, fix: write })];
  if (LOCAL.test(range))
    return [fail({ reason: `${name} leads to the author's own disk: ${quote(range)}.`, fix: write })];
  if (REMOTE.test(range)) return [warn({ reason: `${name} comes from no registry: ${quote(range)}.`, fix: write })];
  const [, alias] = /^npm:(?:@[^/@]+\/)?[^/@]+(?:@(.*))?$/.exec(range) ?? [];
  if (range.startsWith("npm:")) return judgeRange(name, alias ?? "*");
  if (validRange(range) === null) return [warn({ reason: `${name} follows a tag: ${quote(range)}.`, fix: write })];
  return validRange(range) === "*" ? [warn({ reason: `${name} takes any version.`, fix: write })] : [];
}

/** `engines.node` says which Node the package needs, and promises none that its core does not run on. */
export function judgeNode(subject: CheckSubject): CheckFinding[] {
  const range = new Map(membersOf(subject.packed.packageJson["engines"])).get("node");
  const floor = readInstalled(subject, CORE).node ?? NODE_FLOOR;
  const told = { file: FILE, pointer: "/engines/node", fix: `Write "engines": { "node": "${floor}" }.` };
  if (range === undefined) return [fail({ ...told, reason: "It does not say which Node it needs." })];
  if (typeof range !== "string" || validRange(range) === null)
    return [fail({ ...told, reason: `${quote(range)} is no range of versions.` })];
  if (!intersects(range, floor))
    return [fail({ ...told, reason: `${quote(range)} has no Node that ${CORE} runs on (${floor}).` })];
  const [own, least] = [minVersion(range), minVersion(floor)];
  const isBelow = own !== null && least !== null && !gte(own, least);
  return isBelow
    ? [warn({ ...told, reason: `${quote(range)} promises Node ${own.version}, and ${CORE} needs ${floor}.` })]
    : [];
}

interface Installed {
  readonly version?: string;
  readonly node?: string;
}

/** Its own copy, which may be there without being declared. */
function readInstalled({ dir }: CheckSubject, name: string): Installed {
  const folder = findFolder(name, dir);
  if (folder === undefined) return {};
  try {
    const { version, engines } = JSON.parse(readFileSync(path.join(folder, FILE), "utf8")) as Record<string, unknown>;
    const node = new Map(membersOf(engines)).get("node");
    return {
      ...(typeof version === "string" && valid(version) !== null && { version }),
      ...(typeof node === "string" && validRange(node) !== null && { node }),
    };
  } catch {
    return {};
  }
}
