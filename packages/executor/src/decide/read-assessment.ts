import { ToolError, type Assessment, type ToolEffects } from "@aiw/core";

const FLAGS = ["readOnly", "destructive", "idempotent", "openWorld"] as const satisfies readonly (keyof ToolEffects)[];

/** Characters of a reason and of a rule's name; the rest says nothing a person would read. */
const MAX_REASON_LENGTH = 2000;
const MAX_RULE_LENGTH = 200;

/** Things one call may touch, and characters of each: what names more gives no verdict. */
const MAX_RESOURCES = 10_000;
const MAX_RESOURCE_LENGTH = 8192;

/** Lines a person is shown of what comes, and characters of each; what is left out is said. */
const MAX_PREVIEW_LINES = 500;
const MAX_PREVIEW_LENGTH = 2000;

/** Reads a tool's verdict on arguments; undefined for anything that is none, which policy takes as a no. */
export function readAssessment(answer: unknown): Assessment | undefined {
  if (!isRecord(answer)) return undefined;
  const { decision, reason, rule, effects, resources } = answer;
  if (decision !== "allow" && decision !== "ask" && decision !== "deny") return undefined;
  if (typeof reason !== "string") return undefined;
  if (!isTextOrNone(rule)) return undefined;
  if (effects !== undefined && !isEffects(effects)) return undefined;
  if (resources !== undefined && !isTextList(resources)) return undefined;
  const foresight = readForesight(answer);
  if (foresight === undefined) return undefined;
  return {
    decision,
    reason: cut(reason, MAX_REASON_LENGTH),
    ...(rule !== undefined && { rule: cut(rule, MAX_RULE_LENGTH) }),
    ...(effects !== undefined && { effects: { ...effects } }),
    ...(resources !== undefined && { resources: [...resources] }),
    ...foresight,
  };
}

/** What comes of the call; undefined for a failure that is none. */
function readForesight({
  failure,
  preview,
}: Record<string, unknown>): Pick<Assessment, "failure" | "preview"> | undefined {
  if (failure !== undefined && !ToolError.is(failure)) return undefined;
  const lines = Array.isArray(preview) ? cutLines(preview) : [];
  return { ...(failure !== undefined && { failure }), ...(lines.length > 0 && { preview: lines }) };
}

function isEffects(value: unknown): value is ToolEffects {
  return isRecord(value) && FLAGS.every((flag) => typeof value[flag] === "boolean");
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isTextList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_RESOURCES &&
    value.every((item) => typeof item === "string" && item.length <= MAX_RESOURCE_LENGTH)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function cutLines(lines: readonly unknown[]): string[] {
  const kept = lines.slice(0, MAX_PREVIEW_LINES).map((line) => cut(String(line), MAX_PREVIEW_LENGTH));
  const left = lines.length - kept.length;
  return left === 0 ? kept : [...kept, `… ${left} more lines`];
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
