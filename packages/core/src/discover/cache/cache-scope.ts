import * as path from "node:path";

const PACKAGES = `${path.sep}node_modules${path.sep}`;

/** Says which files change with an install alone: those of installed packages. */
export class CacheScope {
  readonly #projectDir: string;
  readonly #own: string;

  constructor(projectDir: string) {
    this.#projectDir = projectDir;
    this.#own = projectDir.endsWith(path.sep) ? projectDir : projectDir + path.sep;
  }

  /** True for a path inside an installed package; the project's own files are not, wherever the project lies. */
  covers(file: string): boolean {
    const at = file.lastIndexOf(PACKAGES);
    if (at < 0 || file === this.#projectDir) return false;
    if (file.startsWith(this.#own) && at < this.#own.length - 1) return false;
    const inside = file.slice(at + PACKAGES.length);
    if (!inside.startsWith("@")) return inside !== "" && !inside.startsWith(".") && !inside.startsWith(path.sep);
    const slash = inside.indexOf(path.sep);
    return slash > 1 && slash < inside.length - 1;
  }

  /** True for a place that an installed package can really have: a folder inside some `node_modules`, written in full. */
  admits(real: string): boolean {
    return path.isAbsolute(real) && path.normalize(real) === real && this.covers(real);
  }
}
