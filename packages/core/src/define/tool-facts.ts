import type { ToolInstructions, ToolMetadata } from "../contract/tool-spec.ts";
import { toEffects, type EffectsDefinition } from "./tool-effects.ts";

/** What every way of writing a tool says of it, apart from its code and schemas. */
export interface ToolFacts {
  /** `^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`, snake_case by convention. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** For the model: what the tool does, at most 1,024 characters. */
  readonly description: string;
  /** Unknown effects count as destructive and open-world. */
  readonly effects?: EffectsDefinition;
  /** What the tool needs of the host: `fs:read`, `fs:write`, `process`, `net`, `env`, or your own words. */
  readonly permissions?: readonly string[];
  readonly version?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** Asks a person before every call. */
  readonly requiresApproval?: boolean;
  /** Milliseconds of work before the signal aborts. */
  readonly timeoutMs?: number;
  readonly display?: ToolMetadata["display"];
  /** Your own flags; filters read them. */
  readonly custom?: ToolMetadata["custom"];
  readonly instructions?: ToolInstructions;
}

/** Spells out the metadata of a tool's facts; defaults are the safe ones. */
export function toMetadata(facts: ToolFacts, assess: boolean): ToolMetadata {
  return withoutUndefined({
    version: facts.version,
    category: facts.category,
    tags: facts.tags ?? [],
    effects: toEffects(facts.effects),
    permissions: facts.permissions ?? [],
    requiresApproval: facts.requiresApproval,
    timeoutMs: facts.timeoutMs,
    assess: assess ? true : undefined,
    display: facts.display,
    custom: facts.custom,
  });
}

/** Leaves out members that are undefined, which JSON cannot say. */
export function withoutUndefined<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<Value>;
}

type Defined<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined>;
} & { [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key] };
