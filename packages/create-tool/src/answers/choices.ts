/** What a package is scaffolded from. */
export const TEMPLATES = ["function", "class", "service"] as const;
export type Template = (typeof TEMPLATES)[number];

/** What its source is written in. */
export const LANGUAGES = ["ts", "js"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What runs its tests. */
export const TEST_RUNNERS = ["node", "vitest"] as const;
export type TestRunner = (typeof TEST_RUNNERS)[number];

/** SPDX identifiers of the licenses whose text is at hand. */
export const LICENSES = ["MIT", "Apache-2.0", "ISC"] as const;
export type License = (typeof LICENSES)[number];

/** What installs its dependencies and runs its scripts. */
export const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

/** What people also write for a choice. */
export const SPELLINGS: Readonly<Record<string, string>> = {
  typescript: "ts",
  javascript: "js",
  "node:test": "node",
  mit: "MIT",
  isc: "ISC",
  apache: "Apache-2.0",
  "apache-2.0": "Apache-2.0",
};
