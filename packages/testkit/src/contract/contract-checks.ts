import { deepStrictEqual, fail, ok } from "node:assert/strict";
import {
  compileDefinitions,
  cursorAt,
  descend,
  isSecret,
  isTool,
  isToolPackage,
  type JsonSchema,
  type Tool,
} from "@aiw/core";
import { callChecks } from "./call-checks.ts";
import type { ContractCheck } from "./contract-check.ts";
import type { ContractOptions, ContractSubject } from "./contract-subject.ts";
import { definitionChecks } from "./definition-checks.ts";
import { exampleChecks } from "./example-checks.ts";
import { packageJsonChecks } from "./package-json-checks.ts";

/** Names of options that are secrets, whatever stands before them. */
const SECRET_NAME =
  /(^|_)(password|passwd|passphrase|secret|token|credential|credentials|api_?key|access_?key|private_?key|secret_?key)$/;

/**
 * Gives the contract as a list of checks, for any test runner:
 * `for (const check of contractChecks({ tools })) it(check.name, check.run)`.
 */
export function contractChecks(subject: ContractSubject): ContractCheck[] {
  const { tools, packageDir } = subject;
  const list = isToolPackage(tools) ? tools.tools : tools;
  return [
    ...listChecks(list, isToolPackage(tools) ? tools.optionsSchema : undefined),
    ...list.flatMap((tool) => toolChecks(tool, subject)),
    ...(packageDir === undefined ? [] : packageJsonChecks(packageDir)),
  ];
}

/** What holds for tools that are offered together. */
export function listChecks(tools: readonly Tool[], optionsSchema: JsonSchema | undefined): ContractCheck[] {
  return [
    {
      name: "offers at least one tool",
      run: async () => ok(tools.length > 0, "The package has no tool: defineToolPackage({ tools: [...] })."),
    },
    {
      name: "gives each tool a name of its own",
      run: async () => {
        const { omitted } = compileDefinitions(
          tools.filter((tool) => isTool(tool)).map(({ spec }) => spec),
          { format: "openai" },
        );
        const twins = omitted.filter(({ fix }) => fix.startsWith("Rename"));
        deepStrictEqual(
          twins.map(({ name, reason, fix }) => `${name}: ${reason}. ${fix}`),
          [],
        );
      },
    },
    {
      name: "marks options that hold secrets",
      run: async () => {
        const open = findOpenSecrets(optionsSchema ?? {});
        ok(
          open.length === 0,
          `${open.join(", ")}: mark the schema of each with writeOnly: true or format: "password", so that no message shows its value; with zod: .meta({ writeOnly: true }).`,
        );
      },
    },
  ];
}

/** What holds for one tool. */
export function toolChecks(tool: Tool, options: ContractOptions): ContractCheck[] {
  if (!isTool(tool)) return [noTool(tool)];
  return [...definitionChecks(tool), ...callChecks(tool, options), ...exampleChecks(tool, options)];
}

/** Nothing else can be said of it. */
function noTool(value: unknown): ContractCheck {
  const { spec } = Object(value) as { readonly spec?: { readonly name?: unknown } };
  return {
    name: `${typeof spec?.name === "string" ? spec.name : "what is given"} is a tool of this contract`,
    run: async () => fail("The tool has no brand: make it with defineTool, BaseTool or adaptTool."),
  };
}

function findOpenSecrets(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property !== "object" || ["boolean", "number", "integer"].includes(String(property.type))) return [];
    const inner = findOpenSecrets(property).map((below) => `${name}.${below}`);
    const isNamedSecret = SECRET_NAME.test(name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase());
    return isNamedSecret && !isSecret(descend(cursorAt(schema), name)) ? [name, ...inner] : inner;
  });
}
