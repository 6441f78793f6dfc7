import { ToolError } from "@aiw/core";
import {
  ACCEPT_ENCODING,
  isRedirect,
  resolveRedirect,
  sendRequest,
  type Deadline,
  type HopResponse,
  type NetworkPorts,
  type TargetPolicy,
  type WebTarget,
} from "@aiw/core/node";
import type { BuiltRequest } from "./build-request.ts";

/** What an exchange needs of the host. */
export interface ExchangeScope {
  readonly policy: TargetPolicy;
  readonly ports: NetworkPorts;
  readonly deadline: Deadline;
}

const MAX_REDIRECTS = 5;

/** All that another origin is told: credentials may be in any header a spec sets (SEC-NET-4). */
const TOLD_TO_OTHERS = ["accept", "user-agent"];

/**
 * Sends a request and follows redirects, each one a new request through all checks; gives what `receive` makes of the last answer.
 * @throws ToolError of the network.
 */
export async function exchange<Answer>(
  first: BuiltRequest,
  scope: ExchangeScope,
  receive: (response: HopResponse, target: WebTarget) => Promise<Answer>,
): Promise<Answer> {
  let request = first;
  for (let redirects = 0; ; redirects += 1) {
    const { target, method, headers, body } = request;
    const hop = { method, headers: { ...headers, "accept-encoding": ACCEPT_ENCODING }, body };
    await using response = await sendRequest(hop, { target, ...scope });
    const location = isRedirect(response.statusCode) ? response.headers.get("location") : undefined;
    if (location === undefined) return await receive(response, target);
    if (redirects === MAX_REDIRECTS) throw new ToolError("http_error", `More than ${MAX_REDIRECTS} redirects.`);
    request = redirect(request, response.statusCode, resolveRedirect(target, location));
  }
}

function redirect(request: BuiltRequest, statusCode: number, target: WebTarget): BuiltRequest {
  const becomesGet = statusCode === 303 || (statusCode < 303 && request.method === "POST");
  const { headers } = request;
  const next: BuiltRequest = becomesGet
    ? { ...request, method: "GET", headers: without(headers, ["content-type"]), body: undefined, target }
    : { ...request, target };
  if (target.url.origin === request.target.url.origin) return next;
  // What was approved was approved for the host in the spec.
  if (next.method !== "GET") {
    throw new ToolError(
      "blocked_url",
      `${request.target.hostname} sends a ${next.method} on to ${target.hostname}, which is refused.`,
    );
  }
  return {
    ...next,
    headers: without(
      headers,
      Object.keys(headers).filter((name) => !TOLD_TO_OTHERS.includes(name)),
    ),
  };
}

function without(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
