import type { Repository } from "../names/repository.ts";
import type { Language, License, PackageManager, Template, TestRunner } from "./choices.ts";

/** What a command line says; what it leaves out is asked for or has a default. */
export interface Given {
  /** As it was written, relative to the working directory. */
  readonly directory?: string;
  readonly template?: Template;
  readonly language?: Language;
  readonly name?: string;
  readonly description?: string;
  readonly tool?: string;
  readonly license?: License;
  readonly test?: TestRunner;
  readonly packageManager?: PackageManager;
  readonly repository?: Repository;
  readonly install?: boolean;
  readonly git?: boolean;
  /** Asks nothing. */
  readonly yes: boolean;
  /** Adds to a folder that has something in it. */
  readonly force: boolean;
}

/** All that is known of the package to make, and legal. */
export interface Answers {
  readonly directory: string;
  readonly template: Template;
  readonly language: Language;
  readonly name: string;
  readonly description: string;
  readonly tool: string;
  readonly license: License;
  readonly test: TestRunner;
  readonly packageManager: PackageManager;
  readonly repository?: Repository;
  readonly install: boolean;
  readonly git: boolean;
  readonly force: boolean;
}
