import { dataToolOrigin, ToolError, type Tool } from "@aiw/core";
import { invalidImplementation } from "./invalid-implementation.ts";
import { isRecord } from "../../call/is-record.ts";

/** Variables of the host by name. */
export interface HostEnvironment {
  readonly [name: string]: string | undefined;
}

/** Whose specs may name which variables of the host. */
export interface SecretGrants {
  /** Names of variables by the key of the package whose specs may refer to them. */
  readonly secrets?: { readonly [packageKey: string]: readonly string[] };
  /** The process's own unless named. */
  readonly environment?: HostEnvironment;
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The variable that `{ "$env": "NAME" }` names; undefined for anything that is no reference. */
export function readReference(value: unknown, member: string): string | undefined {
  if (!isRecord(value)) return undefined;
  const { $env: name, ...rest } = value;
  if (typeof name === "string" && VARIABLE.test(name) && Object.keys(rest).length === 0) return name;
  throw invalidImplementation(member, 'must be a text or { "$env": "NAME" }');
}

/**
 * Reads a variable of the host for a spec that may.
 * @throws ToolError `not_configured` when the variable is not set, or the spec may not read it.
 */
export function readVariable(name: string, tool: Tool, { secrets = {}, environment }: SecretGrants): string {
  const origin = dataToolOrigin(tool);
  const owner = origin?.package;
  const granted = owner !== undefined && Object.hasOwn(secrets, owner) ? secrets[owner] : undefined;
  if (origin?.readsEnvironment !== true && granted?.includes(name) !== true) {
    throw new ToolError(
      "not_configured",
      `The tool's spec refers to the variable ${name}, which nobody lets it read.`,
      {
        suggestion:
          owner === undefined
            ? "Ask the operator to define the tool with { readsEnvironment: true }."
            : `Ask the operator to list it in the configuration: { "executors": { "secrets": { ${JSON.stringify(owner)}: [${JSON.stringify(name)}] } } }.`,
      },
    );
  }
  const host = environment ?? hostEnvironment();
  const value = Object.hasOwn(host, name) ? host[name] : undefined;
  if (value !== undefined) return value;
  throw new ToolError("not_configured", `The tool needs the variable ${name}, which is not set.`, {
    suggestion: `Ask the operator to set ${name} in the environment of this process.`,
  });
}

function hostEnvironment(): HostEnvironment {
  return typeof process === "undefined" ? {} : process.env;
}
