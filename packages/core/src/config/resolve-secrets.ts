import { toPointer } from "../schema/json-pointer.ts";
import { AiwError } from "../errors/aiw-error.ts";

/** Environment variables by name. */
export interface Environment {
  readonly [name: string]: string | undefined;
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces every `{ "$env": "NAME" }` by the variable's value, in a copy.
 * @throws AiwError `config_invalid` when a reference is malformed or its variable is not set.
 */
export function resolveSecrets(value: unknown, environment: Environment): unknown {
  return resolve(value, environment, "");
}

function resolve(value: unknown, environment: Environment, pointer: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => resolve(item, environment, `${pointer}/${index}`));
  if (Object.hasOwn(value, "$env")) return readVariable(value, environment, pointer);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, resolve(member, environment, `${pointer}${toPointer([key])}`)]),
  );
}

function readVariable(reference: object, environment: Environment, pointer: string): string {
  const { $env: name, ...rest } = reference as { readonly $env?: unknown };
  if (typeof name !== "string" || !VARIABLE.test(name) || Object.keys(rest).length > 0) {
    throw new AiwError("config_invalid", `${pointer || "/"} must be { "$env": "NAME" } and nothing else.`, {
      fix: 'Write { "$env": "NAME" } with the name of an environment variable.',
      details: { pointer },
    });
  }
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (value !== undefined) return value;
  throw new AiwError("config_invalid", `${pointer || "/"} needs the environment variable ${name}, which is not set.`, {
    fix: `Set ${name} in the environment of this process.`,
    details: { pointer, variable: name },
  });
}
