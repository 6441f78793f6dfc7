import type { Tool } from "@aiw/core";

/** One promise of the contract; `run` throws an assertion error when it is broken. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void>;
}

/** Makes a check that is named after a tool. */
export function nameCheck({ spec }: Tool, name: string, run: () => void | Promise<void>): ContractCheck {
  return { name: `${spec.name} ${name}`, run: async () => run() };
}
