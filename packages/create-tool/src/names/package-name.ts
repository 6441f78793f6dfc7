import { builtinModules } from "node:module";

const GRAMMAR = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const MAX_LENGTH = 214;
const RESERVED: ReadonlySet<string> = new Set([...builtinModules, "node_modules", "favicon.ico"]);

/** Says what npm would not accept of a new package's name; undefined for a legal one. */
export function packageNameProblem(name: string): string | undefined {
  if (name === "") return "A package needs a name.";
  if (name.length > MAX_LENGTH) return `A package's name has at most ${MAX_LENGTH} characters.`;
  if (name !== name.toLowerCase()) return "A package's name has no capitals.";
  if (!GRAMMAR.test(name))
    return "A package's name has letters a-z, digits, `.`, `_` and `-`, begins with a letter or digit, and may follow a @scope/.";
  if (RESERVED.has(name)) return `${name} is a name of Node.js itself.`;
  return undefined;
}

/** Makes a legal name of a folder's, whatever it is called. */
export function toPackageName(folder: string): string {
  const plain = folder
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^[._-]+|[._-]+$/g, "");
  if (plain === "") return "my-tool";
  return RESERVED.has(plain) ? `${plain}-tool` : plain;
}

/** The folder that fits a package's name: its last part. */
export function toFolderName(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}
