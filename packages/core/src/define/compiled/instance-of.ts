import { AiwError } from "../../errors/aiw-error.ts";
import type { AnyClass } from "./find-method.ts";

/** One instance serves all tools of a class in this process. */
const instances = new WeakMap<AnyClass, object>();

/**
 * Gives the one instance of a class, made without arguments when it is first asked for.
 * @throws AiwError `tool_definition_invalid`; a constructor that failed is tried again the next time.
 */
export function instanceOf(owner: AnyClass): object {
  const known = instances.get(owner);
  if (known !== undefined) return known;
  const made = construct(owner);
  instances.set(owner, made);
  return made;
}

function construct(owner: AnyClass): object {
  try {
    return Reflect.construct(owner, []) as object;
  } catch (cause) {
    throw new AiwError("tool_definition_invalid", `new ${owner.name || "the class"}() fails: ${String(cause)}`, {
      fix: "Keep work that can fail out of the constructor, which is given no arguments, or export an instance.",
      cause,
    });
  }
}
