import type { ValidatedCall } from "@aiw/core";

/** What is known of a call of a conversation when its repetitions are looked for. */
export interface BegunCall {
  /** What is equal for equal calls; absent where repetitions do not matter. */
  readonly key: string | undefined;
  /** What the key is of: a person may edit it. */
  readonly validated: ValidatedCall | undefined;
  /** Its place among beginnings and ends of the conversation's calls. */
  readonly began: number;
  /** How many calls had changed something before. */
  readonly changes: number;
  /** How often the same came of it in a row, itself included. */
  times: number;
}
