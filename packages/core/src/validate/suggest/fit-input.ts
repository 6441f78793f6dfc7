import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import { flattenSchema, withBranch } from "../../schema/flatten-schema.ts";
import { sampleValue } from "../../schema/sample/sample-input.ts";
import { branchesOf, isSchemaObject, typesOf, type Subschema } from "../../schema/subschemas.ts";
import { nearestFit, type Change, type Fit, type Path } from "./change.ts";
import { constantsOf, fitConstant } from "./fit-constant.ts";
import { fitNumber } from "./fit-number.ts";
import { isOfType, otherForms } from "./other-forms.ts";
import { pairByElimination, pairByName, type Gap, type Pair, type Stray } from "./pair-names.ts";

/** What is compared before nothing is suggested: unions of unions, and many items of many names, would be tried for ever. */
const MAX_EFFORT = 30_000;

/** What looking at a value costs beside the comparing of names. */
const VISIT = 10;

/** Members whose names are compared with those declared. */
const MAX_STRAYS = 50;

/** What some call all arguments together. */
const WRAPPER = /^(?:input|arguments|args|kwargs|params|parameters)$/i;

/** A schema and what is known of values for it. */
export interface FitOptions {
  readonly schema: JsonSchema;
  /** Arguments that are known to pass. */
  readonly example: JsonObject;
}

/**
 * Makes the nearest arguments that a schema admits out of those given, as far as it can be told without its validator.
 * @throws RangeError where that would take too long.
 */
export function fitInput({ schema, example }: FitOptions, input: JsonObject): Fit | undefined {
  const fitter = new InputFitter(schema, example);
  const [name = "", ...others] = Object.keys(input);
  const isWrapper = others.length === 0 && WRAPPER.test(name) && !Object.hasOwn(schema.properties ?? {}, name);
  const inner = isWrapper ? input[name] : undefined;
  const unwrapped = inner === undefined ? undefined : fitter.fit([], { type: "object", allOf: [schema] }, inner);
  const whole = unwrapped && onlyMoved(unwrapped);
  if (whole === undefined) return fitter.fit([], schema, input);
  return { ...whole, changes: [{ kind: "move", path: [name], to: [] }, ...whole.changes] };
}

/** Gives the value that a member without one is shown with. */
export function exampleOf({ schema, example }: FitOptions, name: string): Json {
  if (Object.hasOwn(example, name) && example[name] !== undefined) return example[name];
  const flat = flattenSchema(schema, schema);
  const properties = isSchemaObject(flat) ? (flat.properties ?? {}) : {};
  return sampleValue(schema, Object.hasOwn(properties, name) ? properties[name] : {});
}

/** An object that is being put together. */
interface Members {
  readonly target: JsonSchema;
  readonly path: Path;
  readonly values: Map<string, Json>;
  readonly changes: Change[];
  strays: Stray[];
}

class InputFitter {
  readonly #root: JsonSchema;
  readonly #example: JsonObject;
  #effort = 0;

  constructor(root: JsonSchema, example: JsonObject) {
    this.#root = root;
    this.#example = example;
  }

