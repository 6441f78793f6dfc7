import type { InputRequest, ToolContext, ToolLog } from "@aiw/core";
import { decodeValue } from "../wire/decode-value.ts";
import { encodeValue } from "../wire/encode-value.ts";
import { toWireFailure } from "../wire/failure.ts";
import { isRecord } from "../../call/is-record.ts";
import type { IsolatedProcess, WorkEvent } from "./isolated-process.ts";

/** Questions one call may have open. */
const MAX_QUESTIONS = 1000;

const LEVELS = ["debug", "info", "warn", "error"] as const satisfies readonly (keyof ToolLog)[];

/** What the host does for one call while it runs elsewhere. */
export class ServedWork {
  readonly #process: IsolatedProcess;
  readonly #context: ToolContext<unknown>;
  readonly #openSession: () => Promise<number>;
  /** What its questions were answered with where that was a failure; the tool may pass it on. */
  readonly #failures = new Map<number, unknown>();
  #open = 0;
  /** Known once the work was asked for. */
  id = 0;

  constructor(process: IsolatedProcess, context: ToolContext<unknown>, openSession: () => Promise<number>) {
    this.#process = process;
    this.#context = context;
    this.#openSession = openSession;
  }

  take(event: WorkEvent): void {
    switch (event.t) {
      case "output":
        return this.#context.emitOutput(event.chunk, { channel: event.channel });
      case "progress":
        return this.#progress(decodeValue(event.progress));
      case "log":
        return this.#log(event);
      case "ask":
        return void this.#answer(event);
    }
  }

  /** The failure as it was, where the tool only passed it on. */
  originalOf(ask: number | undefined): unknown {
    return ask === undefined ? undefined : this.#failures.get(ask);
  }

  #progress(told: unknown): void {
    const { progress, total, message } = isRecord(told) ? told : {};
    if (typeof progress !== "number") return;
    this.#context.emitProgress({
      progress,
      ...(typeof total === "number" && { total }),
      ...(typeof message === "string" && { message }),
    });
  }

  #log({ level, message, fields }: Extract<WorkEvent, { readonly t: "log" }>): void {
    const known = LEVELS.find((one) => one === level);
    const facts = decodeValue(fields);
    if (known !== undefined) this.#context.log[known](message, isRecord(facts) ? facts : undefined);
  }

  async #answer(question: Extract<WorkEvent, { readonly t: "ask" }>): Promise<void> {
    const { id } = this;
    const { ask } = question;
    if (this.#open >= MAX_QUESTIONS) return this.#process.kill("it asked too much at once");
    this.#open += 1;
    try {
      this.#process.tell({ t: "answer", id, ask, value: encodeValue(await this.#find(question)) });
    } catch (thrown) {
      if (this.#failures.size < MAX_QUESTIONS) this.#failures.set(ask, thrown);
      this.#process.tell({ t: "answer", id, ask, failure: toWireFailure(thrown) });
    } finally {
      this.#open -= 1;
    }
  }

  #find(question: Extract<WorkEvent, { readonly t: "ask" }>): Promise<unknown> {
    switch (question.kind) {
      case "session":
        return this.#openSession();
      case "input":
        return this.#context.requestInput(question.key, toRequest(decodeValue(question.request)));
      case "call":
        return this.#context.callTool(question.name, decodeValue(question.input));
    }
  }
}

function toRequest(value: unknown): InputRequest {
  const { message, schema } = isRecord(value) ? value : {};
  return {
    message: typeof message === "string" ? message : "",
    ...(isRecord(schema) && { schema: schema as NonNullable<InputRequest["schema"]> }),
  };
}
