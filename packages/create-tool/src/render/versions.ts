import { readFileSync } from "node:fs";

/** Versions of foreign packages that were tried with the templates. */
export const VERSIONS = {
  "@types/node": "22.20.5",
  typescript: "7.0.2",
  vitest: "5.1.0",
  zod: "4.6.7",
} as const;

/** The version of this package, which `@aiw/core` and its family share. */
export function readOwnVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
