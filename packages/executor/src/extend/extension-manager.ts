import { AiwError, matchGlob, nearestNames, type OfferFacts, type Principal, type ToolEntry } from "@aiw/core";
import { catchLate } from "../call/to-promise.ts";
import { stageIndex } from "../pipeline/stages.ts";
import { assertExtension, assertScope } from "./assert-extension.ts";
import type { Extension, ExtensionPriority, ExtensionScope } from "./extension.ts";

/** An extension and where it stands. */
export interface RegisteredExtension {
  readonly extension: Extension;
  /** Absent when it is active for every tool. */
  readonly scope?: ExtensionScope;
  /** False while it is suspended. */
  readonly active: boolean;
}

const PRIORITIES: readonly ExtensionPriority[] = ["highest", "high", "normal", "low", "lowest"];

/** The extensions of an executor, in the order their hooks run: by stage, then priority, then registration. */
export class ExtensionManager {
  #registered: readonly RegisteredExtension[] = [];
  #version = 0;
  /** Those that decide what is offered. */
  #narrowing: readonly RegisteredExtension[] = [];
  #closing: Promise<void> | undefined;

  /** @throws AiwError `config_invalid` for what is no extension, or has the name of another. */
  constructor(extensions: readonly Extension[] = []) {
    for (const extension of extensions) this.register(extension);
  }

  /** Takes a list for a manager of its own. @throws AiwError `config_invalid` */
  static from(given: readonly Extension[] | ExtensionManager = []): ExtensionManager {
    return given instanceof ExtensionManager ? given : new ExtensionManager(given);
  }

  /** Rises with every change; what was made from an earlier one is out of date. */
  get version(): number {
    return this.#version;
  }

  /**
   * Adds an extension, for every tool or for those of a scope; calls that run keep the extensions they began with.
   * @throws AiwError `config_invalid` for what is no extension, has the name of another, or comes when all have been closed.
   */
  register(extension: Extension, scope?: ExtensionScope): this {
    assertExtension(extension);
    if (this.#closing !== undefined)
      throw new AiwError(
        "config_invalid",
        `Nobody would close ${JSON.stringify(extension.name)}: the executor was closed.`,
        {
          fix: "Register it before, or make another executor.",
        },
      );
    if (scope !== undefined) assertScope(scope, extension.name);
    if (this.#registered.some((one) => one.extension.name === extension.name))
      throw new AiwError(
        "config_invalid",
        `An extension named ${JSON.stringify(extension.name)} is registered already.`,
        {
          fix: "Unregister it first, or give this one a name of its own.",
        },
      );
    this.#set([...this.#registered, { extension, active: true, ...(scope !== undefined && { scope }) }]);
    return this;
  }

  /** Takes an extension out and closes it; false for a name that none has. */
  async unregister(name: string): Promise<boolean> {
    const found = this.#registered.find(({ extension }) => extension.name === name);
    if (found === undefined) return false;
    this.#set(this.#registered.filter((one) => one !== found));
    await found.extension.close?.();
    return true;
  }

  /** Sets which tools an extension is active for; every tool without a scope. @throws AiwError `config_invalid` for an unknown name. */
  activate(name: string, scope?: ExtensionScope): void {
    if (scope !== undefined) assertScope(scope, name);
    this.#change(name, ({ extension, active }) => ({ extension, active, ...(scope !== undefined && { scope }) }));
  }

  /** Leaves an extension out of new calls until it is resumed. @throws AiwError `config_invalid` for an unknown name. */
  suspend(name: string): void {
    this.#change(name, (one) => ({ ...one, active: false }));
  }

  /** Takes a suspended extension in again. @throws AiwError `config_invalid` for an unknown name. */
  resume(name: string): void {
    this.#change(name, (one) => ({ ...one, active: true }));
  }

  /** Every extension in the order its hooks run, suspended ones too. */
  list(): readonly RegisteredExtension[] {
    return this.#registered;
  }

  /** The extensions a call of the tool goes through; a tool nobody has goes through those for every tool. */
  activeFor(tool: ToolEntry | undefined): readonly Extension[] {
    return this.#registered.filter((one) => one.active && isInScope(one.scope, tool)).map(({ extension }) => extension);
  }

  /** False for a tool that some extension hides from the caller; one that throws, or does not say yes, hides it (SEC-APR-5). */
  isOffered(tool: ToolEntry, principal: Principal | undefined, facts: OfferFacts): boolean {
    return this.#narrowing.every(({ extension, scope }) => {
      try {
        if (!isInScope(scope, tool)) return true;
        const answer: unknown = extension.isOffered?.(tool, principal, facts);
        catchLate(answer, () => undefined);
        return answer === true;
      } catch {
        return false;
      }
    });
  }

  /** True while some extension decides what is offered. */
  get narrowsOffers(): boolean {
    return this.#narrowing.length > 0;
  }

  /** Closes every extension, last ones first; all are closed even when one fails to. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closings = this.#registered.toReversed().map(async ({ extension }) => extension.close?.());
    const failed = (await Promise.allSettled(closings)).flatMap((one) =>
      one.status === "rejected" ? [one.reason as unknown] : [],
    );
    if (failed.length > 0) throw new AggregateError(failed, "Some extensions could not be closed.");
  }

  #change(name: string, change: (one: RegisteredExtension) => RegisteredExtension): void {
    const names = this.#registered.map(({ extension }) => extension.name);
    if (!names.includes(name)) {
      const [nearest] = nearestNames(name, names, 1);
      throw new AiwError("config_invalid", `No extension is named ${JSON.stringify(name)}.`, {
        fix: nearest === undefined ? `Registered: ${names.join(", ") || "none"}.` : `Did you mean ${nearest}?`,
      });
    }
    this.#set(this.#registered.map((one) => (one.extension.name === name ? change(one) : one)));
  }

  #set(registered: readonly RegisteredExtension[]): void {
    this.#registered = Object.freeze(registered.toSorted(compare));
    this.#narrowing = this.#registered.filter(({ active, extension }) => active && extension.isOffered !== undefined);
    this.#version += 1;
  }
}

function compare({ extension: a }: RegisteredExtension, { extension: b }: RegisteredExtension): number {
  return stageIndex(a.stage) - stageIndex(b.stage) || rank(a) - rank(b);
}

function rank({ priority = "normal" }: Extension): number {
  return PRIORITIES.indexOf(priority);
}

function isInScope(scope: ExtensionScope | undefined, tool: ToolEntry | undefined): boolean {
  if (scope === undefined) return true;
  if (tool === undefined) return false;
  const { tools = [], categories = [] } = scope;
  if (tools.some((pattern) => matchGlob(pattern, tool.id) || matchGlob(pattern, tool.name))) return true;
  if (categories.length === 0) return false;
  // Of a tool whose definition is not known yet nobody can say that it is not of the category.
  return tool.spec === undefined || categories.includes(tool.spec.metadata.category ?? "");
}
