import type { JsonObject, ToolContext, ValidatedCall } from "@aiw/core";
import { createSecretMask, createTargetPolicy, nodePorts, startDeadline, type NetworkPorts } from "@aiw/core/node";
import { compileOnce } from "../data/compile-once.ts";
import type { SecretGrants } from "../data/environment-reference.ts";
import type { Executor } from "../executor.ts";
import { buildRequest, type BuiltRequest } from "./build-request.ts";
import { compileRequest } from "./compile-request.ts";
import { exchange } from "./exchange.ts";
import { readAnswer } from "./read-answer.ts";
import { toTraceHeaders } from "./to-trace-headers.ts";

/** What an operator grants to tools of type `http`. */
export interface HttpGrants extends SecretGrants {
  /** Targets that may be reached although they are not public, such as `127.0.0.1:8080` or `wiki.corp.example`. */
  readonly allowPrivate?: readonly string[];
  /** When given, the only hosts that are reached; `*.example.com` means its subdomains. */
  readonly allowedHosts?: readonly string[];
  /** Hosts that are never reached. */
  readonly blockedHosts?: readonly string[];
  /** Bytes of a decoded answer, whatever a spec says; 5 MiB unless named. */
  readonly maxBytes?: number;
}

/** How tools of type `http` are run. */
export interface HttpExecutorOptions {
  /** The grants as they are at each call. */
  readonly grants?: () => HttpGrants;
  /** Further headers for every request of a call; the spec's own win. */
  readonly headersOf?: (call: ValidatedCall, context: ToolContext) => Readonly<Record<string, string>>;
  /** Replaces the network and the clock. */
  readonly ports?: NetworkPorts;
}

const MAX_BYTES = 5 * 1024 * 1024;
const IDEMPOTENCY_KEY = /^[\u0021-\u007e]{1,255}$/;

/**
 * Makes the executor of type `http`, whose specs say `{ "method": "GET", "url": "https://api.example.com/users/{id}" }`: one
 * request to a public address, or one the operator allows, checked where it is dialled and at every redirect.
 */
export function httpExecutor({
  grants = () => ({}),
  headersOf,
  ports = nodePorts,
}: HttpExecutorOptions = {}): Executor {
  const compile = compileOnce(({ spec }) => compileRequest(spec));
  const build = ({ tool, arguments: input }: ValidatedCall, granted: HttpGrants): BuiltRequest =>
    buildRequest(compile(tool), { input: input as JsonObject, tool, grants: granted, secrets: new Map() });
  return Object.freeze<Executor>({
    assertRunnable: (call) => {
      const granted = grants();
      toPolicy(granted).assertTarget(build(call, granted).target);
    },
    execute: async (call, context) => {
      const granted = grants();
      const request = build(call, granted);
      const headers = {
        ...toTraceHeaders(context.traceContext),
        ...lower(headersOf?.(call, context)),
        ...toIdempotency(request.method, context),
        ...request.headers,
      };
      const { response, maxBytes = MAX_BYTES } = compile(call.tool);
      using deadline = startDeadline(context.signal);
      const scope = { policy: toPolicy(granted), ports, deadline };
      const reading = {
        ...scope,
        response,
        maxBytes: Math.min(maxBytes, granted.maxBytes ?? MAX_BYTES),
        // Servers repeat what they are told, in failures above all.
        mask: request.secrets.size === 0 ? undefined : createSecretMask({}, request.secrets),
      };
      return await exchange({ ...request, headers }, scope, (answer, target) => readAnswer(answer, target, reading));
    },
  });
}

function toPolicy({
  allowPrivate = [],
  allowedHosts,
  blockedHosts = [],
}: HttpGrants): ReturnType<typeof createTargetPolicy> {
  return createTargetPolicy({
    allowPrivate,
    blockedHosts,
    ...(allowedHosts !== undefined && { allowedHosts }),
    setting: "executors.http.allowPrivate in the configuration",
  });
}

function lower(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A service that knows the key does the work of a repeated call once. */
function toIdempotency(method: string, { idempotencyKey }: ToolContext): Readonly<Record<string, string>> {
  if (method === "GET" || idempotencyKey === undefined || !IDEMPOTENCY_KEY.test(idempotencyKey)) return {};
  return { "idempotency-key": idempotencyKey };
}
