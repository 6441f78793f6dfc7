import {
  ACCEPT_ENCODING,
  headersForTarget,
  isRedirect,
  readBody,
  resolveRedirect,
  sendRequest,
  tooLarge,
  toNetworkError,
  type Deadline,
  type HopResponse,
  type NetworkPorts,
  type TargetPolicy,
  type WebTarget,
} from "@aiw/core/node";
import { webError } from "../errors.ts";
import { challengeFailure, httpFailure, isChallenge, mayBeChallenge } from "./http-failure.ts";

const MAX_REDIRECTS = 5;
const MAX_CHALLENGE_BYTES = 64 * 1024;

/** Bytes of a decoded body. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** Validators of an earlier copy, sent only to the address they came from. */
export interface PageValidators {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** What one exchange needs. */
export interface FetchPageOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly policy: TargetPolicy;
  readonly ports: NetworkPorts;
  readonly deadline: Deadline;
  /** Called before each request; throws when the host has had enough. */
  readonly admit: (hostname: string) => void;
  /** Called before a body is read; throws when it is of no use. */
  readonly inspect: (contentType: string | undefined) => void;
  readonly validators?: PageValidators | undefined;
}

/** One page as it was received. */
export interface FetchedPage {
  readonly finalUrl: string;
  /** The addresses between the first and the last. */
  readonly redirects: readonly string[];
  readonly statusCode: number;
  readonly contentType: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly body: Uint8Array;
  /** No answer on the way forbade a copy or set a cookie. */
  readonly mayBeStored: boolean;
  /** The earlier copy still holds; `body` is empty. */
  readonly isNotModified: boolean;
}

/**
 * Fetches a page, following redirects by hand: each one is a new request through all checks (SEC-NET-4).
 * @throws ToolError of the network catalogue.
 */
export async function fetchPage(first: WebTarget, options: FetchPageOptions): Promise<FetchedPage> {
  const visited = [first.url.href];
  let target = first;
  let headers = options.headers;
  let mayBeStored = !hasCredentials(headers);
  for (;;) {
    options.policy.assertTarget(target);
    options.admit(target.hostname);
    const request = { method: "GET", headers: requestHeaders(headers, target, options.validators) };
    await using response = await sendRequest(request, { target, ...options });
    mayBeStored &&= isStorable(response);
    const location = isRedirect(response.statusCode) ? response.headers.get("location") : undefined;
    if (location === undefined) return await receivePage(response, { ...options, target, visited, mayBeStored });
    const next = resolveRedirect(target, location);
    assertNewStep(visited, next);
    visited.push(next.url.href);
    headers = headersForTarget(headers, target, next);
    target = next;
  }
}

interface ReceiveOptions extends FetchPageOptions {
  readonly target: WebTarget;
  readonly visited: readonly string[];
  readonly mayBeStored: boolean;
}

async function receivePage(response: HopResponse, options: ReceiveOptions): Promise<FetchedPage> {
  const { statusCode, headers } = response;
  const isNotModified = statusCode === 304 && options.validators?.url === options.target.url.href;
  const start = mayBeChallenge(statusCode) ? await readStart(response, options) : "";
  if (isChallenge({ statusCode, headers, start })) throw challengeFailure(options.target, statusCode);
  if (!isNotModified && (statusCode < 200 || statusCode > 299)) {
    throw httpFailure({ target: options.target, statusCode, headers, start, now: options.ports.now() });
  }
  if (!isNotModified) options.inspect(headers.get("content-type"));
  return {
    finalUrl: options.target.url.href,
    redirects: options.visited.slice(1, -1),
    statusCode,
    contentType: headers.get("content-type"),
    etag: headers.get("etag"),
    lastModified: headers.get("last-modified"),
    body: isNotModified ? new Uint8Array() : await readWhole(response, options),
    mayBeStored: options.mayBeStored && (statusCode === 200 || isNotModified),
    isNotModified,
  };
}

async function readWhole(response: HopResponse, options: ReceiveOptions): Promise<Uint8Array> {
  options.deadline.enter("body");
  if (Number(response.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
  try {
    const encoding = response.headers.get("content-encoding");
    return await readBody(response.body, { encoding, maxBytes: MAX_BODY_BYTES, signal: options.deadline.signal });
  } catch (error) {
    throw toNetworkError(error, options);
  }
}

/** The start of an error page; one that cannot be read says nothing. */
async function readStart(response: HopResponse, { deadline }: ReceiveOptions): Promise<string> {
  deadline.enter("body");
  try {
    const encoding = response.headers.get("content-encoding");
    const bytes = await readBody(response.body, {
      encoding,
      maxBytes: MAX_CHALLENGE_BYTES,
      keepStart: true,
      signal: deadline.signal,
    });
    return new TextDecoder().decode(bytes);
  } catch {
    deadline.signal.throwIfAborted();
    return "";
  }
}

function requestHeaders(
  headers: Readonly<Record<string, string>>,
  target: WebTarget,
  validators: PageValidators | undefined,
): Readonly<Record<string, string>> {
  const isSame = validators?.url === target.url.href;
  return {
    ...headers,
    "accept-encoding": ACCEPT_ENCODING,
    ...(isSame && validators.etag !== undefined && { "if-none-match": validators.etag }),
    ...(isSame && validators.lastModified !== undefined && { "if-modified-since": validators.lastModified }),
  };
}

function assertNewStep(visited: readonly string[], next: WebTarget): void {
  if (visited.includes(next.url.href)) {
    throw webError("http_error", `The redirects lead in a circle, back to ${next.url.href.slice(0, 300)}.`, {
      details: { redirects: visited.length },
    });
  }
  if (visited.length > MAX_REDIRECTS) {
    throw webError("http_error", `More than ${MAX_REDIRECTS} redirects.`, { details: { redirects: visited.length } });
  }
}

function isStorable({ headers }: HopResponse): boolean {
  return !headers.has("set-cookie") && !/\bno-store\b/i.test(headers.get("cache-control") ?? "");
}

function hasCredentials(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization" || name.toLowerCase() === "cookie");
}
