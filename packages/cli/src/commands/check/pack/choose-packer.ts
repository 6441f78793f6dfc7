import * as path from "node:path";
import type { ProjectLayout } from "@aiw/core/node";
import { findProgram, type Program } from "../../packages/manager/find-program.ts";
import type { JsonRecord } from "../subject.ts";

/** A program that packs, and its arguments. */
export interface Packer {
  readonly manager: Manager;
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
}

type Manager = ProjectLayout["manager"];

/** Why nothing packs. */
export interface NoPacker {
  readonly reason: string;
  readonly fix: string;
}

/** What decides who packs. */
export interface PackerWish {
  readonly manager: Manager;
  readonly packageJson: JsonRecord;
  /** Where the tarball goes; absolute, and there is nothing else. */
  readonly target: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What only the manager that wrote it can turn into a range. */
const OWN_PROTOCOL = /^(?:workspace|catalog|portal|patch):/;

/** Yarn has no way to pack without these. */
const YARN_RUNS = ["prepack", "postpack"];

/** Chooses the package's own manager; npm where that one is not needed, not there, or would run scripts. */
export async function choosePacker(wish: PackerWish): Promise<Packer | NoPacker> {
  const needsOwn = hasOwnProtocol(wish.packageJson);
  // A workspace packed under npm's name was installed by something else: npm has no such ranges.
  const manager = needsOwn && wish.manager === "npm" ? "pnpm" : wish.manager;
  const runsScripts = manager === "yarn" && hasScripts(wish.packageJson, YARN_RUNS);
  if (runsScripts && needsOwn) {
    return {
      reason: "yarn pack always runs prepack and postpack, and npm cannot read the ranges of this workspace.",
      fix: 'Build in a script of another name, such as "build", and remove "prepack" and "postpack".',
    };
  }
  const order: readonly Manager[] = needsOwn ? [manager] : runsScripts ? ["npm"] : [manager, "npm"];
  for (const name of order) {
    const program = await findProgram(name, wish.environment);
    if (program !== undefined) return toPacker({ manager: name, program, target: wish.target });
  }
  return {
    reason: `${manager} was not found, which has to pack this package.`,
    fix:
      manager === "npm" ? "Put npm on the PATH." : `Put ${manager} on the PATH, or run: npx ${manager} exec aiw check`,
  };
}

function hasOwnProtocol(packageJson: JsonRecord): boolean {
  return ["dependencies", "optionalDependencies", "peerDependencies"].some((field) =>
    Object.values(packageJson[field] ?? {}).some((range) => typeof range === "string" && OWN_PROTOCOL.test(range)),
  );
}

function hasScripts({ scripts }: JsonRecord, names: readonly string[]): boolean {
  return typeof scripts === "object" && scripts !== null && names.some((name) => Object.hasOwn(scripts, name));
}

interface FoundProgram {
  readonly manager: Manager;
  readonly program: Program;
  readonly target: string;
}

function toPacker({ manager, program, target }: FoundProgram): Packer {
  const own = {
    npm: ["pack", "--ignore-scripts", "--pack-destination", target, "--loglevel=error"],
    pnpm: ["pack", "--pack-destination", target, "--config.ignore-scripts=true"],
    yarn: ["pack", "--out", path.join(target, "package.tgz")],
    bun: ["pm", "pack", "--ignore-scripts", "--destination", target],
  }[manager];
  return { manager, file: program.file, args: [...program.args, ...own] };
}
