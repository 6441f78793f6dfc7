import path from "node:path";
import type { Repo } from "./repo.ts";

/** The keys of a package.json that rules look at. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly repository?: { readonly directory?: string };
  readonly engines?: Readonly<Record<string, string>>;
  readonly publishConfig?: { readonly access?: string };
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** One package of the repository. */
export interface Workspace {
  /** Its folder, relative to the root. */
  readonly folder: string;
  /** Its package.json, relative to the root. */
  readonly file: string;
  readonly manifest: Manifest;
}

/** Folders whose children are packages, and packages on their own; `benchmarks` is installed apart and no part of the workspace. */
const PLACES = /^(?:(?:packages|plugins|apps|examples|tooling)\/[^/]+|e2e|docs)\/package\.json$/u;

/** Every package but the root, in order of folder. */
export function findWorkspaces(repo: Repo): Workspace[] {
  return repo.files
    .filter((file) => PLACES.test(file))
    .map((file) => ({
      folder: path.posix.dirname(file),
      file,
      manifest: JSON.parse(repo.read(file) ?? "{}") as Manifest,
    }));
}

/** The packages that are published. */
export function findPublished(repo: Repo): Workspace[] {
  return findWorkspaces(repo).filter(({ manifest }) => manifest.private !== true);
}

/** Whether a file is TypeScript that ships: no test, type test, or fixture. */
export function isSource(file: string): boolean {
  return file.endsWith(".ts") && !/\.test(?:-d)?\.ts$/u.test(file) && !file.includes("/__fixtures__/");
}
