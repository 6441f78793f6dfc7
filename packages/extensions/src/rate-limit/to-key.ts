import { createHash } from "node:crypto";
import type { RateLimitSubject } from "@aiw/core";
import type { ExtensionCall } from "@aiw/executor";

/** Names what a call is counted under; undefined for a call that is not counted. */
export type CountedBy = (call: ExtensionCall) => string | undefined;

/** Characters of a key; a longer one is counted under its digest. */
const MAX_LENGTH = 200;

/** Makes the key of calls that are counted apart by some subjects; no two lists of values have the same key. */
export function countBy(subjects: readonly RateLimitSubject[]): CountedBy {
  const [only, ...others] = subjects;
  if (only === undefined) return () => "all";
  if (others.length === 0) return (call) => toSingleKey(READ[only](call));
  return (call) => JSON.stringify(subjects.map((subject) => READ[subject](call) ?? null));
}

/** Bounds a key. @throws TypeError for what is none. */
export function toBoundedKey(key: unknown): string {
  if (typeof key !== "string") throw new TypeError("What a call is counted under is no text.");
  return key.length <= MAX_LENGTH ? key : `#${createHash("sha256").update(key).digest("base64url")}`;
}

/** Calls without the subject are counted together, and with nobody who has one. */
function toSingleKey(value: string | undefined): string {
  return value === undefined ? "-" : `=${value}`;
}

const READ: { readonly [subject in RateLimitSubject]: (call: ExtensionCall) => string | undefined } = {
  principal: ({ principal }) => (principal === undefined ? undefined : toText(principal.id)),
  session: ({ sessionId }) => sessionId,
  tool: ({ toolId }) => toolId,
  package: ({ entry }) => entry?.origin.package,
  category: ({ spec }) => spec?.metadata.category,
};

/** A principal whose id is no text must not be counted with others. @throws TypeError */
function toText(id: unknown): string {
  if (typeof id === "string") return id;
  throw new TypeError("A principal has no id.");
}
