import { TOOL_NAME_PATTERN } from "../contract/tool-spec.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { toCanonicalJson } from "../schema/canonical-json.ts";
import { nearestNames } from "../schema/nearest-names.ts";
import type { AiwConfig } from "./aiw-config.ts";
import { isPackageKey } from "./package-key.ts";

/** One wrong value; `pointer` is a JSON pointer. */
export interface ConfigIssue {
  readonly pointer: string;
  readonly message: string;
}

type Check = (value: unknown, pointer: string) => ConfigIssue[];

/** Longest delay a Node timer keeps. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Checks what a host passes as configuration.
 * @throws AiwError `config_invalid`, naming every wrong value.
 */
export function validateConfig(value: unknown): AiwConfig {
  const issues = value === undefined ? [] : checkConfig(value, "");
  if (issues.length === 0) return (value ?? {}) as AiwConfig;
  const lines = issues.map(({ pointer, message }) => `${pointer || "/"} ${message}`);
  throw new AiwError("config_invalid", `The configuration is wrong: ${lines.join("; ")}.`, {
    fix: `Correct ${issues[0]?.pointer || "the configuration"}.`,
    details: { issues },
  });
}

function checkConfig(value: unknown, pointer: string): ConfigIssue[] {
  return members({ tools: checkTools, plugins: checkPlugins, policy: checkPolicy, limits: checkLimits })(
    value,
    pointer,
  );
}

const checkTools: Check = members({ disabled: list(checkDisabled), prefer: checkPrefer });
const checkPolicy: Check = members({ rules: list(checkRule) });
const checkLimits: Check = members({ timeoutMs: checkTimeout });

function checkDisabled(value: unknown, pointer: string): ConfigIssue[] {
  if (typeof value === "string" && isDisabledEntry(value)) return [];
  return [
    { pointer, message: 'must be a package ("@acme/tools"), an id ("@acme/tools/read") or a tool name ("read")' },
  ];
}

function isDisabledEntry(entry: string): boolean {
  const slash = entry.lastIndexOf("/");
  const isId = isPackageKey(entry.slice(0, Math.max(slash, 0))) && TOOL_NAME_PATTERN.test(entry.slice(slash + 1));
  return isPackageKey(entry) || TOOL_NAME_PATTERN.test(entry) || isId;
}

function checkPrefer(value: unknown, pointer: string): ConfigIssue[] {
  return record((packageKey, at, name) => {
    if (!TOOL_NAME_PATTERN.test(name)) return [{ pointer: at, message: "must be keyed by a tool name" }];
    if (typeof packageKey === "string" && isPackageKey(packageKey)) return [];
    return [{ pointer: at, message: "must name the package that gets the tool name" }];
  })(value, pointer);
}

function checkPlugins(value: unknown, pointer: string): ConfigIssue[] {
  return record((options, at, key) => {
    if (!isPackageKey(key)) return [{ pointer: at, message: "must be keyed by a package name" }];
    if (!isRecord(options)) return [{ pointer: at, message: `must be an object of options, is ${kindOf(options)}` }];
    return jsonIssues(options, at);
  })(value, pointer);
}

function checkRule(value: unknown, pointer: string): ConfigIssue[] {
  const issues = members({ id: checkText, match: checkMatch, decision: checkDecision, reason: checkText })(
    value,
    pointer,
  );
  if (issues.length > 0 || !isRecord(value)) return issues;
  return ["match", "decision"]
    .filter((key) => value[key] === undefined)
    .map((key) => ({ pointer: `${pointer}/${key}`, message: "is required" }));
}

function checkMatch(value: unknown, pointer: string): ConfigIssue[] {
  const issues = members({ tool: checkText, input: checkJsonObject })(value, pointer);
  if (issues.length > 0 || !isRecord(value)) return issues;
  const { tool, input } = value;
  if (isRecord(input) && Object.keys(input).length === 0)
    return [{ pointer: `${pointer}/input`, message: "must name an argument" }];
  // A rule without conditions would match every call: that must be written out.
  return tool === undefined && input === undefined
    ? [{ pointer, message: 'must name a tool ("*" is every tool) or arguments' }]
    : [];
}

function checkDecision(value: unknown, pointer: string): ConfigIssue[] {
  return value === "allow" || value === "ask" || value === "deny"
    ? []
    : [{ pointer, message: 'must be "allow", "ask" or "deny"' }];
}

function checkText(value: unknown, pointer: string): ConfigIssue[] {
  return typeof value === "string" && value !== "" ? [] : [{ pointer, message: "must be a text" }];
}

function checkJsonObject(value: unknown, pointer: string): ConfigIssue[] {
  return isRecord(value)
    ? jsonIssues(value, pointer)
    : [{ pointer, message: `must be an object, is ${kindOf(value)}` }];
}

function checkTimeout(value: unknown, pointer: string): ConfigIssue[] {
  if (typeof value === "number" && value > 0 && value <= MAX_TIMEOUT_MS) return [];
  return [{ pointer, message: `must be a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}` }];
}

function jsonIssues(value: object, pointer: string): ConfigIssue[] {
  try {
    toCanonicalJson(value);
    return [];
  } catch (error) {
    return [{ pointer, message: `must be JSON: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

/** Checks known members and refuses unknown ones: a misspelt key must not be a silent no. */
function members(checks: Readonly<Record<string, Check>>): Check {
  const known = new Map(Object.entries(checks));
  return record((member, pointer, key) => {
    const check = known.get(key);
    if (check !== undefined) return member === undefined ? [] : check(member, pointer);
    const [nearest] = nearestNames(key, [...known.keys()], 1);
    return [
      {
        pointer,
        message: `is unknown; ${nearest === undefined ? `known: ${[...known.keys()].join(", ")}` : `nearest: ${nearest}`}`,
      },
    ];
  });
}

function record(check: (member: unknown, pointer: string, key: string) => ConfigIssue[]): Check {
  return (value, pointer) => {
    if (!isRecord(value)) return [{ pointer, message: `must be an object, is ${kindOf(value)}` }];
    return Object.entries(value).flatMap(([key, member]) =>
      check(member, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, key),
    );
  };
}

function list(check: Check): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return [{ pointer, message: `must be a list, is ${kindOf(value)}` }];
    return value.flatMap((item: unknown, index) => check(item, `${pointer}/${index}`));
  };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
