import {
  AiwError,
  matchGlob,
  type AuthMatch,
  type AuthRule,
  type JsonObject,
  type ToolMetadata,
  type ToolSpec,
} from "@aiw/core";
import { allowsTool, namesTool, type PolicySubject } from "@aiw/executor";
import { compileCondition, type ValueTest } from "./compile-condition.ts";

/** The tool a rule is matched against. */
export interface AuthSubject extends PolicySubject {
  readonly package: string | undefined;
  /** Absent until its definition is known. */
  readonly spec: ToolSpec | undefined;
}

/** The arguments a rule is matched against. */
export interface AuthArguments {
  readonly input: JsonObject;
  /** What the tool's own schema made of them. */
  readonly parsed: unknown;
  /** The folder tools work in. */
  readonly cwd: string | undefined;
}

/** A rule made ready for matching. */
export interface CompiledAuthRule {
  readonly decision: AuthRule["decision"];
  /** Absent where the operator gave none. */
  readonly reason: string | undefined;
  readonly rule: string;
  /** The parameters it has conditions on. */
  readonly parameters: readonly string[];
  /** Undefined while only a definition that is not known could tell. */
  isAbout(tool: AuthSubject): boolean | undefined;
  fits(given: AuthArguments): boolean;
}

/** Prepares a rule that is valid by its schema. @throws AiwError `config_invalid` for a list of nothing, which would match nothing. */
export function compileRule(rule: AuthRule, where: string): CompiledAuthRule {
  const { id = where, match, decision, reason } = rule;
  assertNoEmptyList(match, where);
  const isAllowance = decision === "allow";
  const tests = toToolTests(match, isAllowance);
  const conditions = Object.entries(match.input ?? {}).map(
    ([parameter, condition]) => [parameter, compileCondition(condition, isAllowance)] as const,
  );
  return {
    decision,
    reason,
    rule: id,
    parameters: conditions.map(([parameter]) => parameter),
    isAbout: (tool) => {
      const answers = tests.map((test) => test(tool));
      if (answers.includes(false)) return false;
      return answers.includes(undefined) ? undefined : true;
    },
    fits: (given) => conditions.every((condition) => meets(condition, given, isAllowance)),
  };
}

type ToolTest = (tool: AuthSubject) => boolean | undefined;

function toToolTests(match: AuthMatch, isAllowance: boolean): ToolTest[] {
  const { tools, packages, categories, tags, permissions, effects } = match;
  const means = isAllowance ? allowsTool : namesTool;
  const flags = Object.entries(effects ?? {}) as [keyof ToolMetadata["effects"], boolean | undefined][];
  return [
    ...when(tools, (patterns) => (tool) => patterns.some((pattern) => means(pattern, tool))),
    ...when(
      packages,
      (patterns) =>
        ({ package: owner }) =>
          owner !== undefined && fitsAny(patterns, owner),
    ),
    ...when(categories, (names) => ofDefinition(({ category }) => category !== undefined && names.includes(category))),
    ...when(tags, (names) => ofDefinition((metadata) => metadata.tags.some((tag) => names.includes(tag)))),
    ...when(permissions, (patterns) => ofDefinition((metadata) => mayUse(metadata, patterns, isAllowance))),
    ...when(effects, () =>
      ofDefinition((metadata) =>
        flags.every(([flag, value]) => value === undefined || metadata.effects[flag] === value),
      ),
    ),
  ];
}

function when<Value>(value: Value | undefined, toTest: (value: Value) => ToolTest): ToolTest[] {
  return value === undefined ? [] : [toTest(value)];
}

function ofDefinition(test: (metadata: ToolMetadata) => boolean): ToolTest {
  return ({ spec }) => (spec === undefined ? undefined : test(spec.metadata));
}

/** To be allowed some permissions is not to be allowed what needs others too, or does not say what it needs. */
function mayUse({ permissions }: ToolMetadata, patterns: readonly string[], isAllowance: boolean): boolean {
  if (!isAllowance) return permissions.some((permission) => fitsAny(patterns, permission));
  return permissions.length > 0 && permissions.every((permission) => fitsAny(patterns, permission));
}

function fitsAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchGlob(pattern, text));
}

/** An allowance is for what was said; what is asked for or denied must not come back as a default or by a transformation. */
function meets(
  [parameter, test]: readonly [string, ValueTest],
  { input, parsed, cwd }: AuthArguments,
  isAllowance: boolean,
): boolean {
  if (Object.hasOwn(input, parameter) && test(input[parameter], cwd)) return true;
  if (isAllowance || typeof parsed !== "object" || parsed === null || !Object.hasOwn(parsed, parameter)) return false;
  return test((parsed as JsonObject)[parameter], cwd);
}

function assertNoEmptyList({ input = {}, ...lists }: AuthMatch, where: string): void {
  const oneOfs = Object.entries(input).map(([parameter, { oneOf }]) => [`input.${parameter}.oneOf`, oneOf] as const);
  const empty = [...Object.entries(lists), ...oneOfs].find(([, value]) => Array.isArray(value) && value.length === 0);
  if (empty === undefined) return;
  throw new AiwError("config_invalid", `${where} matches nothing: ${empty[0]} is a list of nothing.`, {
    fix: `Name something in ${where}.match.${empty[0]}, or remove the rule.`,
  });
}
