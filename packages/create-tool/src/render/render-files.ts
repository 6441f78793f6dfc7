import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Answers } from "../answers/answers.ts";
import type { PackageFile } from "../write/package-file.ts";
import { fillPlaceholders } from "./fill-placeholders.ts";
import { toPackageJson } from "./package-json.ts";
import { toPlaceholders } from "./to-placeholders.ts";
import { readOwnVersion } from "./versions.ts";

/** Beside `src` and `dist`. */
const TEMPLATES = join(import.meta.dirname, "..", "..", "templates");

/** npm packs no .gitignore, and no tool should take a template for code. */
const ENDING = ".template";

/** Makes the files of a package, sorted by path. */
export function renderFiles(answers: Answers, year: number): PackageFile[] {
  const values = toPlaceholders(answers, year);
  const fill = (file: string): string => fillPlaceholders(readFileSync(join(TEMPLATES, file), "utf8"), values);
  const tools = fill(join("tools", `${answers.template}.md${ENDING}`)).trimEnd();
  const layers = [
    "base",
    ...(answers.language === "ts" ? ["typescript"] : []),
    ...(answers.packageManager === "yarn" ? ["yarn"] : []),
    `${answers.template}-${answers.language}`,
  ];
  const files = layers.flatMap((layer) =>
    listTemplates(layer).map((file) => ({
      path: fillPlaceholders(file.slice(0, -ENDING.length), values),
      text: fillPlaceholders(readFileSync(join(TEMPLATES, layer, file), "utf8"), { ...values, tools }),
    })),
  );
  return [
    ...files,
    { path: "LICENSE", text: fill(join("licenses", `${answers.license}${ENDING}`)) },
    { path: "package.json", text: toPackageJson(answers, readOwnVersion()) },
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function listTemplates(layer: string): string[] {
  return readdirSync(join(TEMPLATES, layer), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.split(sep).join("/"));
}
