import { isRecord, type DeclaredTools } from "./declared-tools.ts";

/** What `import` of a package under Node takes. */
const CONDITIONS: ReadonlySet<string> = new Set(["node", "import", "module-sync", "default"]);

const DEFAULT_MODULE = "./dist/index.js";
const JAVASCRIPT = /\.[cm]?js$/;

/** Names the built module that has a package's tools: what it declares, else what it exports, else what most builds write. */
export function findBuiltModule(packageJson: Readonly<Record<string, unknown>>, declared: DeclaredTools): string {
  const candidates = [
    ...(declared.form === "module" ? [declared.module] : []),
    ...(declared.form === "map" && declared.modules.length === 1 ? declared.modules : []),
    readExports(packageJson["exports"]),
    readMain(packageJson["main"]),
  ];
  return candidates.find((path) => path !== undefined && JAVASCRIPT.test(path)) ?? DEFAULT_MODULE;
}

function readExports(exports: unknown): string | undefined {
  const hasPaths = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  return resolveTarget(hasPaths ? exports["."] : exports);
}

/** Conditions count in the order they are written, as Node takes them. */
function resolveTarget(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  const inner = Array.isArray(target)
    ? target
    : isRecord(target)
      ? Object.entries(target).flatMap(([key, value]) => (CONDITIONS.has(key) ? [value] : []))
      : [];
  for (const one of inner) {
    const found = resolveTarget(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `main` may be written without `./`. */
function readMain(main: unknown): string | undefined {
  if (typeof main !== "string" || main === "") return undefined;
  return main.startsWith("./") ? main : `./${main}`;
}
