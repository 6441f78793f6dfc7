import * as path from "node:path";
import type { Invocation } from "../../command.ts";
import type { CliIo } from "../../io.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { ManifestMaker, type MadeManifest } from "../author/manifest/manifest-maker.ts";
import { readAuthorPackage, type AuthorPackage, type AuthorPackageOptions } from "../author/read-author-package.ts";
import { hasScript } from "../author/run-script.ts";
import { followChanges } from "../author/watch/follow-changes.ts";
import type { WatchedFiles } from "../author/watch/file-states.ts";
import {
  sayBuilding,
  sayChanged,
  sayCommand,
  sayFailure,
  sayRefusal,
  saySnapshot,
  toServedId,
  withExisting,
  type DevListener,
} from "./dev-events.ts";
import { findRefusal } from "./find-refusal.ts";
import { HostedCommand, type EndedCommand } from "./hosted-command.ts";
import { runBuildScript } from "./run-build-script.ts";
import { ServedFolder } from "./served-folder.ts";

/** What is served, to whom. */
export interface DevOptions extends Pick<Invocation, "io" | "cwd" | "json" | "commandLine"> {
  readonly dir: string;
  readonly files: AuthorPackageOptions;
  /** Starts the command again at each good build, for hosts that do not watch. */
  readonly restart: boolean;
}

/** Builds, serves and goes on until somebody ends it; nothing of it is left then. */
export async function runDev(options: DevOptions): Promise<ExitCode> {
  const author = await readAuthorPackage(options.dir, options.files);
  const served = new ServedFolder(options.dir);
  const clean = (): void => served.close();
  process.once("exit", clean);
  const session = new DevSession(options, served);
  try {
    return await session.run(author);
  } finally {
    await session.close();
    process.off("exit", clean);
    clean();
  }
}

/** One `aiw dev` from its start to its end. */
class DevSession {
  readonly #options: DevOptions;
  readonly #served: ServedFolder;
  readonly #listener: DevListener;
  /** Of whoever is served. */
  readonly #environment: CliIo["environment"];
  readonly #maker: ManifestMaker;
  readonly #command: HostedCommand | undefined;
  readonly #end = new AbortController();
  readonly #releases: (() => void)[] = [];
  #outcome: ExitCode = EXIT.interrupted;
  #wasInterrupted = false;
  #hasServed = false;
  #written: { readonly manifest?: string; readonly folder?: string } = {};

  constructor(options: DevOptions, served: ServedFolder) {
    const { io, cwd, json, commandLine, dir, files } = options;
    this.#options = options;
    this.#served = served;
    this.#maker = new ManifestMaker(dir, { ...files, signal: this.#end.signal });
    const hasCommand = commandLine.length > 0;
    this.#listener = { io, cwd, json, hasCommand, maker: this.#maker };
    const environment = { ...io.environment, AIWHISPERER_PLUGINS_DIR: withExisting(served.dir, io) };
    this.#environment = environment;
    const inTerminal = io.interactive;
    this.#command = hasCommand ? new HostedCommand({ commandLine, cwd, environment, inTerminal }) : undefined;
  }

  async run(author: AuthorPackage): Promise<ExitCode> {
    const { io, dir } = this.#options;
    // Known before the first look, or the first build would itself be a change.
    this.#noteWritten(author);
    sayBuilding(author.name, this.#listener);
    this.#listen();
    this.#releases.push(io.onTerminate(() => this.#finish(EXIT.interrupted)));
    await followChanges({
      files: this.#watched(dir),
      signal: this.#end.signal,
      work: (hasChanged) => this.#round(hasChanged),
    });
    return this.#outcome;
  }

  async close(): Promise<void> {
    for (const release of this.#releases) release();
    await this.#command?.stop(this.#wasInterrupted ? "SIGINT" : "SIGTERM");
  }

  /** A command at the terminal was sent Ctrl-C by that, and may mean something else by it than its end. */
  #listen(): void {
    const { io } = this.#options;
    const release = io.onInterrupt(() => {
      this.#listen();
      this.#wasInterrupted = true;
      if (io.interactive && this.#command?.isRunning === true) return;
      this.#finish(EXIT.interrupted);
    });
    this.#releases.push(release);
  }

  #finish(outcome: ExitCode): void {
    if (this.#end.signal.aborted) return;
    this.#outcome = outcome;
    this.#end.abort();
  }

  /** What a build writes is no reason for another. */
  #watched(dir: string): WatchedFiles {
    const isIgnored = (file: string, isFolder: boolean): boolean =>
      isFolder ? file === this.#written.folder : file === this.#written.manifest || file.endsWith(".tsbuildinfo");
    return { dir, elsewhere: () => this.#maker.files, isIgnored };
  }

  #noteWritten(author: AuthorPackage): void {
    const { dir, module, manifestPath } = author;
    const folder = path.dirname(path.join(dir, module));
    const isOfScript = hasScript(author, "build") && folder !== dir;
    this.#written = { manifest: path.join(dir, manifestPath), ...(isOfScript && { folder }) };
  }

  /** Builds and serves what came of it; what fails changes nothing for those who are served. */
  async #round(hasChanged: () => boolean): Promise<void> {
    const { dir, files, io, restart } = this.#options;
    const { signal } = this.#end;
    try {
      const author = await readAuthorPackage(dir, files);
      this.#noteWritten(author);
      if (hasScript(author, "build")) await runBuildScript(author, { environment: io.environment, signal });
      const made = await this.#maker.make();
      if (!(await this.#served.publish(made))) return;
      this.#saySnapshot(made);
      if (!this.#hasServed) await this.#sayRefusal(made);
    } catch (error) {
      if (signal.aborted) return;
      if (hasChanged()) return sayChanged(this.#listener);
      return sayFailure(error, { hasServed: this.#hasServed }, this.#listener);
    }
    const isFirst = !this.#hasServed;
    this.#hasServed = true;
    if (isFirst || restart) await this.#startCommand();
  }

  #saySnapshot(made: MadeManifest): void {
    saySnapshot(made, { dir: this.#served.dir, isFirst: !this.#hasServed }, this.#listener);
  }

  /** Before an agent starts that would find nothing. */
  async #sayRefusal({ author }: MadeManifest): Promise<void> {
    const { cwd } = this.#options;
    const refusal = await findRefusal({ cwd, environment: this.#environment, id: toServedId(author.name) });
    if (refusal !== undefined) sayRefusal(refusal, this.#listener);
  }

  async #startCommand(): Promise<void> {
    const command = this.#command;
    if (command === undefined || this.#end.signal.aborted) return;
    if (command.isRunning) sayCommand("Starting the command again.", this.#listener);
    await command.stop();
    await command.start((how) => this.#noteEnd(how));
  }

  #noteEnd({ code, signal }: EndedCommand): void {
    if (code === 0) return this.#finish(EXIT.ok);
    if (this.#wasInterrupted || signal === "SIGINT" || code === EXIT.interrupted) return this.#finish(EXIT.interrupted);
    const how = signal ?? `exit code ${code}`;
    if (this.#options.restart)
      return sayCommand(`The command ended with ${how}; it starts again at the next good build.`, this.#listener);
    sayCommand(`The command ended with ${how}.`, this.#listener);
    this.#finish(EXIT.failed);
  }
}
