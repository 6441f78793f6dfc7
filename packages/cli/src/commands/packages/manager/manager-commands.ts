import type { ProjectLayout } from "@aiw/core/node";

/** The map of package.json that a package is kept in. */
export type DependencyField = "dependencies" | "devDependencies" | "optionalDependencies";

/** A package manager by how it is spoken to: Yarn's first generation is another program than the later ones. */
export type ManagerKind = ProjectLayout["manager"] | "yarn-classic";

/** What is added, and to what. */
export interface AddArguments {
  readonly specs: readonly string[];
  readonly field: DependencyField;
  /** The folder is the root of a workspace, which some managers want to be told. */
  readonly isWorkspaceRoot: boolean;
}

/** Where a tree is brought back from. */
export interface RestoreArguments {
  /** A lock file says which versions; without one they are chosen again. */
  readonly isLocked: boolean;
  readonly offline: boolean;
}

const FIELD_FLAGS: { readonly [kind in ManagerKind]: { readonly [field in DependencyField]: readonly string[] } } = {
  npm: { dependencies: [], devDependencies: ["--save-dev"], optionalDependencies: ["--save-optional"] },
  pnpm: { dependencies: [], devDependencies: ["--save-dev"], optionalDependencies: ["--save-optional"] },
  yarn: { dependencies: [], devDependencies: ["--dev"], optionalDependencies: ["--optional"] },
  "yarn-classic": { dependencies: [], devDependencies: ["--dev"], optionalDependencies: ["--optional"] },
  bun: { dependencies: [], devDependencies: ["--dev"], optionalDependencies: ["--optional"] },
};

const NPM_QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const CLASSIC_QUIET = ["--ignore-scripts", "--non-interactive", "--no-progress"];

/** Adds packages without running a script of anybody. */
export function toAddArguments(kind: ManagerKind, { specs, field, isWorkspaceRoot }: AddArguments): string[] {
  const flags = FIELD_FLAGS[kind][field];
  switch (kind) {
    case "npm":
      return ["install", ...flags, ...NPM_QUIET, "--", ...specs];
    case "pnpm":
      return ["add", ...flags, "--ignore-scripts", ...(isWorkspaceRoot ? ["--workspace-root"] : []), ...specs];
    case "yarn":
      return ["add", ...flags, "--mode=skip-build", ...specs];
    case "yarn-classic":
      return [
        "add",
        ...flags,
        ...CLASSIC_QUIET,
        ...(isWorkspaceRoot ? ["--ignore-workspace-root-check"] : []),
        ...specs,
      ];
    case "bun":
      // For minutes it takes for the latest version what it was told before.
      return ["add", ...flags, "--ignore-scripts", "--no-cache", ...specs];
  }
}

/** Removes packages without running a script of anybody. */
export function toRemoveArguments(kind: ManagerKind, names: readonly string[], isWorkspaceRoot: boolean): string[] {
  switch (kind) {
    case "npm":
      return ["uninstall", ...NPM_QUIET, "--", ...names];
    case "pnpm":
      // Its remove knows no flag for scripts; the environment forbids them.
      return ["remove", ...(isWorkspaceRoot ? ["--workspace-root"] : []), ...names];
    case "yarn":
      return ["remove", "--mode=skip-build", ...names];
    case "yarn-classic":
      return ["remove", ...CLASSIC_QUIET, ...(isWorkspaceRoot ? ["--ignore-workspace-root-check"] : []), ...names];
    case "bun":
      return ["remove", "--ignore-scripts", ...names];
  }
}

/**
 * Brings the tree back to what the files say. npm reconciles instead of `npm ci`, which would throw away what scripts built before
 * and run none again.
 */
export function toRestoreArguments(kind: ManagerKind, { isLocked, offline }: RestoreArguments): string[] {
  switch (kind) {
    case "npm":
      return ["install", ...NPM_QUIET, offline ? "--offline" : "--prefer-offline"];
    case "pnpm":
      return [
        "install",
        "--ignore-scripts",
        isLocked ? "--frozen-lockfile" : "--no-frozen-lockfile",
        // What the failed change left in the store of the project goes too.
        "--config.modules-cache-max-age=0",
        ...(offline ? ["--offline"] : []),
      ];
    case "yarn":
      return ["install", "--mode=skip-build", ...(isLocked ? ["--immutable"] : [])];
    case "yarn-classic":
      return [
        "install",
        ...CLASSIC_QUIET,
        ...(isLocked ? ["--frozen-lockfile"] : []),
        ...(offline ? ["--offline"] : []),
      ];
    case "bun":
      return ["install", "--ignore-scripts", ...(isLocked ? ["--frozen-lockfile"] : [])];
  }
}

/** Asks the registry, by the manager's own settings, what it knows of one version. */
export function toViewArguments(kind: ManagerKind, name: string, version: string): string[] {
  const spec = `${name}@${version}`;
  switch (kind) {
    case "npm":
      return ["view", "--json", "--loglevel=error", "--", spec];
    case "pnpm":
      return ["view", spec, "--json"];
    case "yarn":
      return ["npm", "info", spec, "--json"];
    case "yarn-classic":
      return ["info", spec, "--json"];
    case "bun":
      return ["pm", "view", spec, "--json"];
  }
}
