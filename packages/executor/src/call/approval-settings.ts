import { AiwError } from "@aiw/core";
import type { Approver, RememberedScope } from "./approver.ts";

/** Which calls a person is asked about, beside those that rules or tools ask for. */
export type ApprovalMode =
  /** Nobody is asked for effects alone: unsafe calls run. */
  | "never"
  /** Calls that may destroy, that reach out and change something, or that are marked so. */
  | "unsafe_only"
  /** Every call that no rule allows. */
  | "always"
  /** Nobody is asked for effects alone: an unsafe call that no rule names is refused. */
  | "by_rule";

/** Modes by their constant names. */
export const ApprovalMode = {
  NEVER: "never",
  UNSAFE_ONLY: "unsafe_only",
  ALWAYS: "always",
  BY_RULE: "by_rule",
} as const;

/** Modes from the loosest to the strictest. */
export const APPROVAL_MODES: readonly ApprovalMode[] = Object.freeze(["never", "unsafe_only", "always", "by_rule"]);

/** Scopes of remembered approvals, from the narrowest. */
export const REMEMBERED_SCOPES: readonly RememberedScope[] = Object.freeze(["turn", "session", "rule"]);

/** How long answers count, and how far. */
export interface ApprovalTerms {
  /** Milliseconds a question waits for its answer, and then a yes for its call to begin; 600,000 unless named. */
  readonly expiresMs?: number;
  /** Milliseconds an answer is remembered within its conversation; 28,800,000, which is eight hours, unless named. */
  readonly rememberMs?: number;
  /** How far beyond its call a yes may reach; all of them unless named. */
  readonly remember?: readonly RememberedScope[];
}

/** How people are asked. */
export interface ApprovalSettings extends ApprovalTerms {
  /** `unsafe_only` unless named. */
  readonly mode?: ApprovalMode;
  /** Asked where neither the call nor the executor names somebody. */
  readonly approver?: Approver;
}

/** Terms with every value decided. */
export type ResolvedTerms = Required<ApprovalTerms>;

const DEFAULT_EXPIRES_MS = 600_000;
const DEFAULT_REMEMBER_MS = 28_800_000;

/** Longest delay a timer keeps. */
const MAX_MS = 2_147_483_647;

/** Decides the terms that hold where several parties name some: the shortest times, and the scopes all of them admit. */
export function resolveTerms(named: readonly (ApprovalTerms | undefined)[]): ResolvedTerms {
  const shortest = (times: readonly (number | undefined)[], usual: number): number => {
    const given = times.filter((time) => time !== undefined);
    return given.length === 0 ? usual : Math.min(...given);
  };
  return {
    expiresMs: shortest(
      named.map((terms) => terms?.expiresMs),
      DEFAULT_EXPIRES_MS,
    ),
    rememberMs: shortest(
      named.map((terms) => terms?.rememberMs),
      DEFAULT_REMEMBER_MS,
    ),
    remember: REMEMBERED_SCOPES.filter((scope) => named.every((terms) => terms?.remember?.includes(scope) ?? true)),
  };
}

const TERMS: readonly string[] = ["expiresMs", "rememberMs", "remember"];

/**
 * Checks settings that code without types may pass; one that is not understood must not become another, or none.
 * @throws AiwError `config_invalid`
 */
export function assertApprovalSettings(settings: unknown, where: string): void {
  if (settings === undefined) return;
  const { mode, approver, ...terms } = toRecord(settings, where);
  if (mode !== undefined) assertApprovalMode(mode, `${where}.mode`);
  if (approver !== undefined && typeof approver !== "function")
    throw invalid(`${where}.approver`, "must be a function");
  assertTerms(terms, where, ["mode", "approver", ...TERMS]);
}

/** The same for settings that say neither who is asked nor about what. @throws AiwError `config_invalid` */
export function assertApprovalTerms(terms: unknown, where: string): void {
  if (terms !== undefined) assertTerms(toRecord(terms, where), where, TERMS);
}

/** Refuses a mode that is none. @throws AiwError `config_invalid` */
export function assertApprovalMode(mode: unknown, where: string): void {
  if (!isApprovalMode(mode)) throw invalid(where, `must be one of ${APPROVAL_MODES.join(", ")}`);
}

/** True for one of the modes. */
function isApprovalMode(mode: unknown): mode is ApprovalMode {
  return APPROVAL_MODES.some((known) => known === mode);
}

type Fields = Readonly<Record<string, unknown>>;

function toRecord(settings: unknown, where: string): Fields {
  if (typeof settings !== "object" || settings === null) throw invalid(where, "must be an object");
  return settings as Fields;
}

function assertTerms(terms: Fields, where: string, known: readonly string[]): void {
  const unknown = Object.keys(terms).find((name) => !TERMS.includes(name));
  if (unknown !== undefined) throw invalid(where, `has no ${JSON.stringify(unknown)}, but ${known.join(", ")}`);
  const { expiresMs, rememberMs, remember } = terms;
  for (const [name, value] of Object.entries({ expiresMs, rememberMs }))
    if (value !== undefined && !isTime(value))
      throw invalid(`${where}.${name}`, `must be a number of milliseconds from 1 to ${MAX_MS}`);
  if (remember !== undefined && !isScopes(remember))
    throw invalid(`${where}.remember`, `must list some of ${REMEMBERED_SCOPES.join(", ")}`);
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && value >= 1 && value <= MAX_MS;
}

function isScopes(value: unknown): boolean {
  return Array.isArray(value) && value.every((scope) => REMEMBERED_SCOPES.some((known) => known === scope));
}

function invalid(where: string, must: string): AiwError {
  return new AiwError("config_invalid", `${where} ${must}.`, {
    fix: 'Write it like { expiresMs: 600000, remember: ["turn", "session"] }, or leave it out for the default.',
  });
}
