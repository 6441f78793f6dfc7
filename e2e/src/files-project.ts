import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { strangersEnvironment } from "./managers.ts";
import { createProject, type Project } from "./project.ts";
import type { Ended, RunOptions } from "./run.ts";
import { talk, type Answer, type Step } from "./talk.ts";
import { theWorld } from "./world.ts";

/** A project that has the file tools, in which each test works in a folder of its own. */
export class FilesProject {
  #project: Project | undefined;
  #home = "";
  #folders = 0;
  /** Where tools work. */
  cwd = "";

  async open(): Promise<void> {
    this.#home = await mkdtemp(join(tmpdir(), "aiw-files-"));
    this.#project = await createProject(theWorld(), "npm");
    await this.project.install("@aiw/cli", "@aiw/executor", "@aiw/plugin-filesystem");
  }

  async close(): Promise<void> {
    await this.#project?.[Symbol.asyncDispose]();
    await rm(this.#home, { recursive: true, force: true });
  }

  async nextFolder(): Promise<void> {
    this.#folders += 1;
    this.cwd = join(this.project.dir, `work${this.#folders}`);
    await mkdir(this.cwd);
  }

  get project(): Project {
    if (this.#project === undefined) throw new Error("The project is made before the first test.");
    return this.#project;
  }

  /** Where people record what they trust, and what undo gives back lies. */
  get home(): string {
    return this.#home;
  }

  get settings(): Required<Pick<RunOptions, "cwd" | "environment" | "env">> {
    const environment = strangersEnvironment(theWorld().caches);
    const env = { AIW_CONFIG_HOME: join(this.home, "config"), AIW_STATE_HOME: join(this.home, "state") };
    return { cwd: this.cwd, environment, env };
  }

  /** Calls tools one after the other in one conversation. */
  async say(...steps: readonly Step[]): Promise<Answer[]> {
    return await talk(this.project, steps, this.settings);
  }

  async aiw(...args: readonly string[]): Promise<Ended> {
    return await this.project.aiw(args, this.settings);
  }

  /** Calls one tool by its name. */
  async call(name: string, input: object, ...flags: readonly string[]): Promise<Ended> {
    return await this.aiw("call", name, "--input", JSON.stringify(input), ...flags);
  }

  async write(path: string, content: string): Promise<void> {
    const file = join(this.cwd, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async textOf(path: string): Promise<string> {
    return await readFile(join(this.cwd, path), "utf8");
  }
}

/** Makes the project before the tests of a file, and removes it behind them. */
export function useFilesProject(): FilesProject {
  const files = new FilesProject();
  beforeAll(async () => await files.open());
  beforeEach(async () => await files.nextFolder());
  afterAll(async () => await files.close());
  return files;
}