  fit(path: Path, schema: Subschema | undefined, value: Json): Fit | undefined {
    const target = flattenSchema(this.#root, schema);
    if (target === false) return undefined;
    if (!isSchemaObject(target)) return { value, changes: [] };
    const constants = constantsOf(target);
    this.#spend(VISIT + Object.keys(target.properties ?? {}).length + (constants?.length ?? 0));
    if (constants !== undefined) return toFit(path, fitConstant(constants, value), value);
    const branches = branchesOf(target);
    if (branches.length === 0) return this.#fitTypes(path, target, value);
    return nearestFit(branches.map((branch) => this.fit(path, withBranch(this.#root, target, branch), value)));
  }

  #spend(effort: number): void {
    this.#effort += effort;
    if (this.#effort > MAX_EFFORT) throw new RangeError("Too many ways to read the arguments.");
  }

  #fitTypes(path: Path, target: JsonSchema, value: Json): Fit | undefined {
    const types = typesOf(target);
    const asGiven = isOfType(types, value) ? this.#fitWithin(path, target, value) : undefined;
    if (asGiven !== undefined) return asGiven;
    return nearestFit(
      otherForms(types, value, nameOf(path)).map((form) => {
        const fit = this.#fitWithin(path, target, form);
        return fit && { value: fit.value, changes: [converted(path, fit.value), ...fit.changes] };
      }),
    );
  }

  #fitWithin(path: Path, target: JsonSchema, value: Json): Fit | undefined {
    if (typeof value === "string") return isOfLength(target, value) ? { value, changes: [] } : undefined;
    if (typeof value === "number") return toFit(path, fitNumber(target, value), value);
    if (typeof value !== "object" || value === null) return { value, changes: [] };
    return isList(value) ? this.#fitItems(path, target, value) : this.#fitMembers(path, target, value);
  }

  #fitItems(path: Path, target: JsonSchema, given: readonly Json[]): Fit | undefined {
    const most = typeof target["maxItems"] === "number" ? target["maxItems"] : given.length;
    const prefix = Array.isArray(target["prefixItems"]) ? (target["prefixItems"] as Subschema[]) : [];
    const values: Json[] = [];
    const changes: Change[] = [];
    for (const [index, item] of given.entries()) {
      const fit =
        values.length < most ? this.fit([...path, index], prefix[index] ?? target.items ?? true, item) : undefined;
      if (fit === undefined) changes.push({ kind: "drop", path: [...path, index] });
      else values.push(fit.value);
      changes.push(...(fit?.changes ?? []));
    }
    return values.length === 0 && given.length > 0 ? undefined : { value: values, changes };
  }

  #fitMembers(path: Path, target: JsonSchema, given: JsonObject): Fit | undefined {
    const members: Members = { target, path, values: new Map(), changes: [], strays: [] };
    const { properties = {}, required = [] } = target;
    for (const [name, value] of Object.entries(given)) {
      if (name === "__proto__") continue;
      const fit = Object.hasOwn(properties, name) ? this.fit([...path, name], properties[name], value) : undefined;
      if (fit !== undefined) take(members, name, fit);
      else if (Object.hasOwn(properties, name)) members.changes.push({ kind: "drop", path: [...path, name] });
      else members.strays.push({ name, value });
    }
    if (members.strays.length > 0) this.#placeStrays(members);
    for (const name of required) if (!members.values.has(name)) this.#showExample(members, name);
    return { value: inOrder(target, members.values), changes: members.changes };
  }

  #placeStrays(members: Members): void {
    const { target, path } = members;
    const open = isOpen(target);
    this.#placePairs(members, (unpaired) => pairByName(unpaired, open ? "all" : "sure"));
    this.#gather(members);
    if (!open) this.#placePairs(members, (unpaired) => pairByName(unpaired, "all"));
    if (!open) this.#placePairs(members, pairByElimination);
    for (const { name, value } of members.strays) {
      const rest = target.additionalProperties;
      const fit = open ? this.fit([...path, name], rest ?? true, value) : undefined;
      if (fit === undefined) members.changes.push({ kind: "drop", path: [...path, name] });
      else take(members, name, fit);
    }
  }

