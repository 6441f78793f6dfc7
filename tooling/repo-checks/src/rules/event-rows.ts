import { parseSync, type TSSignature } from "oxc-parser";
import type { Finding } from "../repo/finding.ts";
import { Interfaces, readMembers, type Member } from "../repo/interfaces.ts";
import type { Repo } from "../repo/repo.ts";
import { EVENT_NAMES } from "./documented-words.ts";

/** Where the data of each event is declared. */
const FILE = "packages/core/src/observe/events.ts";
const DATA = "ActivityEventData";

/** Finds members of an event's data that its row does not name, and optional ones it names that are none. */
export function checkEventRows(repo: Repo): Finding[] {
  const lines = (repo.read(EVENT_NAMES.page) ?? "").split("\n");
  const rule = `rows of ${EVENT_NAMES.page} name the data of their events, optional members with a question mark`;
  return readEvents(repo).flatMap(({ name, members }) => {
    const row = lines.find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
    const missing = members.filter((member) => !names(row, member));
    const optional = [...row.matchAll(/`(?<member>\w+)\?`/gu)].map(([, member = ""]) => member);
    const stale = optional.filter((one) => !members.some((member) => member.isOptional && member.name === one));
    return [
      ...missing.map((member) => ({
        file: FILE,
        rule,
        repair: `Name \`${toWord(member)}\` in the row of \`${name}\`.`,
      })),
      ...stale.map((one) => ({ file: EVENT_NAMES.page, rule, repair: `\`${name}\` has no optional \`${one}\`.` })),
    ];
  });
}

function names(row: string, member: Member): boolean {
  return row.includes(`\`${toWord(member)}\``) || row.includes(`\`${toWord(member)}:`);
}

function toWord({ name, isOptional }: Member): string {
  return isOptional ? `${name}?` : name;
}

function readEvents(repo: Repo): { name: string; members: readonly Member[] }[] {
  const interfaces = new Interfaces(repo, ["packages/core"]);
  return parseSync(FILE, repo.read(FILE) ?? "").program.body.flatMap((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
    if (declaration?.type !== "TSInterfaceDeclaration" || declaration.id.name !== DATA) return [];
    return declaration.body.body.flatMap((signature) => readEvent(signature, interfaces));
  });
}

function readEvent(signature: TSSignature, interfaces: Interfaces): { name: string; members: readonly Member[] }[] {
  if (signature.type !== "TSPropertySignature" || signature.key.type !== "Identifier") return [];
  const { name } = signature.key;
  const type = signature.typeAnnotation?.typeAnnotation;
  if (type?.type === "TSTypeLiteral") return [{ name, members: readMembers(type.members) }];
  if (type?.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return [];
  return [{ name, members: interfaces.membersOf(type.typeName.name) ?? [] }];
}
