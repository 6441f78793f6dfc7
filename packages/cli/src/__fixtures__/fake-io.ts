import { PassThrough, Readable } from "node:stream";
import type { CliIo } from "../io.ts";

/** A world without a terminal that remembers what was printed. */
export interface FakeIo {
  readonly io: CliIo;
  stdout(): string;
  stderr(): string;
  /** Types at the terminal; only where there is one. */
  type(text: string): void;
  /** Presses Ctrl-C. */
  interrupt(): void;
  /** Calls the function when this text appears in stderr. */
  when(text: string, action: () => void): void;
}

/** What a world has beyond its folder. */
export interface FakeWorld {
  readonly input?: string;
  readonly columns?: number;
  /** Standard output is one. */
  readonly terminal?: boolean;
  /** Without the real one's, so that no test reads or writes what the user trusts. */
  readonly environment?: CliIo["environment"];
  /** Somebody sits at a terminal. */
  readonly interactive?: boolean;
}

/** Makes a world in a folder. */
export function fakeIo(
  cwd: string,
  { input = "", columns, environment = {}, interactive = false, terminal = false }: FakeWorld = {},
): FakeIo {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  const printed = { stdout: "", stderr: "" };
  const actions: { text: string; action: () => void }[] = [];
  const listeners = new Set<() => void>();
  const stream = (name: "stdout" | "stderr"): PassThrough =>
    new PassThrough().setEncoding("utf8").on("data", (chunk: string) => {
      printed[name] += chunk;
      if (name === "stderr") {
        for (const entry of actions.splice(0)) {
          if (printed.stderr.includes(entry.text)) entry.action();
          else actions.push(entry);
        }
      }
    });
  return {
    io: {
      stdin: interactive ? keyboard : Readable.from([input]),
      stdout: Object.assign(stream("stdout"), { isTTY: terminal }),
      stderr: stream("stderr"),
      cwd,
      environment: { AIW_CONFIG_HOME: `${cwd}.config`, ...environment },
      interactive,
      ...(columns !== undefined && { columns, talkColumns: columns }),
      onInterrupt(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onTerminate: () => () => undefined,
    },
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    type: (text) => void keyboard.write(text),
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    when: (text, action) => void actions.push({ text, action }),
  };
}