  #placePairs(members: Members, pair: (unpaired: Parameters<typeof pairByName>[0]) => Pair[]): void {
    const { path, target } = members;
    const [strays, gaps] = [members.strays.slice(0, MAX_STRAYS), gapsOf(members)];
    this.#spend(strays.length * gaps.length);
    const pairs = pair({
      strays,
      gaps,
      fit: ({ value }, { name }) => onlyMoved(this.fit([...path, name], target.properties?.[name], value)),
    });
    for (const { stray, gap, fit } of pairs) {
      take(members, gap.name, fit);
      members.changes.push({ kind: "move", path: [...path, stray.name], to: [...path, gap.name] });
    }
    members.strays = members.strays.filter((stray) => !pairs.some((one) => one.stray === stray));
  }

  /** Puts members together that belong into one object: `old_text` and `new_text` into an item of `edits`. */
  #gather(members: Members): void {
    const [only, ...others] = gapsOf(members).flatMap(({ name }) => this.#gatherInto(members, name));
    if (only === undefined || others.length > 0) return;
    take(members, only.name, only.fit);
    members.strays = members.strays.filter((stray) => !only.used.has(stray));
  }

  #gatherInto({ target, path, strays }: Members, name: string): Gathered[] {
    const member = flattenSchema(this.#root, target.properties?.[name]);
    const isItem = isSchemaObject(member) && member.items !== undefined;
    const whole = isItem ? flattenSchema(this.#root, member.items) : member;
    if (!isSchemaObject(whole)) return [];
    const { properties = {}, required = [] } = whole;
    const inner = [...path, name, ...(isItem ? [0] : [])];
    const gaps = toGaps(whole);
    this.#spend(strays.length * gaps.length);
    const pairs = pairByName(
      {
        strays: strays.slice(0, MAX_STRAYS),
        gaps,
        fit: ({ value }, gap) => onlyMoved(this.fit([...inner, gap.name], properties[gap.name], value)),
      },
      "all",
    );
    const isWhole = required.every((part) => pairs.some(({ gap }) => gap.name === part));
    if (required.length === 0 || !isWhole) return [];
    const value = inOrder(whole, new Map(pairs.map(({ gap, fit }) => [gap.name, fit.value])));
    const changes = pairs.flatMap(({ stray, gap, fit }): Change[] => [
      { kind: "move", path: [...path, stray.name], to: [...inner, gap.name] },
      ...fit.changes,
    ]);
    const used = new Set(pairs.map(({ stray }) => stray));
    return [{ name, used, fit: { value: isItem ? [value] : value, changes } }];
  }

  #showExample(members: Members, name: string): void {
    const { path, target } = members;
    const example = path.length === 0 && Object.hasOwn(this.#example, name) ? this.#example[name] : undefined;
    const schema = Object.hasOwn(target.properties ?? {}, name) ? target.properties?.[name] : {};
    const value = example ?? sampleValue(this.#root, schema);
    members.values.set(name, value);
    members.changes.push({ kind: "example", path: [...path, name], value });
  }
}

interface Gathered {
  readonly name: string;
  readonly used: ReadonlySet<Stray>;
  readonly fit: Fit;
}

/** Members in the author's order, others behind them. */
function inOrder({ properties = {} }: JsonSchema, values: ReadonlyMap<string, Json>): JsonObject {
  const names = [...Object.keys(properties).filter((name) => values.has(name)), ...values.keys()];
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null]));
}

function take({ values, changes }: Members, name: string, fit: Fit): void {
  values.set(name, fit.value);
  changes.push(...fit.changes);
}

/** A member that may have any name is only moved to where one is missing. */
function gapsOf({ target, values }: Members): Gap[] {
  return toGaps(target).filter(({ name, required }) => !values.has(name) && (required || !isOpen(target)));
}

function toGaps({ properties = {}, required = [] }: JsonSchema): Gap[] {
  return Object.keys(properties).map((name) => ({ name, required: required.includes(name) }));
}

/** The name of the member that something is, or is an item of. */
function nameOf(path: Path): string {
  return path.findLast((key) => typeof key === "string") ?? "";
}

function toFit(path: Path, fitted: Json | undefined, value: Json): Fit | undefined {
  if (fitted === undefined) return undefined;
  return { value: fitted, changes: fitted === value ? [] : [converted(path, fitted)] };
}

function converted(path: Path, value: Json): Change {
  return { kind: "convert", path, value };
}

/** A value is only meant for another place if it fits there whole. */
function onlyMoved(fit: Fit | undefined): Fit | undefined {
  return fit?.changes.some(({ kind }) => kind === "drop" || kind === "example") === true ? undefined : fit;
}

/** Members of other names than those declared are admitted. */
function isOpen(schema: JsonSchema): boolean {
  return (
    schema["patternProperties"] !== undefined ||
    (schema.additionalProperties !== false && schema["unevaluatedProperties"] !== false)
  );
}

/** Characters are at most as many as units, and at least half of them; the validator counts them. */
function isOfLength(schema: JsonSchema, text: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  return text.length >= Number(minLength) && text.length / 2 <= Number(maxLength);
}

/** `Array.isArray` does not tell a read-only list from an object. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
