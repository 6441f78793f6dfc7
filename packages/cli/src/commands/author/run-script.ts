import type { AuthorPackage } from "./read-author-package.ts";
import { isRecord } from "./declared-tools.ts";

/** True for a package that has a script of that name. */
export function hasScript({ packageJson: { scripts } }: AuthorPackage, name: string): boolean {
  return isRecord(scripts) && typeof scripts[name] === "string";
}

/** What the author runs to compile the package. */
export function buildCommand(author: AuthorPackage): string {
  if (hasScript(author, "build")) return "npm run build";
  return author.tsconfig === undefined ? "the command that writes it" : "npx tsc";
}
