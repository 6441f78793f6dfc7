import { MANAGERS } from "../after/package-managers.ts";
import type { Answers } from "../answers/answers.ts";
import { toPlainText } from "../names/plain-text.ts";
import { VERSIONS } from "./versions.ts";

/** What package.json needs to know. */
export type PackageFacts = Pick<
  Answers,
  "name" | "description" | "template" | "language" | "test" | "license" | "packageManager" | "repository"
>;

const KEYWORDS = ["agent", "ai", "aiwhisperer-tools", "tools"];
const REMOVE_DIST = `node -e "fs.rmSync('dist', { recursive: true, force: true })"`;

/** The package.json of a scaffolded package, as text. */
export function toPackageJson(facts: PackageFacts, version: string): string {
  const { name, description, language, license, repository } = facts;
  const json = {
    name,
    version: "0.1.0",
    description: toPlainText(description),
    keywords: KEYWORDS,
    license,
    ...(repository && {
      repository: { type: "git", url: `git+https://github.com/${repository.owner}/${repository.name}.git` },
    }),
    files: [...(language === "ts" ? ["dist"] : []), "src", "aiw-tools.json", "CHANGELOG.md", "!**/*.test.*"],
    type: "module",
    sideEffects: false,
    exports: {
      ".": language === "ts" ? { types: "./dist/index.d.ts", default: "./dist/index.js" } : "./src/index.js",
      "./package.json": "./package.json",
    },
    publishConfig: { access: "public" },
    scripts: toScripts(facts),
    ...toDependencies(facts, version),
    engines: { node: ">=22.19" },
    aiwhisperer: { apiVersion: 1, tools: "./aiw-tools.json" },
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

function toScripts({ language, test, packageManager }: PackageFacts): Readonly<Record<string, string>> {
  const { run } = MANAGERS[packageManager];
  const runner = {
    node: { ts: 'node --test "dist/**/*.test.js"', js: 'node --test "src/**/*.test.js"' },
    vitest: { ts: "vitest run --dir dist", js: "vitest run --dir src" },
  };
  return {
    // What an earlier build left behind would be published too.
    build: language === "ts" ? `${REMOVE_DIST} && tsc && aiw build` : "aiw build",
    test: `${run} build && ${runner[test][language]}`,
    check: `${run} test && aiw check`,
    dev: "aiw dev",
    prepack: `${run} build`,
  };
}

function toDependencies({ template, language, test }: PackageFacts, version: string): object {
  const own = `^${version}`;
  const foreign = (name: keyof typeof VERSIONS): object => ({ [name]: `^${VERSIONS[name]}` });
  const typed = language === "ts";
  return {
    dependencies: { "@aiw/core": own, ...(template === "service" && foreign("zod")) },
    devDependencies: {
      "@aiw/cli": own,
      // Reads what functions and methods say of themselves; a service says it in code.
      ...(typed && template !== "service" && { "@aiw/compiler": own }),
      "@aiw/testkit": own,
      ...(typed && { ...foreign("@types/node"), ...foreign("typescript") }),
      ...(test === "vitest" && foreign("vitest")),
    },
  };
}
