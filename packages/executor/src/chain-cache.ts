import type { ToolEntry } from "@aiw/core";
import { createChain, type Chain, type ChainParts } from "./create-chain.ts";
import type { ExtensionManager } from "./extend/extension-manager.ts";

/** The chain of every tool, made at its first call and again when the extensions have changed. */
export class ChainCache {
  readonly #extensions: ExtensionManager;
  readonly #parts: ChainParts;
  #version = -1;
  #byEntry = new WeakMap<ToolEntry, Chain>();
  #unknown: Chain | undefined;

  constructor(extensions: ExtensionManager, parts: ChainParts) {
    this.#extensions = extensions;
    this.#parts = parts;
  }

  /** What a call of the tool goes through; without one, what a call of a tool nobody has goes through. */
  chainOf(entry: ToolEntry | undefined): Chain {
    if (this.#version !== this.#extensions.version) this.#forget();
    const known = entry === undefined ? this.#unknown : this.#byEntry.get(entry);
    return known ?? this.#create(entry);
  }

  #create(entry: ToolEntry | undefined): Chain {
    const chain = createChain(this.#parts, this.#extensions.activeFor(entry));
    if (entry === undefined) this.#unknown = chain;
    else this.#byEntry.set(entry, chain);
    return chain;
  }

  #forget(): void {
    this.#version = this.#extensions.version;
    this.#byEntry = new WeakMap();
    this.#unknown = undefined;
  }
}
