import * as path from "node:path";

/** Says which files change with an install alone: those of installed packages. */
export class CacheScope {
  readonly #projectDir: string;

  constructor(projectDir: string) {
    this.#projectDir = projectDir;
  }

  /** True for a path inside an installed package; the project's own files are not, wherever the project lies. */
  covers(file: string): boolean {
    const own = this.#projectDir + path.sep;
    const segments = (file.startsWith(own) ? file.slice(own.length) : file).split(path.sep);
    const at = segments.lastIndexOf("node_modules");
    if (at < 0 || file === this.#projectDir) return false;
    const [name = "", inner = ""] = segments.slice(at + 1);
    return name !== "" && !name.startsWith(".") && (!name.startsWith("@") || inner !== "");
  }

  /** True for a place that an installed package can really have: a folder inside some `node_modules`, written in full. */
  admits(real: string): boolean {
    return path.isAbsolute(real) && path.normalize(real) === real && this.covers(real);
  }
}
