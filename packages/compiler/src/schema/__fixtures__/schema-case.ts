import type { JsonSchema } from "@aiw/core";
import type { SchemaDirection } from "../schema-context.ts";

/** One type and what is made of it. */
export interface SchemaCase {
  readonly name: string;
  /** As in `type Case = …`. */
  readonly type: string;
  /** What stands before it in its file. */
  readonly declarations?: string;
  /** Input unless given. */
  readonly direction?: SchemaDirection;
  readonly schema: JsonSchema;
  readonly dates?: readonly string[];
  /** Codes of what is said without refusing. */
  readonly remarks?: readonly string[];
  /** Values of the type, and values that are none. */
  readonly valid?: readonly unknown[];
  readonly invalid?: readonly unknown[];
}

/** One type that is refused. */
export interface RefusedCase {
  readonly name: string;
  readonly type: string;
  readonly declarations?: string;
  readonly direction?: SchemaDirection;
  readonly code: string;
  /** The remark is made where the source has this text. */
  readonly at?: string;
  /** Part of the message, the path above all. */
  readonly says: string;
  /** Part of the advice. */
  readonly fix: string;
}
