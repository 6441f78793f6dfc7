import { escapeHiddenText, nearestNames, type AiwConfig, type Principal } from "@aiw/core";
import type { Invocation } from "../../command.ts";
import { UsageError } from "../../usage-error.ts";

/** Characters of an id; records and limits repeat it. */
const MAX_ID = 256;

/** As many as the configuration may define, and as long. */
const MAX_ROLES = 1000;
const MAX_ROLE = 128;

/** Who stands in for a caller of whom only roles are said: rules speak of roles alone. */
const SOMEBODY = "somebody";

/**
 * Reads who calls: whoever types it is the operator, so it is believed. Undefined for a call that names nobody.
 * @throws UsageError for what is no id or role.
 */
export function readCaller({ flags, lists }: Pick<Invocation, "flags" | "lists">): Principal | undefined {
  const { principal: id } = flags;
  const roles = [...new Set(lists["role"] ?? [])];
  if (typeof id !== "string") {
    if (roles.length > 0)
      throw new UsageError(`--role needs --principal ID: a role is somebody's, and records name who called.`);
    return undefined;
  }
  assertName("--principal", id, MAX_ID);
  return { id, ...(roles.length > 0 && { roles: readRoles(roles) }) };
}

/**
 * Reads whose view is wanted, where a role alone is enough. Undefined where nobody is named.
 * @throws UsageError for what is no id or role.
 */
export function readViewer(invocation: Pick<Invocation, "flags" | "lists">): Principal | undefined {
  const { flags, lists } = invocation;
  if (flags["principal"] !== undefined || lists["role"] === undefined) return readCaller(invocation);
  return { id: SOMEBODY, roles: readRoles([...new Set(lists["role"])]) };
}

/**
 * Refuses roles that `extensions.auth` does not define: a misspelt one would silently give nothing.
 * @throws UsageError
 */
export function assertKnownRoles({ roles = [] }: Principal, { extensions }: AiwConfig): void {
  const known = Object.keys(extensions?.auth?.roles ?? {});
  const unknown = known.length === 0 ? undefined : roles.find((role) => !known.includes(role));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, known, 1);
  const meant = nearest === undefined ? `It defines ${known.join(", ")}.` : `Did you mean ${nearest}?`;
  throw new UsageError(`--role: extensions.auth defines no role ${JSON.stringify(unknown)}. ${meant}`);
}

/** The caller in words. */
export function sayCaller({ id, roles = [] }: Principal): string {
  const held = roles.length === 0 ? "no role" : `${roles.length === 1 ? "role" : "roles"} ${roles.join(", ")}`;
  return id === SOMEBODY ? `somebody with the ${held}` : `${id} (${held})`;
}

/** The flags that mean the caller, for a command to type. */
export function toFlags({ id, roles = [] }: Principal): string {
  const given = id === SOMEBODY ? [] : ["--principal", quote(id)];
  return [...given, ...roles.flatMap((role) => ["--role", quote(role)])].join(" ");
}

function readRoles(roles: readonly string[]): readonly string[] {
  if (roles.length > MAX_ROLES) throw new UsageError(`--role may be given ${MAX_ROLES} times.`);
  for (const role of roles) assertName("--role", role, MAX_ROLE);
  return roles;
}

/** What is recorded under a name that looks like another would name the wrong one. */
function assertName(flag: string, text: string, limit: number): void {
  const isPlain = text.trim() === text && !/[\n\r\t]/u.test(text) && escapeHiddenText(text) === text;
  if (text !== "" && text.length <= limit && isPlain) return;
  throw new UsageError(
    `${flag} is 1 to ${limit} visible characters without spaces around them, not ${JSON.stringify(text.slice(0, 100))}.`,
  );
}

function quote(word: string): string {
  return /^[\w@./:-]+$/u.test(word) ? word : JSON.stringify(word);
}
