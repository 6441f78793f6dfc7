/** A path as a declaration may write it, or what is wrong with it. */
export type PackagePath =
  | { readonly path: string; readonly problem?: undefined }
  | { readonly problem: "escapes" | "malformed"; readonly reason: string };

/** A module of a package and the export to take. */
export type PackageEntry =
  | { readonly module: string; readonly export: string; readonly problem?: undefined }
  | Extract<PackagePath, { readonly problem: string }>;

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const MODULE_EXTENSIONS = [".js", ".mjs", ".cjs"];

/** Reads a path `./segment/…`, literally: nothing is decoded, and no segment climbs. */
export function parsePackagePath(text: string, extensions: readonly string[]): PackagePath {
  const segments = text.split("/");
  if (/^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|[/\\])/.test(text) || segments.includes("..") || text.includes("\\")) {
    return { problem: "escapes", reason: "leaves the package" };
  }
  if (!text.startsWith("./")) return { problem: "malformed", reason: 'must begin with "./"' };
  if (segments.slice(1).some((segment) => segment === "" || segment === "." || segment.includes("\0"))) {
    return { problem: "malformed", reason: "has an empty or illegal segment" };
  }
  const file = segments.at(-1) ?? "";
  if (extensions.some((extension) => file.endsWith(extension) && file.length > extension.length)) return { path: text };
  return { problem: "malformed", reason: `must end in ${extensions.join(", ")}` };
}

/** Reads the path of a module; TypeScript only where Node would run it, outside of node_modules. */
export function parseModulePath(text: string, { linked }: { readonly linked: boolean }): PackagePath {
  return parsePackagePath(text, linked ? [...MODULE_EXTENSIONS, ".ts"] : MODULE_EXTENSIONS);
}

/** Reads `./module.js#export`; without `#` the export is `default`. */
export function parsePackageEntry(text: string, options: { readonly linked: boolean }): PackageEntry {
  const hash = text.lastIndexOf("#");
  const parsed = parseModulePath(hash < 0 ? text : text.slice(0, hash), options);
  if (parsed.problem !== undefined) return parsed;
  const name = hash < 0 ? "default" : text.slice(hash + 1);
  if (!isExportName(name)) return { problem: "malformed", reason: 'must name a JavaScript identifier after "#"' };
  return { module: parsed.path, export: name };
}

/** True for a name an export can have. */
export function isExportName(name: string): boolean {
  return IDENTIFIER.test(name);
}
