import type { Socket } from "node:net";

/** The network and the clock as exchanges use them; tests replace them. */
export interface NetworkPorts {
  /** Every address of a name, best first. */
  lookup(hostname: string): Promise<readonly string[]>;
  /** Opens one connection to an address; resolves when connected. */
  dial(address: string, port: number, signal: AbortSignal): Promise<Socket>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Certificate authorities to trust instead of Node's own. */
  readonly certificateAuthorities?: string;
}

/** The real network and clock; Node's modules for it load at the first use, since most processes that can reach the network never do. */
export const nodePorts: NetworkPorts = {
  async lookup(hostname) {
    const { lookup } = await import("node:dns/promises");
    const answers = await lookup(hostname, { all: true, order: "verbatim" });
    return answers.map(({ address }) => address);
  },
  dial,
  now: () => Date.now(),
};

async function dial(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { connect } = await import("node:net");
  return await new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // An address is given, never a name: nothing is resolved here a second time.
    const socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true });
    const settle = (): void => {
      signal.removeEventListener("abort", abort);
      socket.removeListener("connect", succeed);
      socket.removeListener("error", failed);
    };
    const succeed = (): void => {
      settle();
      resolve(socket);
    };
    const failed = (error: Error): void => {
      settle();
      socket.destroy();
      reject(error);
    };
    const abort = (): void =>
      failed(signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"));
    signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", succeed);
    socket.once("error", failed);
  });
}
