import { isRecord } from "../schema/is-record.ts";
import type { AiwConfig, PolicyRule } from "./aiw-config.ts";
import { below } from "./check-key.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import type { KeySchema } from "./keys/key-schema.ts";
import { showPart } from "./show-part.ts";

/** One thing a configuration gives. */
export interface WideningPart {
  /** A JSON pointer to the whole of it. */
  readonly pointer: string;
  readonly value: unknown;
  /** Says it to a person, secrets masked: nothing else of the value is cut, and nothing in it is invisible. */
  readonly text: string;
}

/** A configuration in two: what takes away, and what gives. */
export interface SplitConfig {
  readonly narrowing: AiwConfig;
  readonly widening: AiwConfig;
  readonly parts: readonly WideningPart[];
}

/** Splits by the effect that the table gives each key; the two halves together are the whole. */
export function splitConfig(config: AiwConfig): SplitConfig {
  const { narrowing, widening, parts } = splitKey(CONFIG_SCHEMA, config, "");
  return { narrowing: (narrowing ?? {}) as AiwConfig, widening: (widening ?? {}) as AiwConfig, parts };
}

/** The halves of one value; an absent half has nothing of it. */
interface Halves {
  readonly narrowing?: unknown;
  readonly widening?: unknown;
  readonly parts: readonly WideningPart[];
}

function splitKey(schema: KeySchema, value: unknown, pointer: string): Halves {
  switch (schema["x-aiw-effect"]) {
    case "narrows":
      return { narrowing: value, parts: [] };
    case "widens":
      return splitList(value, pointer);
    case "widens_above_default":
      return isAbove(value, schema.default) ? widen(value, pointer) : { narrowing: value, parts: [] };
    case "widens_unless_default":
      return value === schema.default ? { narrowing: value, parts: [] } : widen(value, pointer);
    case "widens_for_some":
      return isListed(schema, value) ? widen(value, pointer) : { narrowing: value, parts: [] };
    case "by_decision":
      return splitRules(value as readonly PolicyRule[], pointer);
    case undefined:
      return splitMembers(schema, value, pointer);
  }
}

function splitMembers(schema: KeySchema, value: unknown, pointer: string): Halves {
  const members = Object.entries(isRecord(value) ? value : {}).filter(([, member]) => member !== undefined);
  const halves = members.map(([key, member]): [string, Halves] => {
    const at = below(pointer, key);
    const known = schemaOf(schema, key);
    // A key nobody classified gives, until somebody does.
    return [key, known === undefined ? widen(member, at) : splitKey(known, member, at)];
  });
  const narrowing = pickHalf(halves, "narrowing");
  const widening = pickHalf(halves, "widening");
  return {
    ...((narrowing !== undefined || members.length === 0) && { narrowing: narrowing ?? {} }),
    ...(widening !== undefined && { widening }),
    parts: halves.flatMap(([, { parts }]) => parts),
  };
}

/** A member of a map is what the map says of its members. */
function schemaOf({ properties = {}, additionalProperties }: KeySchema, key: string): KeySchema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key];
  return additionalProperties === false ? undefined : additionalProperties;
}

/** One half of all members that have it; names of prototypes are names. */
function pickHalf(
  halves: readonly (readonly [string, Halves])[],
  half: "narrowing" | "widening",
): Record<string, unknown> | undefined {
  const own = halves.filter(([, member]) => member[half] !== undefined);
  return own.length === 0 ? undefined : Object.fromEntries(own.map(([key, member]) => [key, member[half]]));
}

function splitRules(rules: readonly PolicyRule[], pointer: string): Halves {
  const allows = rules.filter(({ decision }) => decision === "allow");
  const others = rules.filter(({ decision }) => decision !== "allow");
  return {
    ...((others.length > 0 || allows.length === 0) && { narrowing: others }),
    ...(allows.length > 0 && { widening: allows }),
    parts: rules.flatMap((rule, index) => (rule.decision === "allow" ? [toPart(rule, below(pointer, index))] : [])),
  };
}

/** Only a number that is known not to be above holds at once. */
function isAbove(value: unknown, most: unknown): boolean {
  return !(typeof value === "number" && typeof most === "number" && value <= most);
}

/** Only a value that is known not to give holds at once. */
function isListed({ enum: known = [], "x-aiw-widening": widening = [] }: KeySchema, value: unknown): boolean {
  return typeof value !== "string" || widening.includes(value) || !known.includes(value);
}

function widen(value: unknown, pointer: string): Halves {
  return { widening: value, parts: [toPart(value, pointer)] };
}

/** A list or map of nothing gives nothing. */
function splitList(value: unknown, pointer: string): Halves {
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value ?? {});
  const parts = members.flatMap(([name, member]) =>
    member === undefined ? [] : [toPart(member, below(pointer, name))],
  );
  return parts.length === 0 ? { narrowing: value, parts } : { widening: value, parts };
}

function toPart(value: unknown, pointer: string): WideningPart {
  return { pointer, value, text: showPart({ pointer, value }) };
}
