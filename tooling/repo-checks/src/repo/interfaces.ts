import { parseSync, type TSInterfaceDeclaration, type TSInterfaceHeritage, type TSSignature } from "oxc-parser";
import type { Repo } from "./repo.ts";
import { isSource } from "./workspaces.ts";

/** One member of an exported interface. */
export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
}

/** An exported interface as it is written. */
interface Declared {
  readonly own: readonly Member[];
  readonly parents: readonly { readonly name: string; readonly without: readonly string[] }[];
}

/** The exported interfaces of some packages by name; of two with one name, that of the package named first. */
export class Interfaces {
  readonly #declared = new Map<string, Declared>();

  constructor(repo: Repo, folders: readonly string[]) {
    for (const folder of folders)
      for (const file of repo.files.filter((one) => one.startsWith(`${folder}/src/`) && isSource(one)))
        for (const [name, declared] of readInterfaces(file, repo.read(file) ?? ""))
          if (!this.#declared.has(name)) this.#declared.set(name, declared);
  }

  /** Every member, inherited ones too; undefined for a name that no interface has. */
  membersOf(name: string): readonly Member[] | undefined {
    const declared = this.#declared.get(name);
    if (declared === undefined) return undefined;
    const inherited = declared.parents.flatMap((parent) =>
      (this.membersOf(parent.name) ?? []).filter((member) => !parent.without.includes(member.name)),
    );
    const members = new Map([...inherited, ...declared.own].map((member) => [member.name, member] as const));
    return [...members.values()];
  }
}

function readInterfaces(file: string, text: string): [string, Declared][] {
  return parseSync(file, text).program.body.flatMap((statement): [string, Declared][] => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : undefined;
    return declaration?.type === "TSInterfaceDeclaration" ? [[declaration.id.name, readInterface(declaration)]] : [];
  });
}

function readInterface({ body, extends: parents }: TSInterfaceDeclaration): Declared {
  return { own: readMembers(body.body), parents: parents.flatMap(readParent) };
}

/** The members of one interface, or of a type in braces. */
export function readMembers(signatures: readonly TSSignature[]): Member[] {
  return signatures.flatMap(readMember);
}

function readMember(signature: TSSignature): Member[] {
  if (signature.type !== "TSPropertySignature" && signature.type !== "TSMethodSignature") return [];
  const { key, optional } = signature;
  if (key.type === "Identifier") return [{ name: key.name, isOptional: optional }];
  return key.type === "Literal" && typeof key.value === "string" ? [{ name: key.value, isOptional: optional }] : [];
}

/** `A`, and `Omit<A, "b" | "c">`. */
function readParent({ expression, typeArguments }: TSInterfaceHeritage): Declared["parents"] {
  if (expression.type !== "Identifier") return [];
  if (expression.name !== "Omit") return [{ name: expression.name, without: [] }];
  const [from, without] = typeArguments?.params ?? [];
  if (from?.type !== "TSTypeReference" || from.typeName.type !== "Identifier") return [];
  const literals = without?.type === "TSUnionType" ? without.types : without === undefined ? [] : [without];
  const names = literals.flatMap((type) =>
    type.type === "TSLiteralType" && type.literal.type === "Literal" && typeof type.literal.value === "string"
      ? [type.literal.value]
      : [],
  );
  return [{ name: from.typeName.name, without: names }];
}
