import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Functions of one file. */
const PER_FILE = 20;

/** Makes a package whose entry re-exports a number of documented functions, each with a type of its own; gives the folder. */
export function makeSource(dir: string, functions: number): string {
  mkdirSync(path.join(dir, "src"), { recursive: true });
  const files = Math.ceil(functions / PER_FILE);
  const names = Array.from({ length: files }, (_, index) => `part-${index}`);
  writeFileSync(path.join(dir, "package.json"), JSON.stringify({ name: "tools", version: "1.0.0", type: "module" }));
  writeFileSync(path.join(dir, "tsconfig.json"), JSON.stringify(TSCONFIG));
  writeFileSync(path.join(dir, "src/index.ts"), names.map((name) => `export * from "./${name}.ts";\n`).join(""));
  for (const [file, name] of names.entries()) {
    const first = file * PER_FILE;
    const numbers = Array.from({ length: Math.min(PER_FILE, functions - first) }, (_, index) => first + index);
    writeFileSync(path.join(dir, `src/${name}.ts`), numbers.map(writeFunction).join("\n"));
  }
  // Nothing is installed: neither contender has foreign types to read.
  mkdirSync(path.join(dir, "node_modules"));
  return dir;
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ["src"],
};

function writeFunction(number: number): string {
  return `/** Where a search of table ${number} looks. */
export interface Place${number} {
  /** The folder, relative to the project. */
  folder: string;
  /** Folders that are left out. */
  without?: string[];
}

/** What a search of table ${number} asks for. */
export interface Search${number} {
  /** Words that all must occur. */
  query: string;
  /**
   * Records at most.
   * @minimum 1
   * @maximum 1000
   */
  limit?: number;
  /** Which come first. */
  order: "ascending" | "descending";
  /** Where to look. */
  place: Place${number};
}

/** A record of table ${number}. */
export interface Found${number} {
  id: string;
  score: number;
}

/**
 * Finds the records of table ${number} that match a query.
 * @effects read
 */
export async function findRecords${number}(search: Search${number}): Promise<Found${number}[]> {
  return [{ id: search.query, score: ${number} }];
}
`;
}
