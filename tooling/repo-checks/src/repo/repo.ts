import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The files of a repository as rules see them; paths are relative, with forward slashes. */
export interface Repo {
  /** Sorted; what git tracks or would track. */
  readonly files: readonly string[];
  /** The text of a file, or undefined when there is none. */
  read(file: string): string | undefined;
}

/** The folder of the root `package.json`. */
export const ROOT: string = path.resolve(import.meta.dirname, "../../../..");

/** Opens a checkout; ignored files do not exist for it. */
export function openRepo(root: string = ROOT): Repo {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = [...new Set(listed.split("\0"))]
    .filter((file) => file !== "" && existsSync(path.join(root, file)))
    .sort();
  const texts = new Map<string, string>();
  const known = new Set(files);
  return {
    files,
    read(file) {
      if (!known.has(file)) return undefined;
      const text = texts.get(file) ?? readFileSync(path.join(root, file), "utf8");
      texts.set(file, text);
      return text;
    },
  };
}

/** A repository made of texts, for proving that a rule can fail. */
export function repoOf(texts: Readonly<Record<string, string>>): Repo {
  return { files: Object.keys(texts).sort(), read: (file) => texts[file] };
}
