import type { ErrorObject } from "ajv";
import type { JsonSchema } from "../contract/json.ts";
import { dereference, isSchemaObject, listSubschemas, resolveReference, type Subschema } from "../schema/subschemas.ts";

/** A failed union whose branches' errors have been weighed. */
export interface UnionFailure {
  readonly kind: "union";
  readonly error: ErrorObject;
  /** Branches the value was meant for can be told apart by this member, but its value names none of them. */
  readonly discriminator?: { readonly name: string; readonly values: readonly unknown[]; readonly value: unknown };
}

/** An error of the validator, or a union that no single branch explains. */
export type Failure = ErrorObject | UnionFailure;

/** Tells unions from plain errors. */
export function isUnionFailure(failure: Failure): failure is UnionFailure {
  return "kind" in failure;
}

const UNIONS = new Set(["anyOf", "oneOf"]);

/** Keeps, of a union's errors, those of the branch the value was meant for; other errors pass as they are. */
export function pickBranches(root: JsonSchema, errors: readonly ErrorObject[]): Failure[] {
  const kept: Failure[] = [];
  for (const error of errors) {
    if (!UNIONS.has(error.keyword) || !isSchemaObject(error.parentSchema)) {
      kept.push(error);
      continue;
    }
    const branches = (error.parentSchema[error.keyword] ?? []) as readonly Subschema[];
    const owners = branches.map((branch) => reachable(root, branch));
    const own = takeOwn(kept, error, owners);
    if (isMatchedTwice(error)) kept.push(error);
    else kept.push(...pick(root, { error, branches, groups: group(own, owners) }));
  }
  return kept;
}

function isMatchedTwice({ keyword, params }: ErrorObject): boolean {
  return keyword === "oneOf" && Array.isArray((params as { readonly passingSchemas?: unknown }).passingSchemas);
}

/** A union reports after its branches, so its own errors are the last ones. */
function takeOwn(kept: Failure[], { instancePath }: ErrorObject, owners: readonly ReadonlySet<unknown>[]): Failure[] {
  let from = kept.length;
  while (from > 0 && isOwn(kept[from - 1], instancePath, owners)) from -= 1;
  return kept.splice(from);
}

function isOwn(failure: Failure | undefined, instancePath: string, owners: readonly ReadonlySet<unknown>[]): boolean {
  if (failure === undefined) return false;
  const error = errorOf(failure);
  const inside = error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`);
  return inside && owners.some((owner) => owner.has(error.parentSchema));
}

/** Gives each branch its errors; one that several branches could have made belongs to the branch at hand. */
function group(own: readonly Failure[], owners: readonly ReadonlySet<unknown>[]): Failure[][] {
  const groups: Failure[][] = owners.map(() => []);
  let current = 0;
  for (const failure of own) {
    const { parentSchema } = errorOf(failure);
    if (owners[current]?.has(parentSchema) !== true)
      current = Math.max(
        current,
        owners.findIndex((owner) => owner.has(parentSchema)),
      );
    groups[current]?.push(failure);
  }
  return groups;
}

interface Union {
  readonly error: ErrorObject;
  readonly branches: readonly Subschema[];
  readonly groups: readonly (readonly Failure[])[];
}

function pick(root: JsonSchema, { error, branches, groups }: Union): Failure[] {
  const discriminated = pickByDiscriminator(root, { error, branches, groups });
  if (discriminated !== undefined) return discriminated;
  // A branch of another type was not meant: its one error would beat the several of the right branch.
  const meant = groups.filter(
    (errors) => errors.length > 0 && !errors.some((failure) => isOfOtherType(failure, error.instancePath)),
  );
  const [fewest] = meant.toSorted((a, b) => a.length - b.length);
  const isOneValue =
    fewest === undefined ||
    (meant.length > 1 &&
      fewest.every(
        (failure) =>
          errorOf(failure).instancePath === error.instancePath && !isUnionFailure(failure) && !isMemberKeyword(failure),
      ));
  return isOneValue ? [{ kind: "union", error }] : [...fewest];
}

function isMemberKeyword({ keyword }: ErrorObject): boolean {
  return ["required", "additionalProperties", "unevaluatedProperties", "dependentRequired", "propertyNames"].includes(
    keyword,
  );
}

function isOfOtherType(failure: Failure, instancePath: string): boolean {
  const { keyword, instancePath: at } = errorOf(failure);
  return keyword === "type" && at === instancePath;
}

function pickByDiscriminator(root: JsonSchema, { error, branches, groups }: Union): Failure[] | undefined {
  const value: unknown = error.data;
  if (!isSchemaObject(value)) return undefined;
  const named = branches.map((branch) => constantsOf(root, branch));
  const names = [...(named[0]?.keys() ?? [])].filter((name) => named.every((constants) => constants.has(name)));
  const name = names.find((candidate) => Object.hasOwn(value, candidate));
  if (name === undefined) return undefined;
  const index = named.findIndex((constants) => constants.get(name)?.includes(value[name]) === true);
  if (index >= 0) return [...(groups[index] ?? [])];
  return [
    {
      kind: "union",
      error,
      discriminator: { name, values: named.flatMap((constants) => constants.get(name) ?? []), value: value[name] },
    },
  ];
}

/** Members a branch fixes by `const` or `enum`. */
function constantsOf(root: JsonSchema, branch: Subschema): Map<string, readonly unknown[]> {
  const target = dereference(root, branch);
  const constants = new Map<string, readonly unknown[]>();
  if (!isSchemaObject(target)) return constants;
  for (const [name, schema] of Object.entries(target.properties ?? {})) {
    const member = dereference(root, schema);
    if (!isSchemaObject(member)) continue;
    if (member.const !== undefined) constants.set(name, [member.const]);
    else if (Array.isArray(member.enum)) constants.set(name, member.enum);
  }
  return constants;
}

function errorOf(failure: Failure): ErrorObject {
  return isUnionFailure(failure) ? failure.error : failure;
}

/** Every schema object that can speak when this one does. */
function reachable(root: JsonSchema, schema: Subschema): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const pending: Subschema[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isSchemaObject(next) || found.has(next)) continue;
    found.add(next);
    const reference = typeof next["$ref"] === "string" ? resolveReference(root, next["$ref"]) : undefined;
    if (reference !== undefined) pending.push(reference);
    for (const { path, schema: below } of listSubschemas(next))
      if (path[0] !== "$defs" && path[0] !== "definitions") pending.push(below);
  }
  return found;
}
