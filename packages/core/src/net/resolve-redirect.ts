import { ToolError } from "../errors/tool-error.ts";
import { parseUrl, type WebTarget } from "./parse-url.ts";

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

/** Says whether a status with a Location header asks for another request. */
export function isRedirect(statusCode: number): boolean {
  return REDIRECT_STATUSES.has(statusCode);
}

/**
 * Gives the next target of a redirect, parsed like any other (SEC-NET-4).
 * @throws ToolError `blocked_url` for a step from https to http, `invalid_url` or `blocked_url` for an unusable address.
 */
export function resolveRedirect(from: WebTarget, location: string): WebTarget {
  const next = parseUrl(location, { base: from.url });
  if (from.url.protocol === "https:" && next.url.protocol === "http:") {
    throw new ToolError(
      "blocked_url",
      `${from.hostname} redirects from https to http (${next.hostname}), which is refused.`,
    );
  }
  return next;
}

/** Leaves out credentials when a request goes to another origin (SEC-NET-4). */
export function headersForTarget(
  headers: Readonly<Record<string, string>>,
  from: WebTarget,
  to: WebTarget,
): Readonly<Record<string, string>> {
  if (from.url.origin === to.url.origin) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIAL_HEADERS.has(name.toLowerCase())));
}
