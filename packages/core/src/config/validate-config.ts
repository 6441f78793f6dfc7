import { isRecord } from "../schema/is-record.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { toCanonicalJson } from "../schema/canonical-json.ts";
import { escapeHiddenText } from "../schema/hidden-text.ts";
import type { AiwConfig } from "./aiw-config.ts";
import { below, checkKey, type ConfigIssue } from "./check-key.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";

export type { ConfigIssue } from "./check-key.ts";

/** Depth a configuration may have: whatever reads it may recurse. */
const MAX_DEPTH = 64;

/** Values on one level; an object in code may hold itself several times over. */
const MAX_NODES = 200_000;

/**
 * Checks configuration given in code or read from a file, by the published schema.
 * @throws AiwError `config_invalid`, naming every wrong value.
 */
export function validateConfig(value: unknown, { source }: ValidateConfigOptions = {}): AiwConfig {
  const issues = value === undefined ? [] : checkConfig(value);
  if (issues.length === 0) return (value ?? {}) as AiwConfig;
  const wrong = issues.map(({ pointer, message }) => inLine(`${pointer || "/"} ${message}`));
  throw new AiwError("config_invalid", `${source ?? "The configuration"} is wrong: ${wrong.join("; ")}.`, {
    fix: `Correct ${inLine(issues[0]?.pointer || "the configuration")}${source === undefined ? "" : ` in ${source}`}.`,
    details: { issues },
  });
}

/** The names of a file's members must not pass for words of ours. */
function inLine(text: string): string {
  return escapeHiddenText(text).replaceAll(/[\r\n\t]+/g, " ");
}

/** Words of one validation. */
export interface ValidateConfigOptions {
  /** The file that is checked, for messages. */
  readonly source?: string;
}

/** Lists what is wrong; empty for what the published schema accepts and JSON can say. */
export function checkConfig(value: unknown): ConfigIssue[] {
  const issues = checkDepth(value);
  return issues.length > 0 ? issues : [...checkKey(CONFIG_SCHEMA, value, ""), ...checkJson(value)].slice(0, MAX_ISSUES);
}

/** Wrong values that one message names. */
const MAX_ISSUES = 20;

function checkDepth(value: unknown): ConfigIssue[] {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return [{ pointer: "", message: `must be at most ${MAX_DEPTH} levels deep` }];
    level = level.flatMap((member) => (typeof member === "object" && member !== null ? Object.values(member) : []));
    if (level.length > MAX_NODES) return [{ pointer: "", message: `must have fewer than ${MAX_NODES} values` }];
  }
  return [];
}

/** Names each member that JSON cannot say; code can give functions, and texts can hold half a character. */
function checkJson(config: unknown): ConfigIssue[] {
  if (!isRecord(config)) return [];
  return Object.entries(config).flatMap(([key, value]) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([name, member]) => checkJsonMember(member, below(below("", key), name)))
      : [],
  );
}

function checkJsonMember(member: unknown, pointer: string): ConfigIssue[] {
  if (member === undefined) return [];
  try {
    toCanonicalJson(member);
    return [];
  } catch (error) {
    return [{ pointer, message: `must be JSON: ${error instanceof Error ? error.message : String(error)}` }];
  }
}
