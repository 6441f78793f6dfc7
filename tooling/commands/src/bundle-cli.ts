import { readFileSync } from "node:fs";
import path from "node:path";
import { rolldown, type OutputChunk, type RolldownBuild } from "rolldown";
import { answerModules, takeBuiltinsAsValues } from "./bundle-plugins.ts";
import { ROOT } from "./run-command.ts";

const CLI = path.join(ROOT, "packages/cli");
const CORE = path.join(ROOT, "packages/core");
const ENTRY = path.join(CLI, "src/main.ts");
const EXECUTOR = path.join(ROOT, "packages/executor/src");
const ISOLATE = path.join(EXECUTOR, "isolate");
const MANIFEST = path.join(CLI, "src/commands/author/manifest");
const PROBE = path.join(CLI, "src/commands/check/probe");

/** What runs in processes of its own: beside the command, and found from there. */
const PROCESSES = {
  "isolated-process": {
    entry: path.join(ISOLATE, "child/isolated-process.ts"),
    finder: path.join(ISOLATE, "host/process-entry.ts"),
    name: "findProcessEntry",
  },
  "manifest-process": {
    entry: path.join(MANIFEST, "child/manifest-process.ts"),
    finder: path.join(MANIFEST, "manifest-entry.ts"),
    name: "findManifestEntry",
  },
  "check-process": {
    entry: path.join(PROBE, "check-process.ts"),
    finder: path.join(PROBE, "process-entry.ts"),
    name: "findCheckProcess",
  },
};

/** Bundles the command line with its own copy of our packages; foreign ones stay outside. Gives what is wrong with it. */
export async function bundleCli(): Promise<string[]> {
  const folder = path.join(CLI, "bundle");
  const { version, dependencies, peerDependencies } = readManifest(CLI);
  const build = await rolldown({
    input: { main: ENTRY, ...Object.fromEntries(Object.entries(PROCESSES).map(([name, { entry }]) => [name, entry])) },
    platform: "node",
    resolve: { conditionNames: ["aiw-source", "node", "import", "default"] },
    external: (id) =>
      /^[^./\0]/u.test(id) && !path.isAbsolute(id) && !/^(?:@aiw\/|@oxc-project\/runtime\/|node:)/u.test(id),
    preserveEntrySignatures: false,
    treeshake: { propertyReadSideEffects: false },
    transform: { target: "node22.19" },
    plugins: [takeBuiltinsAsValues(), answerModules(answerForModules(version))],
  });
  try {
    const atStart = await findStartModules(build);
    const { output } = await build.write({
      dir: folder,
      cleanDir: true,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      sourcemap: true,
      // Names stay, so that a stack trace tells something.
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      codeSplitting: {
        groups: [{ name: "start", test: (id) => atStart.has(id) }],
        includeDependenciesRecursively: false,
      },
    });
    return output.flatMap((file) =>
      file.type === "chunk" ? judgeChunk(file, { ...dependencies, ...peerDependencies }) : [],
    );
  } finally {
    await build.close();
  }
}

/** The bundled core has a version but no folder of its own. */
function answerForModules(version: string): Readonly<Record<string, string>> {
  const core = JSON.stringify(readManifest(CORE).version);
  return {
    [path.join(CLI, "src/version.ts")]: `export const readVersion = async () => ${JSON.stringify(version)};`,
    [path.join(CORE, "src/discover/core-version.ts")]:
      `export const readCoreVersion = () => ${core};\nexport const readRunningCore = () => undefined;`,
    [path.join(EXECUTOR, "own-doors.ts")]: toOwnDoors(),
    ...Object.fromEntries(
      Object.entries(PROCESSES).map(([file, { finder, name }]) => [
        finder,
        `import { fileURLToPath } from "node:url";\nexport const ${name} = () => fileURLToPath(new URL("./${file}.js", import.meta.url));`,
      ]),
    ),
  };
}

/** The command brings the extensions itself: what a configuration turns on is no code of the project it works in. */
function toOwnDoors(): string {
  const folder = path.join(ROOT, "packages/extensions");
  const doors = Object.keys(readManifest(folder).exports ?? {}).filter((key) => key !== "./package.json");
  const entries = doors.map((key) => {
    const file = path.join(folder, `src/${key.slice(2)}.ts`);
    // Source maps tell this text to everyone: it must not name a folder of the machine that builds.
    const specifier = path.relative(EXECUTOR, file).replaceAll(path.sep, "/");
    return `${JSON.stringify(`@aiw/extensions/${key.slice(2)}`)}: () => import(${JSON.stringify(specifier)})`;
  });
  return `const DOORS = { ${entries.join(", ")} };\nexport const loadOwnDoor = async (specifier) => DOORS[specifier]?.();`;
}

/** What the entry loads at once, but for the entry itself: one file of it is quicker to load than many. */
async function findStartModules(build: RolldownBuild): Promise<ReadonlySet<string>> {
  const { output } = await build.generate({ format: "esm" });
  const chunks = output.filter((file) => file.type === "chunk");
  const queue = chunks.filter(({ isEntry, name }) => isEntry && name === "main");
  for (const chunk of queue) {
    queue.push(...chunks.filter((next) => chunk.imports.includes(next.fileName) && !queue.includes(next)));
  }
  return new Set(queue.flatMap(({ moduleIds }) => moduleIds).filter((id) => id !== ENTRY));
}

/** The files that are found from where the command is. */
const OWN_PLACE = new RegExp(
  `["'\`]\\./(?:${Object.keys(PROCESSES).join("|")})\\.js["'\`],\\s*import\\.meta\\.url`,
  "gu",
);

/** What cannot work once the file stands alone in an installed package. */
function judgeChunk({ fileName, code, imports, dynamicImports }: OutputChunk, dependencies: object): string[] {
  const complaints: string[] = [];
  if (/import\.meta\.(?:url|dirname|filename|resolve)/u.test(code.replaceAll(OWN_PLACE, ""))) {
    complaints.push(`${fileName} asks where it is (import.meta); let bundle-cli.ts answer for the module that does`);
  }
  for (const specifier of [...imports, ...dynamicImports]) {
    const name = /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0] ?? specifier;
    if (specifier.startsWith("node:") || (specifier.endsWith(".js") && !specifier.includes("/"))) continue;
    if (!Object.hasOwn(dependencies, name))
      complaints.push(`${fileName} imports ${specifier}: add ${name} to the dependencies of @aiw/cli`);
  }
  return complaints;
}

function readManifest(folder: string): {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
} {
  const text = readFileSync(path.join(folder, "package.json"), "utf8");
  return { dependencies: {}, ...(JSON.parse(text) as { readonly version: string }) };
}
