import { parseRetryAfter, type WebTarget } from "@aiw/core/node";
import { webError } from "../errors.ts";

const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

// Marks of the common challenge pages; nothing is done to get past them.
const CHALLENGE_MARKS = [
  "/cdn-cgi/challenge-platform/",
  "<title>just a moment...</title>",
  "_incapsula_resource",
  "captcha-delivery.com",
  "px-captcha",
  "checking your browser before accessing",
  "awswafintegration",
];

/** What a failure is judged by. */
export interface FailedResponse {
  readonly target: WebTarget;
  readonly statusCode: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The start of the body, for statuses a challenge may have. */
  readonly start: string;
  readonly now: number;
}

/** Failures whose body may be a page that wants a person. */
export function mayBeChallenge(statusCode: number): boolean {
  return [401, 403, 405, 429, 503].includes(statusCode);
}

/** Says whether a site wants proof of a person in place of giving the page. */
export function isChallenge({
  statusCode,
  headers,
  start,
}: Pick<FailedResponse, "statusCode" | "headers" | "start">): boolean {
  if (headers.get("cf-mitigated") === "challenge") return true;
  if (headers.has("x-amzn-waf-action")) return true;
  const text = start.toLowerCase();
  return mayBeChallenge(statusCode) && CHALLENGE_MARKS.some((mark) => text.includes(mark));
}

/** Makes the failure of a page that answers only to a person. */
export function challengeFailure(target: WebTarget, statusCode: number): Error {
  return webError(
    "bot_challenge",
    `${target.hostname} asks for proof that a person is reading; no disguise is attempted.`,
    {
      details: { status_code: statusCode },
      suggestion: "Use another source, or ask the user to open the page and share its text.",
    },
  );
}

/** Makes the failure of any other status; Retry-After becomes `retry_after_ms`. */
export function httpFailure({ target, statusCode, headers, now }: FailedResponse): Error {
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), now);
  return webError("http_error", `${target.hostname} answered with status ${statusCode}.`, {
    retryable: RETRYABLE.has(statusCode),
    details: { status_code: statusCode, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) },
    suggestion: suggest(statusCode, target, retryAfterMs),
  });
}

function suggest(statusCode: number, { url }: WebTarget, retryAfterMs: number | undefined): string {
  if (statusCode === 404 || statusCode === 410) return `web_fetch(url=${JSON.stringify(`${url.origin}/`)})`;
  if (statusCode === 401 || statusCode === 403 || statusCode === 407) {
    return "The page needs a login or refuses automated readers; use another source.";
  }
  if (RETRYABLE.has(statusCode)) {
    return retryAfterMs === undefined ? "Try again later." : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
  }
  return statusCode >= 500 ? "The site is failing; use another source." : "Check the address, or use another source.";
}
