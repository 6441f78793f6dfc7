import type { Finding } from "../repo/finding.ts";
import { readImports } from "../repo/imports.ts";
import type { Repo } from "../repo/repo.ts";
import { findWorkspaces } from "../repo/workspaces.ts";

/** Finds plugins that skip the conformance kit, and tools whose file has another name. */
export function checkPluginTools(repo: Repo, toolNames: (folder: string) => readonly string[] | undefined): Finding[] {
  return findWorkspaces(repo)
    .filter(({ folder }) => folder.startsWith("plugins/"))
    .flatMap(({ folder }) => [...judgeKit(repo, folder), ...judgeToolFiles(repo, folder, toolNames(folder))]);
}

function judgeKit(repo: Repo, folder: string): Finding[] {
  const runsKit = repo.files
    .filter((file) => file.startsWith(`${folder}/src/`) && file.endsWith(".test.ts"))
    .some((file) => {
      const text = repo.read(file) ?? "";
      return (
        readImports(file, text).some(({ specifier }) => specifier === "@aiw/testkit") &&
        /[cC]onformance|[cC]ontract|testToolPackage/u.test(text)
      );
    });
  if (runsKit) return [];
  const repair =
    "Add a test: await testToolPackage({ tools: …, packageDir: … }), of @aiw/testkit, on the plugin's default export.";
  return [{ file: `${folder}/src`, rule: "every plugin runs the conformance kit", repair }];
}

function judgeToolFiles(repo: Repo, folder: string, names: readonly string[] | undefined): Finding[] {
  if (names === undefined || names.length === 0) {
    const rule = "every plugin has a static manifest that names its tools";
    return [{ file: `${folder}/aiw-tools.json`, rule, repair: "Run the build; it says why when it writes none." }];
  }
  const rule = "a tool lives in the file of its name, its test beside it";
  return names.flatMap((name) =>
    [".ts", ".test.ts"]
      .map((ending) => `${folder}/src/tools/${name.replaceAll("_", "-")}${ending}`)
      .filter((file) => repo.read(file) === undefined)
      .map((file) => ({
        file,
        rule,
        repair: `Write the file for the tool ${name}, or rename the file that holds it.`,
      })),
  );
}
