/** A path as a declaration may write it, or what is wrong with it. */
export type PackagePath =
  | { readonly path: string; readonly problem?: undefined }
  | { readonly problem: "escapes" | "malformed"; readonly reason: string };

/** A module of a package and the export to take. */
export type PackageEntry =
  | { readonly module: string; readonly export: string; readonly problem?: undefined }
  | Extract<PackagePath, { readonly problem: string }>;

/** What nearly everybody writes; the classes of the whole grammar cost milliseconds to prepare. */
const PLAIN_IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const PLAIN_PATH = /^\.(?:\/[\w@+-][\w@+.-]*)+$/;
const MODULE_EXTENSIONS = [".js", ".mjs", ".cjs"];

/** Reads a path `./segment/…`, literally: nothing is decoded, and no segment climbs. */
export function parsePackagePath(text: string, extensions: readonly string[]): PackagePath {
  return PLAIN_PATH.test(text) ? checkExtension(text, extensions) : parseUnusualPath(text, extensions);
}

function parseUnusualPath(text: string, extensions: readonly string[]): PackagePath {
  const segments = text.split("/");
  if (/^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|[/\\])/.test(text) || segments.includes("..") || text.includes("\\")) {
    return { problem: "escapes", reason: "leaves the package" };
  }
  if (!text.startsWith("./")) return { problem: "malformed", reason: 'must begin with "./"' };
  if (segments.slice(1).some((segment) => segment === "" || segment === "." || segment.includes("\0"))) {
    return { problem: "malformed", reason: "has an empty or illegal segment" };
  }
  return checkExtension(text, extensions);
}

function checkExtension(text: string, extensions: readonly string[]): PackagePath {
  for (const extension of extensions) {
    if (text.endsWith(extension) && !text.endsWith(`/${extension}`)) return { path: text };
  }
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
  return PLAIN_IDENTIFIER.test(name) || identifiers().test(name);
}

let identifier: RegExp | undefined;

/** Made when it is first needed: a literal would be read at every start. */
function identifiers(): RegExp {
  identifier ??= new RegExp(String.raw`^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$`, "u");
  return identifier;
}
