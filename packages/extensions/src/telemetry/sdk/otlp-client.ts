import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { OtlpOptions } from "../telemetry-options.ts";

/** The part of a collector's address that a signal adds. */
export type OtlpSignal = "traces" | "metrics";

/** Milliseconds one request may take. */
const REQUEST_MS = 10_000;

/** Requests for one batch. */
const MAX_ATTEMPTS = 3;

/** Milliseconds before another request for the same batch, each time twice as long. */
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 5000;

/** Answers after which the convention says to try again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface Answer {
  readonly sent: boolean;
  readonly again: boolean;
  readonly afterMs?: number;
}

const UNREACHABLE: Answer = { sent: false, again: true };

/** Sends batches to a collector. Nothing of it keeps a process alive, and it can be ended at any time. */
export class OtlpClient {
  readonly #urls: { readonly [Signal in OtlpSignal]: URL };
  readonly #headers: { readonly [name: string]: string };
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #request: typeof httpRequest;
  /** Ends waiting before another request. */
  readonly #hurry = new AbortController();
  /** Ends requests too. */
  readonly #stop = new AbortController();
  readonly #sending = new Set<Promise<boolean>>();

  constructor({ endpoint, headers = {}, protocol = "http/json" }: OtlpOptions) {
    const base = endpoint.endsWith("/") ? endpoint : `${endpoint}/`;
    this.#urls = { traces: new URL("v1/traces", base), metrics: new URL("v1/metrics", base) };
    this.#headers = {
      ...headers,
      "content-type": protocol === "http/json" ? "application/json" : "application/x-protobuf",
    };
    const isSecure = this.#urls.traces.protocol === "https:";
    this.#agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    this.#request = isSecure ? httpsRequest : httpRequest;
  }

  /** False when the batch is lost; never rejects. */
  send(signal: OtlpSignal, body: Uint8Array): Promise<boolean> {
    const sending = this.#try(signal, body).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    return sending;
  }

  /** Waits for what is on its way. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  /** From now on nothing waits before it is tried for the last time. */
  hurry(): void {
    this.#hurry.abort();
  }

  /** Ends requests and connections. */
  close(): void {
    this.#hurry.abort();
    this.#stop.abort();
    this.#agent.destroy();
  }

  async #try(signal: OtlpSignal, body: Uint8Array): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#post(this.#urls[signal], body).catch(() => UNREACHABLE);
      if (answer.sent) return true;
      if (!answer.again || attempt === MAX_ATTEMPTS || this.#hurry.signal.aborted) return false;
      const waitMs = Math.min(answer.afterMs ?? FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
      await delay(waitMs, undefined, { ref: false, signal: this.#hurry.signal }).catch(() => undefined);
    }
  }

  #post(url: URL, body: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = this.#request(
        url,
        {
          method: "POST",
          agent: this.#agent,
          headers: { ...this.#headers, "content-length": body.byteLength },
          signal: this.#stop.signal,
          timeout: REQUEST_MS,
        },
        (response) => {
          response.on("error", reject);
          // What it says beside its status is of no use here.
          response.resume();
          resolve(toAnswer(response));
        },
      );
      request.on("socket", (socket) => socket.unref());
      request.on("timeout", () => request.destroy());
      request.on("error", reject);
      request.end(body);
    });
  }
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage): Answer {
  if (statusCode >= 200 && statusCode < 300) return { sent: true, again: false };
  const seconds = Number(headers["retry-after"]);
  const isWish = headers["retry-after"] !== undefined && Number.isFinite(seconds) && seconds >= 0;
  return { sent: false, again: RETRYABLE.has(statusCode), ...(isWish && { afterMs: seconds * 1000 }) };
}
