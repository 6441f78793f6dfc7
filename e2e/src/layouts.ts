import { join } from "node:path";
import type { RegistryAddress } from "./local-registry.ts";
import type { Managers } from "./managers.ts";

/** One way a package manager lays a project's packages out on disk. */
export interface Layout {
  readonly name: string;
  readonly manager: keyof Managers;
  /** The project is a member of a workspace, and the linked package is another. */
  readonly isWorkspace: boolean;
  /** Packages are in archives, which only programs that the manager starts can read. */
  readonly isZipped: boolean;
  /** What stands for the linked package's version. */
  readonly linked: string;
  /** Arguments of the manager. */
  readonly install: readonly string[];
  /** Files beside the outermost package.json, which say where packages come from and how they are laid out. */
  settings(registry: RegistryAddress, caches: string): Readonly<Record<string, string>>;
}

const FOLDER = "../linked/fx-linked";
const BESIDE = { isWorkspace: false, isZipped: false } as const;

const NPM = {
  manager: "npm",
  install: ["install", "--ignore-scripts", "--no-audit", "--no-fund"],
  settings: ({ npmrc }: RegistryAddress) => ({ ".npmrc": npmrc }),
} as const;

const YARN = { manager: "yarn", install: ["install"] } as const;
const BUN = { manager: "bun", install: ["install", "--ignore-scripts"] } as const;

/** Every layout that a project may have. */
export const LAYOUTS: readonly Layout[] = [
  { ...BESIDE, ...NPM, name: "npm", linked: `file:${FOLDER}` },
  { ...BESIDE, ...NPM, name: "npm workspace", isWorkspace: true, linked: "*" },
  { ...BESIDE, ...pnpm(), name: "pnpm", linked: `link:${FOLDER}` },
  { ...BESIDE, ...pnpm("packages/*"), name: "pnpm workspace", isWorkspace: true, linked: "workspace:*" },
  { ...BESIDE, ...YARN, ...yarn("node-modules"), name: "Yarn node_modules", linked: `portal:${FOLDER}` },
  { ...BESIDE, ...YARN, ...yarn("pnp"), name: "Yarn PnP", isZipped: true, linked: `portal:${FOLDER}` },
  { ...BESIDE, ...BUN, ...bun("hoisted"), name: "bun hoisted", linked: `file:${FOLDER}` },
  { ...BESIDE, ...BUN, ...bun("isolated"), name: "bun isolated", linked: `file:${FOLDER}` },
];

/** The layout of that name. */
export function layoutOf(name: string): Layout {
  const layout = LAYOUTS.find((one) => one.name === name);
  if (layout === undefined) throw new Error(`There is no layout ${name}.`);
  return layout;
}

function pnpm(...members: readonly string[]): Pick<Layout, "manager" | "install" | "settings"> {
  return {
    manager: "pnpm",
    install: ["install", "--ignore-scripts", "--no-frozen-lockfile"],
    settings: ({ npmrc }, caches) => ({
      ".npmrc": npmrc,
      // Packages published a moment ago are quarantined unless the age is nought.
      "pnpm-workspace.yaml": toYaml({
        packages: members,
        storeDir: join(caches, "pnpm-store"),
        cacheDir: join(caches, "pnpm"),
        minimumReleaseAge: 0,
        verifyDepsBeforeRun: false,
        updateNotifier: false,
        pmOnFail: "ignore",
      }),
    }),
  };
}

function yarn(nodeLinker: "node-modules" | "pnp"): Pick<Layout, "settings"> {
  return {
    settings: ({ url }) => ({
      ".yarnrc.yml": toYaml({
        nodeLinker,
        npmRegistryServer: url,
        unsafeHttpWhitelist: ["127.0.0.1"],
        npmPreapprovedPackages: ["*"],
        npmMinimalAgeGate: 0,
        enableScripts: false,
        enableImmutableInstalls: false,
        enableTelemetry: false,
        enableGlobalCache: true,
        enableProgressBars: false,
      }),
      // Without a lock file of its own, a project below another one belongs to that.
      "yarn.lock": "",
    }),
  };
}

function bun(linker: "hoisted" | "isolated"): Pick<Layout, "settings"> {
  return {
    settings: ({ url, npmrc }) => ({
      ".npmrc": npmrc,
      "bunfig.toml": `telemetry = false\n[install]\nregistry = ${JSON.stringify(url)}\nlinker = "${linker}"\nminimumReleaseAge = 0\n`,
    }),
  };
}

/** JSON is YAML. */
function toYaml(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("");
}
