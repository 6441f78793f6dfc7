import { parseSync, type Expression, type ObjectProperty, type SpreadElement } from "oxc-parser";
import type { Repo } from "./repo.ts";
import { isSource } from "./workspaces.ts";

/** The words that one exported constant declares. */
export interface Catalogue {
  readonly file: string;
  readonly name: string;
  readonly words: readonly string[];
}

/** Finds every exported constant whose name matches, with the keys or strings it lists. */
export function findCatalogues(repo: Repo, name: RegExp): Catalogue[] {
  return repo.files
    .filter((file) => /^(?:packages|plugins)\/[^/]+\/src\//u.test(file) && isSource(file))
    .flatMap((file) => readCatalogues(file, repo.read(file) ?? "", name));
}

function readCatalogues(file: string, text: string, name: RegExp): Catalogue[] {
  const catalogues: Catalogue[] = [];
  for (const statement of parseSync(file, text).program.body) {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement.declaration.declarations) {
      if (id.type !== "Identifier" || init === null || !name.test(id.name)) continue;
      catalogues.push({ file, name: id.name, words: readWords(init) });
    }
  }
  return catalogues;
}

/** Looks through `as const`, `satisfies` and a freezing call at the object or array inside. */
function readWords(expression: Expression): string[] {
  if (
    expression.type === "TSAsExpression" ||
    expression.type === "TSSatisfiesExpression" ||
    expression.type === "ParenthesizedExpression"
  ) {
    return readWords(expression.expression);
  }
  if (expression.type === "CallExpression" || expression.type === "NewExpression") {
    return expression.arguments.flatMap((argument) => (argument.type === "SpreadElement" ? [] : readWords(argument)));
  }
  if (expression.type === "ArrayExpression") {
    return expression.elements.flatMap((element) =>
      element?.type === "Literal" && typeof element.value === "string" ? [element.value] : [],
    );
  }
  if (expression.type === "ObjectExpression") return expression.properties.flatMap(readKey);
  return [];
}

function readKey(property: ObjectProperty | SpreadElement): string[] {
  if (property.type !== "Property") return [];
  if (property.key.type === "Identifier") return [property.key.name];
  return property.key.type === "Literal" && typeof property.key.value === "string" ? [property.key.value] : [];
}
