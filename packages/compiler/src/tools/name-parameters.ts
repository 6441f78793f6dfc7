import { ts } from "@ts-morph/common";
import type { Report } from "../docs/read-constraints.ts";
import type { CallParameter } from "./call-parameters.ts";
import type { Candidate } from "./candidate.ts";

/** Names the arguments of a function that takes them one by one: as the decorator says, as the code does, or as the comment does. */
export function nameParameters(
  parameters: readonly CallParameter[],
  { decorator, doc }: Candidate,
  report: Report,
): readonly string[] {
  const given = decorator?.values["parameters"];
  if (decorator !== undefined && given !== undefined) {
    if (isNameList(given) && given.length === parameters.length) return given;
    report({
      code: "decorator_invalid",
      severity: "error",
      message: `\`parameters\` of @tool does not name ${parameters.length} different parameters.`,
      fix: "Write one name for each parameter, in their order, or leave `parameters` out.",
      node: decorator.node,
    });
  }
  const documented = [...new Set((doc?.parameters ?? []).map(({ path }) => path[0] ?? ""))];
  return parameters.map(({ symbol, declaration, node }, index) => {
    if (declaration === undefined || ts.isIdentifier(declaration.name)) return symbol.name;
    const name = documented[index];
    if (name !== undefined && name !== "") return name;
    report({
      code: "parameter_unnamed",
      severity: "error",
      message: `Parameter ${index + 1} is taken apart and has no name for a model.`,
      fix: "Take all arguments as one object, or write a line `@param name - …` for every parameter, in their order.",
      node,
    });
    return `argument${index + 1}`;
  });
}

function isNameList(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === "string" && name !== "") &&
    new Set(value).size === value.length
  );
}
