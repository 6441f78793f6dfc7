import {
  LANGUAGES,
  LICENSES,
  PACKAGE_MANAGERS,
  TEMPLATES,
  TEST_RUNNERS,
  type Language,
  type License,
  type PackageManager,
  type Template,
  type TestRunner,
} from "../answers/choices.ts";

/** Every flag, as `parseArgs` reads it. */
export const FLAGS = {
  template: { type: "string", short: "t" },
  language: { type: "string", short: "l" },
  name: { type: "string" },
  tool: { type: "string" },
  description: { type: "string" },
  license: { type: "string" },
  test: { type: "string" },
  "package-manager": { type: "string" },
  repository: { type: "string" },
  install: { type: "boolean" },
  "no-install": { type: "boolean" },
  git: { type: "boolean" },
  "no-git": { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  force: { type: "boolean", short: "f" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** Flags whose value is one of a list. */
export interface Choices {
  readonly template: Template;
  readonly language: Language;
  readonly license: License;
  readonly test: TestRunner;
  readonly "package-manager": PackageManager;
}

/** What each of them may be. */
export const CHOICES: { readonly [Flag in keyof Choices]: readonly Choices[Flag][] } = {
  template: TEMPLATES,
  language: LANGUAGES,
  license: LICENSES,
  test: TEST_RUNNERS,
  "package-manager": PACKAGE_MANAGERS,
};

/** What a flag is written like, and what it says; a default in brackets. */
const FLAG_ROWS: readonly (readonly [flag: string, meaning: string])[] = [
  [
    `-t, --template ${TEMPLATES.join("|")}`,
    "a documented function, a class, or a client with configuration (function)",
  ],
  [`-l, --language ${LANGUAGES.join("|")}`, "TypeScript or plain JavaScript (ts)"],
  ["    --name NAME", "the package's name, such as @acme/tickets (made of DIR)"],
  ["    --tool NAME", "the tool's name in snake_case (count_words, days_between, find_tickets)"],
  ["    --description TEXT", "one sentence about the package"],
  [`    --license ${LICENSES.join("|")}`, "its license (MIT)"],
  [`    --test ${TEST_RUNNERS.join("|")}`, "what runs the tests (node, which needs no package)"],
  ["    --repository OWNER/NAME", "the repository on GitHub, which provenance names"],
  [`    --package-manager ${PACKAGE_MANAGERS.join("|")}`, "what installs and publishes (the one that runs this)"],
  ["    --install, --no-install", "installs the dependencies (no)"],
  ["    --git, --no-git", "makes a git repository (no)"],
  ["-y, --yes", "asks nothing"],
  ["-f, --force", "adds to a folder that has files in it; none of them changes"],
  ["-h, --help", "says this"],
  ["-v, --version", "says which version this is"],
];

const FLAG_WIDTH = Math.max(...FLAG_ROWS.map(([flag]) => flag.length));

function toRow([flag, meaning]: readonly [string, string]): string {
  return `  ${flag.padEnd(FLAG_WIDTH)}  ${meaning}`;
}

/** The help text. */
export const HELP: string = `Usage: npm create @aiw/tool@latest [DIR] -- [flags]

Makes a tool package in DIR: source, tests, workflows that test and publish it. It asks for what no flag says, at a terminal; elsewhere,
and with --yes, the defaults hold. Nothing is fetched unless --install is given.

${FLAG_ROWS.map(toRow).join("\n")}

pnpm create @aiw/tool DIR [flags], yarn create @aiw/tool DIR [flags] and bun create @aiw/tool DIR [flags] do the same.`;
