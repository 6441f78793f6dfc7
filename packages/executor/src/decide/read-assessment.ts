import type { Assessment, ToolEffects } from "@aiw/core";

const FLAGS = ["readOnly", "destructive", "idempotent", "openWorld"] as const satisfies readonly (keyof ToolEffects)[];

/** Reads a tool's verdict on arguments; undefined for anything that is none, which policy takes as a no. */
export function readAssessment(answer: unknown): Assessment | undefined {
  if (!isRecord(answer)) return undefined;
  const { decision, reason, rule, effects, resources } = answer;
  if (decision !== "allow" && decision !== "ask" && decision !== "deny") return undefined;
  if (typeof reason !== "string") return undefined;
  if (rule !== undefined && typeof rule !== "string") return undefined;
  if (effects !== undefined && !isEffects(effects)) return undefined;
  if (resources !== undefined && !isTextList(resources)) return undefined;
  return {
    decision,
    reason,
    ...(rule !== undefined && { rule }),
    ...(effects !== undefined && { effects: { ...effects } }),
    ...(resources !== undefined && { resources: [...resources] }),
  };
}

function isEffects(value: unknown): value is ToolEffects {
  return isRecord(value) && FLAGS.every((flag) => typeof value[flag] === "boolean");
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
