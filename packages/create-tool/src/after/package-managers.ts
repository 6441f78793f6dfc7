import { PACKAGE_MANAGERS, type PackageManager } from "../answers/choices.ts";

/** How one package manager is spoken to. */
export interface ManagerCommands {
  readonly install: string;
  /** Adds a package of the registry to a project. */
  readonly add: string;
  /** Comes before the name of a script. */
  readonly run: string;
  /** Comes before the name of an installed command. */
  readonly exec: string;
  /** Brings the manager to a machine that has npm alone. */
  readonly setUp?: string;
  /** Installs exactly what the lock file says. */
  readonly installExactly: string;
}

/** Commands by package manager. */
export const MANAGERS: Readonly<Record<PackageManager, ManagerCommands>> = {
  npm: {
    install: "npm install",
    add: "npm install",
    run: "npm run",
    exec: "npx",
    installExactly: "npm ci",
  },
  pnpm: {
    install: "pnpm install",
    add: "pnpm add",
    run: "pnpm run",
    exec: "pnpm exec",
    setUp: "npm install --global pnpm@12",
    installExactly: "pnpm install --frozen-lockfile",
  },
  yarn: {
    install: "yarn install",
    add: "yarn add",
    run: "yarn run",
    exec: "yarn",
    setUp: "npm install --global @yarnpkg/cli-dist@4",
    installExactly: "yarn install --immutable",
  },
  bun: {
    install: "bun install",
    add: "bun add",
    run: "bun run",
    exec: "bunx",
    setUp: "npm install --global bun@1",
    installExactly: "bun install --frozen-lockfile",
  },
};

/** Finds who started this process, by what it says of itself; npm where nobody does. */
export function detectManager(environment: Readonly<Record<string, string | undefined>>): PackageManager {
  const agent = environment["npm_config_user_agent"] ?? "";
  return PACKAGE_MANAGERS.find((manager) => agent.startsWith(`${manager}/`)) ?? "npm";
}
