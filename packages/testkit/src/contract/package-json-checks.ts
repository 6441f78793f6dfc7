import { deepStrictEqual, ok } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ContractCheck } from "./contract-check.ts";
import { toFolder } from "./to-folder.ts";

interface PackageJson {
  readonly aiwhisperer?: { readonly apiVersion?: unknown; readonly tools?: unknown };
  readonly dependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly files?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly scripts?: { readonly [name: string]: string };
}

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** Checks what a package.json of a tool package promises its users. */
export function packageJsonChecks(packageDir: string | URL): ContractCheck[] {
  const check = (name: string, run: (json: PackageJson) => void): ContractCheck => ({
    name: `package.json ${name}`,
    run: async () => run(JSON.parse(await readFile(join(toFolder(packageDir), "package.json"), "utf8")) as PackageJson),
  });
  return [
    check("declares its tools by a static manifest that is packed", ({ aiwhisperer, files }) => {
      ok(
        typeof aiwhisperer?.tools === "string" && aiwhisperer.tools.endsWith(".json"),
        'Say in package.json: "aiwhisperer": { "tools": "./aiw-tools.json" }.',
      );
      const manifest = aiwhisperer.tools.replace(/^\.\//, "");
      ok(
        files?.some((file) => file.replace(/^\.\//, "") === manifest),
        `Add ${JSON.stringify(manifest)} to "files" in package.json, or it is not published.`,
      );
    }),
    check("depends on @aiw/core as an ordinary dependency", ({ dependencies, peerDependencies }) => {
      ok(dependencies?.["@aiw/core"] !== undefined, "Add @aiw/core to dependencies.");
      deepStrictEqual(
        peerDependencies?.["@aiw/core"],
        undefined,
        "Move @aiw/core from peerDependencies to dependencies: not every package manager installs peers.",
      );
    }),
    check("says which Node it needs", ({ engines }) =>
      ok(engines?.node !== undefined, 'Say in package.json: "engines": { "node": ">=22.19" }.'),
    ),
    check("runs nothing at install", ({ scripts = {} }) => {
      deepStrictEqual(
        INSTALL_SCRIPTS.filter((name) => name in scripts),
        [],
        "Remove the scripts: they run on the machine of everybody who installs the package, or not at all.",
      );
    }),
  ];
}
