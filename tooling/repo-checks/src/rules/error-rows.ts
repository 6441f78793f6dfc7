import { parseSync, type Expression, type ObjectExpression } from "oxc-parser";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { isSource } from "../repo/workspaces.ts";
import { ERROR_CODES } from "./documented-words.ts";

/** What a row of the page says first: the code, its error_type, its status. */
interface Code {
  readonly file: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly retryable: boolean;
}

/** Finds codes of results whose row names another error_type or status, or does not say that they are retryable. */
export function checkErrorRows(repo: Repo): Finding[] {
  const lines = (repo.read(ERROR_CODES.page) ?? "").split("\n");
  return readCodes(repo).flatMap(({ file, name, type, status, retryable }) => {
    const start = `| \`${name}\` | ${type} | ${status === "" ? "" : `${status} `}| `;
    const rows = lines.filter((line) => line.startsWith(start));
    const rule = `rows of ${ERROR_CODES.page} say what the catalogues say`;
    if (rows.length === 0) return [{ file, rule, repair: `Begin a row with: ${start}` }];
    const isSaid = rows.some((row) => /\bretryable\b/u.test(row));
    if (!retryable || isSaid) return [];
    return [{ file, rule, repair: `Say of \`${name}\` that it is retryable.` }];
  });
}

function readCodes(repo: Repo): Code[] {
  return repo.files
    .filter((file) => /^(?:packages|plugins)\/[^/]+\/src\//u.test(file) && isSource(file))
    .flatMap((file) => {
      const text = repo.read(file) ?? "";
      return text.includes("ERROR_CODES") ? readCatalogues(file, text) : [];
    });
}

function readCatalogues(file: string, text: string): Code[] {
  return parseSync(file, text).program.body.flatMap((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
    if (declaration?.type !== "VariableDeclaration") return [];
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && ERROR_CODES.constant.test(id.name) && init !== null ? toCodes(file, init) : [],
    );
  });
}

function toCodes(file: string, init: Expression): Code[] {
  const object = init.type === "TSAsExpression" ? init.expression : init;
  if (object.type !== "ObjectExpression") return [];
  return readMembers(object).flatMap(([name, value]) => {
    const facts = value.type === "ObjectExpression" ? new Map(readMembers(value)) : new Map<string, Expression>();
    const type = toText(facts.get("type"));
    // Faults of the host have none: their catalogue has other facts.
    if (type === "") return [];
    return [{ file, name, type, status: toText(facts.get("status")), retryable: facts.has("retryable") }];
  });
}

function readMembers({ properties }: ObjectExpression): [string, Expression][] {
  return properties.flatMap((property): [string, Expression][] =>
    property.type === "Property" && property.key.type === "Identifier" ? [[property.key.name, property.value]] : [],
  );
}

function toText(value: Expression | undefined): string {
  return value?.type === "Literal" && typeof value.value === "string" ? value.value : "";
}
