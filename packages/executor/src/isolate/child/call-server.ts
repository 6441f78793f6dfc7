import type { Duplex } from "node:stream";
import { ToolError, type SessionStore } from "@aiw/core";
import { toWireFailure } from "../wire/failure.ts";
import { LineChannel } from "../wire/line-channel.ts";
import type { HostMessage, ProcessMessage } from "../wire/messages.ts";
import { OpenTools } from "./open-tools.ts";
import { RemoteCall, type CallPorts } from "./remote-call.ts";
import { Sessions } from "./sessions.ts";

/** Does in this process what the host asks for; the host is trusted, the package's code is not. */
export class CallServer implements CallPorts {
  readonly #channel: LineChannel;
  readonly #tools = new OpenTools();
  readonly #sessions = new Sessions();
  readonly #calls = new Map<number, RemoteCall>();

  constructor(stream: Duplex, end: () => void) {
    this.#channel = new LineChannel(stream, {
      onMessage: (message) => void this.#take(message as HostMessage),
      onNonsense: end,
      onClose: end,
    });
    this.tell({ t: "ready" });
  }

  /** What cannot be said is said to be too long or no JSON. */
  tell(message: ProcessMessage): void {
    if (this.#channel.send(message) || !("id" in message)) return;
    const error = new ToolError("invalid_output", "The tool gave more than fits into one message.");
    this.#channel.send({ t: "failed", id: message.id, failure: toWireFailure(error) } satisfies ProcessMessage);
  }

  openSession(number: number, sessionId: string): SessionStore {
    return this.#sessions.open(number, sessionId);
  }

  async #take(message: HostMessage): Promise<void> {
    if (message.t === "abort") return this.#calls.get(message.id)?.abort(message.reason);
    if (message.t === "answer") return this.#calls.get(message.id)?.answer(message);
    try {
      await this.#work(message);
    } catch (thrown) {
      this.tell({ t: "failed", id: message.id, failure: toWireFailure(thrown) });
    }
  }

  async #work(message: Exclude<HostMessage, { readonly t: "abort" | "answer" }>): Promise<void> {
    const { id } = message;
    switch (message.t) {
      case "open":
        return this.tell({ t: "opened", id, ...(await this.#tools.open(message)) });
      case "parse":
        return this.tell({ t: "parsed", id, ...(await this.#tools.parse(message)) });
      case "end_session":
        await this.#sessions.end(message.session);
        return this.tell({ t: "done", id });
      case "assess":
      case "execute": {
        const call = new RemoteCall(message, this.#tools.get(message.tool), this);
        this.#calls.set(id, call);
        try {
          const input = await this.#tools.inputOf(message);
          this.tell(await call.run(input));
        } finally {
          this.#calls.delete(id);
          await call.end();
        }
      }
    }
  }
}
