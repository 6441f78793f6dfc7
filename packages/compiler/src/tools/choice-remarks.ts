import type { ts } from "@ts-morph/common";
import type { Doc } from "../docs/read-doc.ts";
import type { PickedSignature } from "./pick-signature.ts";
import type { Remark } from "../docs/read-constraints.ts";

const SUMMARY = "Write what it does as the first sentence of the comment, or @internal to say that none is meant.";

/** Tags alone do not say what something does. */
function lack(doc: Doc | undefined): string {
  return doc === undefined
    ? "has no documentation comment"
    : "has a documentation comment without a summary before its tags";
}

/** Says of a function that nothing says what it does. */
export function undocumented(
  name: string,
  node: ts.Node,
  { doc, isOneOfMany }: Pick<PickedSignature, "doc" | "isOneOfMany">,
): Remark {
  return {
    code: "export_undocumented",
    severity: "info",
    message: `${name.slice(0, 80)} ${lack(doc)}, so it is no tool.`,
    fix:
      doc !== undefined
        ? SUMMARY
        : isOneOfMany
          ? "Write /** What it does. */ above the overload that is the tool, or @internal to say that none is meant."
          : "Write /** What it does. */ above it, or @internal to say that none is meant.",
    node,
  };
}

/** Says which form of a function is the tool. */
export function overloaded(name: string, node: ts.Node): Remark {
  return {
    code: "overload_chosen",
    severity: "info",
    message: `${name.slice(0, 80)} is overloaded; its last documented form is the tool.`,
    fix: "Document only the form that is meant for a model, or export a function of its own for it.",
    node,
  };
}

/** Says of what is documented beside a package of tools that it is not one of them. */
export function notOfPackage(name: string, node: ts.Node): Remark {
  return {
    code: "left_to_code",
    severity: "info",
    message: `${name.slice(0, 80)} is no tool: the default export says what the tools of the package are.`,
    fix: "Write @tool in its comment, or in those of its methods, if it is meant to be one too.",
    node,
  };
}

/** Says of a class that its code tells its definition. */
export function baseTool(name: string, node: ts.Node): Remark {
  return {
    code: "left_to_code",
    severity: "info",
    message: `${name.slice(0, 80)} is a BaseTool: its code tells its definition.`,
    fix: "Nothing is to be done: the tool is read from the built module.",
    node,
  };
}

/** Says of a class that nothing says what it is for. */
export function undocumentedClass(name: string, node: ts.Node, doc: Doc | undefined): Remark {
  return {
    code: "export_undocumented",
    severity: "info",
    message: `The class ${name.slice(0, 80)} ${lack(doc)}, so its methods are no tools.`,
    fix:
      doc !== undefined ? SUMMARY : "Write /** What it is for. */ above it, or @internal to say that none are meant.",
    node,
  };
}

/** Says of a method that nothing says what it does. */
export function undocumentedMethod(name: string, node: ts.Node, doc: Doc | undefined): Remark {
  return {
    code: "method_undocumented",
    severity: "info",
    message: `${name.slice(0, 80)} ${lack(doc)}, so it is no tool.`,
    fix: doc !== undefined ? SUMMARY : "Write /** What it does. */ above it, or @internal to say that none is meant.",
    node,
  };
}

/** Says of a documented class that nothing of it is documented. */
export function withoutMethods(name: string, node: ts.Node): Remark {
  return {
    code: "class_without_tools",
    severity: "info",
    message: `${name.slice(0, 80)} has no documented public method, so nothing of it is a tool.`,
    fix: "Document the methods that are tools, or write @internal to say that none are meant.",
    node,
  };
}

/** Says of an object with documented functions that these are no tools. */
export function functionsOfObject(name: string, node: ts.Node): Remark {
  return {
    code: "object_no_tool",
    severity: "info",
    message: `${name.slice(0, 80)} is an object; its functions are no tools.`,
    fix: "Export each function by itself or a class with them as methods, or write @internal above it to say that none is meant.",
    node,
  };
}

/** Says of a documented field that it is no method, though it is called like one. */
export function fieldNoMethod(owner: string, node: ts.Node): Remark {
  return {
    code: "field_no_method",
    severity: "info",
    message: `A field of ${owner.slice(0, 80)} holds a function; only methods are tools.`,
    fix: "Write it as a method, or @internal to say that none is meant.",
    node,
  };
}
