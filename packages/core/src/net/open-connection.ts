import type { Socket } from "node:net";

import { ToolError } from "../errors/tool-error.ts";
import { isSameAddress } from "./classify-address.ts";
import type { Deadline } from "./deadline.ts";
import type { NetworkPorts } from "./network-ports.ts";
import type { WebTarget } from "./parse-url.ts";
import type { TargetPolicy } from "./target-policy.ts";

/** How long one of several addresses may take before the next is tried. */
const ATTEMPT_MS = 5_000;
const MAX_ADDRESSES = 64;

/** What a connection needs to know. */
export interface ConnectionOptions {
  readonly target: WebTarget;
  readonly policy: TargetPolicy;
  readonly ports: NetworkPorts;
  readonly deadline: Deadline;
}

/**
 * Opens a connection to a target: the name is resolved once, every answer is checked, a checked address is dialled, and the
 * connected address is compared before anything is sent (SEC-NET-3, SEC-NET-5).
 * @throws ToolError `blocked_url`, `blocked_address`, `dns_failed`, `connection_failed`, `tls_failed`, `timeout` or `cancelled`.
 */
export async function openConnection(options: ConnectionOptions): Promise<Socket> {
  const { target, deadline } = options;
  deadline.enter("dns");
  const addresses = await resolveChecked(options);
  deadline.enter("connect");
  let socket = await dialFirst(addresses, options);
  if (target.url.protocol === "https:") {
    deadline.enter("tls");
    socket = await secure(socket, options);
  }
  deadline.enter("headers");
  return socket;
}

async function resolveChecked({ target, policy, ports, deadline }: ConnectionOptions): Promise<readonly string[]> {
  policy.assertTarget(target);
  const addresses = target.isLiteral ? [target.hostname] : await resolveName(target.hostname, { ports, deadline });
  for (const address of addresses) policy.assertAddress(target, address);
  return addresses;
}

async function resolveName(
  hostname: string,
  { ports, deadline }: Pick<ConnectionOptions, "ports" | "deadline">,
): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await deadline.race(ports.lookup(hostname));
  } catch (error) {
    if (ToolError.is(error)) throw error;
    throw new ToolError("dns_failed", `The name ${hostname} cannot be resolved.`, {
      cause: error,
      suggestion: "Check the spelling of the host, or fetch another source.",
    });
  }
  if (addresses.length === 0 || addresses.length > MAX_ADDRESSES) {
    throw new ToolError("dns_failed", `The name ${hostname} resolves to ${addresses.length} addresses.`);
  }
  return addresses;
}

async function dialFirst(addresses: readonly string[], options: ConnectionOptions): Promise<Socket> {
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    try {
      return await dialChecked(address, index === addresses.length - 1, options);
    } catch (error) {
      if (ToolError.is(error)) throw error;
      failure = error;
    }
  }
  const { hostname, port } = options.target;
  throw new ToolError("connection_failed", `No connection to ${hostname}, port ${port} (${errorCode(failure)}).`, {
    cause: failure,
  });
}

async function dialChecked(
  address: string,
  isLast: boolean,
  { target, policy, ports, deadline }: ConnectionOptions,
): Promise<Socket> {
  const signal = isLast ? deadline.signal : AbortSignal.any([deadline.signal, AbortSignal.timeout(ATTEMPT_MS)]);
  const socket = await ports.dial(address, target.port, signal);
  const connected = socket.remoteAddress;
  try {
    if (connected === undefined || !isSameAddress(connected, address)) {
      throw new ToolError(
        "blocked_address",
        `The connection to ${target.hostname} reached another address than the one checked.`,
      );
    }
    policy.assertAddress(target, connected);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

async function secure(socket: Socket, { target, ports, deadline }: ConnectionOptions): Promise<Socket> {
  const { connect: connectTls } = await import("node:tls");
  return await new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      host: target.hostname,
      ...(!target.isLiteral && { servername: target.hostname }),
      ALPNProtocols: ["http/1.1"],
      ...(ports.certificateAuthorities !== undefined && { ca: ports.certificateAuthorities }),
    });
    const settle = (): void => {
      deadline.signal.removeEventListener("abort", abort);
      secured.removeListener("secureConnect", succeed);
      secured.removeListener("error", failed);
      secured.removeListener("close", closed);
    };
    const fail = (reason: unknown): void => {
      settle();
      // A late alert of the peer must not become an uncaught error.
      secured.on("error", () => undefined);
      secured.destroy();
      socket.destroy();
      reject(toError(reason));
    };
    const succeed = (): void => {
      settle();
      resolve(secured);
    };
    const abort = (): void => fail(deadline.signal.reason);
    const failed = (error: Error): void =>
      fail(
        new ToolError("tls_failed", `No secure connection to ${target.hostname} (${errorCode(error)}).`, {
          cause: error,
          suggestion: "The site's certificate or protocol is at fault; fetch another source.",
        }),
      );
    const closed = (): void => failed(Object.assign(new TypeError("closed"), { code: "closed by the peer" }));
    deadline.signal.addEventListener("abort", abort, { once: true });
    secured.once("secureConnect", succeed);
    secured.once("error", failed);
    secured.once("close", closed);
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error
    ? reason
    : new ToolError("connection_failed", "The connection failed.", { cause: reason });
}

/** The system's short word for a failure, without addresses. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string") return code.slice(0, 60);
  return error instanceof Error ? error.name : "unknown";
}
