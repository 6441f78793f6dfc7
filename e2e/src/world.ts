import { inject } from "vitest";
import type { RegistryAddress } from "./local-registry.ts";
import type { Managers } from "./managers.ts";

/** What all tests of a run share: made once, handed over as data. */
export interface World {
  readonly registry: RegistryAddress;
  readonly managers: Managers;
  /** The managers' caches and stores. */
  readonly caches: string;
  /** The `aiw` of a global folder, which has a tool package beside it. */
  readonly globalAiw: string;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly world: World;
  }
}

/** The world of this run. */
export function theWorld(): World {
  return inject("world");
}
