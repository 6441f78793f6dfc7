/** A situation discovery must survive; tests that prove it are titled `row N: …`. */
export interface EdgeCase {
  readonly situation: string;
  /** The command that will prove the whole row, which does not exist yet. */
  readonly later?: string;
  /** The command that will prove what is left of the row. */
  readonly restLater?: string;
}

/** Every edge case of discovery by its number. */
export const EDGE_CASES: Readonly<Record<number, EdgeCase>> = {
  1: { situation: "a tool package of a dependency lies in the project's own folder of packages" },
  2: { situation: "the command runs in a subdirectory" },
  3: { situation: "the project is a member of a workspace" },
  4: { situation: "the layout is strict, so that our own files see other packages than the project does" },
  5: { situation: "Plug'n'Play, with and without its hook" },
  6: { situation: "exports hide package.json" },
  7: { situation: "a package has no main, or sub-paths alone" },
  8: { situation: "another package.json lies between the module and the package's folder" },
  9: { situation: "a dependency is an alias" },
  10: { situation: "one package is there under two keys" },
  11: { situation: "two versions of a package are installed" },
  12: { situation: "one version is installed in two folders because its peers differ" },
  13: { situation: "links: to a folder, to nothing, in a circle" },
  14: { situation: "a dependency is declared and not installed" },
  15: { situation: "a tool package is installed and not declared" },
  16: { situation: "an optional dependency is not for this platform" },
  17: { situation: "the host is installed elsewhere than the project" },
  18: { situation: "the host is one bundled file", restLater: "aiw build --registry" },
  19: { situation: "paths hold odd characters or drives" },
  20: { situation: "the project is another's, or read-only" },
  21: { situation: "an install is running meanwhile" },
  22: { situation: "JSON is broken, empty, no object, too large, or begins with a mark" },
  23: { situation: "a declaration has the wrong type" },
  24: { situation: "names and keys are those of members every object has" },
  25: { situation: "a path or a link leaves the package" },
  26: { situation: "a file that is declared is not in the tarball" },
  27: { situation: "a declaration is newer than this host, or has unknown keys" },
  28: { situation: "tool names are illegal, too long, or one to a model" },
  29: { situation: "a description is too long or hides text" },
  30: { situation: "two packages have a tool of one name" },
  31: { situation: "packages are switched off" },
  32: { situation: "a package needs another Node or another core" },
  33: { situation: "a package brings its own core" },
  34: { situation: "what is installed is not what was locked" },
  35: { situation: "a module throws at import" },
  36: { situation: "a module never settles, or never yields", restLater: "isolated" },
  37: { situation: "a module ends the process at import" },
  38: { situation: "a module tampers with built-ins, or prints, at import", restLater: "isolated" },
  39: { situation: "a module gives two of its three tools and then throws" },
  40: { situation: "a module leaves timers or sockets behind" },
  41: { situation: "a promise is rejected long after the import", restLater: "isolated" },
  42: { situation: "a module cannot be imported: wrong addon, missing peer, wrong kind of module" },
  43: { situation: "a package is changed or removed while it is in use" },
  44: { situation: "adding a package fails half-way" },
  45: { situation: "the project is a stranger's checkout" },
  46: { situation: "a package has install scripts" },
  47: { situation: "a package's name looks like another's" },
};
