import { AiwError, toCanonicalJson, type Json, type JsonObject, type PolicyMatch, type PolicyRule } from "@aiw/core";
import type { Verdict } from "../call/verdict.ts";
import { isRecord } from "../call/is-record.ts";
import { allowsTool, namesTool, type PolicySubject } from "./match-tool.ts";

/** Rules, or what gives them as they are now: configuration may be read again while calls are made. */
export type RuleSource = readonly PolicyRule[] | (() => readonly PolicyRule[]);

/** Rules made ready for matching. */
export interface CompiledRules {
  /** Verdicts of rules about the tool alone. */
  judgeTool(subject: PolicySubject): readonly Verdict[];
  /** Verdicts of every rule that matches the call; `parsed` is what the tool's own schema made of the input. */
  judgeCall(subject: PolicySubject, input: JsonObject, parsed?: unknown): readonly Verdict[];
}

interface CompiledRule {
  readonly verdict: Verdict;
  readonly tool: string | undefined;
  readonly input: readonly (readonly [parameter: string, canonical: string])[];
}

/**
 * Checks and prepares rules.
 * @throws AiwError `config_invalid` for a rule that could not mean what its author thinks.
 */
export function compileRules(rules: RuleSource): CompiledRules {
  if (typeof rules !== "function") return compileList(rules);
  let known = rules();
  let compiled = compileList(known);
  const current = (): CompiledRules => {
    const given = rules();
    if (given === known) return compiled;
    compiled = compileList(given);
    known = given;
    return compiled;
  };
  return {
    judgeTool: (subject) => current().judgeTool(subject),
    judgeCall: (...call) => current().judgeCall(...call),
  };
}

const NO_VERDICTS: readonly Verdict[] = Object.freeze([]);
const NO_RULES: CompiledRules = { judgeTool: () => NO_VERDICTS, judgeCall: () => NO_VERDICTS };

function compileList(rules: readonly PolicyRule[]): CompiledRules {
  if (!Array.isArray(rules)) throw invalid("policy.rules", "must be a list");
  if (rules.length === 0) return NO_RULES;
  const compiled = rules.map(compileRule);
  return {
    judgeTool: (subject) =>
      compiled.filter((rule) => rule.input.length === 0 && matchesTool(rule, subject)).map(toVerdict),
    judgeCall: (subject, input, parsed) =>
      compiled
        .filter((rule) => matchesTool(rule, subject) && (matchesInput(rule, input) || matchesParsed(rule, parsed)))
        .map(toVerdict),
  };
}

function compileRule(rule: PolicyRule, index: number): CompiledRule {
  const where = `policy.rules[${index}]`;
  const given: unknown = rule;
  if (!isRecord(given) || !isRecord(given["match"])) throw invalid(where, "needs `match` and `decision`");
  assertKnown(rule, ["id", "match", "decision", "reason"], where);
  assertMatch(rule.match, where);
  const { match, decision, reason, id = where } = rule;
  if (decision !== "allow" && decision !== "ask" && decision !== "deny")
    throw invalid(where, 'must decide "allow", "ask" or "deny"');
  for (const [member, text] of Object.entries({ id, reason }))
    if (text !== undefined && typeof text !== "string") throw invalid(where, `has a text as \`${member}\``);
  return {
    verdict: { decision, reason: reason ?? `The rule ${id} says ${decision}.`, rule: id, by: "rule" },
    tool: match.tool,
    input: Object.entries(match.input ?? {}).map(([parameter, value]) => [parameter, canonical(value, where)]),
  };
}

/** A condition that is not understood must not become no condition. */
function assertMatch(match: PolicyMatch, where: string): void {
  assertKnown(match, ["tool", "input"], `${where}.match`);
  const { tool, input } = match;
  if (tool !== undefined && (typeof tool !== "string" || tool === "")) throw invalid(where, "matches a tool by a text");
  if (input !== undefined && !isRecord(input)) throw invalid(where, "matches arguments by an object");
  if (tool === undefined && Object.keys(input ?? {}).length === 0)
    throw invalid(where, 'must say what it matches: { "tool": "*" } is every call');
}

function assertKnown(value: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw invalid(where, `has an unknown member ${JSON.stringify(unknown)}; known: ${known.join(", ")}`);
}

function canonical(value: Json, where: string): string {
  try {
    return toCanonicalJson(value);
  } catch (cause) {
    throw invalid(where, "matches arguments by JSON values", cause);
  }
}

function matchesTool({ tool, verdict }: CompiledRule, subject: PolicySubject): boolean {
  if (tool === undefined) return true;
  return verdict.decision === "allow" ? allowsTool(tool, subject) : namesTool(tool, subject);
}

function matchesInput({ input }: CompiledRule, given: JsonObject): boolean {
  return input.every(([parameter, expected]) => {
    const value = Object.hasOwn(given, parameter) ? given[parameter] : undefined;
    return value !== undefined && toCanonicalJson(value) === expected;
  });
}

/** What is denied or asked for must not come back as the default of an argument left out; an allowance is for what was said. */
function matchesParsed(rule: CompiledRule, parsed: unknown): boolean {
  if (rule.verdict.decision === "allow" || rule.input.length === 0 || !isRecord(parsed)) return false;
  try {
    return matchesInput(rule, parsed as JsonObject);
  } catch {
    // What is no JSON equals no JSON value.
    return false;
  }
}

function toVerdict({ verdict }: CompiledRule): Verdict {
  return verdict;
}

function invalid(where: string, what: string, cause?: unknown): AiwError {
  return new AiwError("config_invalid", `${where} ${what}.`, {
    fix: `Write it like { "match": { "tool": "bash", "input": { "command": "git status" } }, "decision": "allow" }.`,
    cause,
  });
}
