import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { SessionKey, SessionKeyContext } from "../contract/tool-context.ts";
import type { InferOptions } from "./define-tool.ts";

/** How a value of session state is made and closed. */
export interface SessionKeyDefinition<Value, Options> {
  /** The package's options schema, for the type of `context.options`. */
  readonly options?: Options;
  create(context: SessionKeyContext<InferOptions<Options>>): Value | Promise<Value>;
  /** Called once when the conversation ends. */
  dispose?(value: Value): void | Promise<void>;
}

/** Names a value of per-conversation state; call it `package/what`. */
export function sessionKey<Value, Options extends StandardSchemaV1 | undefined = undefined>(
  name: string,
  definition: SessionKeyDefinition<Value, Options>,
): SessionKey<Value> {
  return Object.freeze({
    name,
    create: (context: SessionKeyContext<never>) => definition.create(context),
    ...(definition.dispose && { dispose: definition.dispose.bind(definition) }),
  });
}
