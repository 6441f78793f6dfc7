import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { AiwError } from "@aiw/core";
import { oneLine } from "../../output/one-line.ts";
import { hasEnded, stopTree } from "./process-tree.ts";

/** How the command ended. */
export interface EndedCommand {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What is run, and where. */
export interface HostedCommandOptions {
  /** A program and its arguments; no shell reads them. */
  readonly commandLine: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** It reads keys of a terminal, so it has to stay in our group, which the terminal gives them to. */
  readonly inTerminal: boolean;
}

/** The agent that the tools are served to; started again it is another process under the same name. */
export class HostedCommand {
  readonly #options: HostedCommandOptions;
  #child: ChildProcess | undefined;

  constructor(options: HostedCommandOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child);
  }

  /**
   * Starts it; the promise tells when it has ended by itself, and stays open when it was stopped.
   * @throws AiwError `command_failed` when there is no such program.
   */
  async start(ended: (how: EndedCommand) => void): Promise<void> {
    const { commandLine, cwd, environment } = this.#options;
    const [file = "", ...args] = commandLine;
    const isWindows = process.platform === "win32";
    const child = spawn(file, args, {
      cwd,
      env: environment,
      stdio: "inherit",
      detached: this.#isGroup,
      shell: isWindows,
    });
    child.once("exit", (code, signal) => {
      if (this.#child === child) ended({ code, signal });
    });
    this.#child = child;
    try {
      await once(child, "spawn");
    } catch (cause) {
      this.#child = undefined;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AiwError("command_failed", `${oneLine(file)} cannot be started: ${oneLine(why)}`, {
        fix: "Name a program of this machine after --, such as: -- node agent.js",
        cause,
      });
    }
  }

  /** Ends it and what it started; its end is nobody's news then. */
  async stop(signal?: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined) await stopTree({ child, isGroup: this.#isGroup }, signal);
  }

  get #isGroup(): boolean {
    return !this.#options.inTerminal && process.platform !== "win32";
  }
}
