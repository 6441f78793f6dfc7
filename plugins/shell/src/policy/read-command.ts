import type { Command, Redirection as RedirectionNode } from "unbash";
import { readWord, type KnownVariables, type Reading } from "./read-word.ts";
import type { AssignedVariable, Redirection } from "./simple-command.ts";
import { ask, type Finding } from "./verdict.ts";

/** What reading needs to know, and where it notes what is wrong. */
export interface Reader {
  readonly findings: Finding[];
  readonly variables: KnownVariables;
}

/** The name and arguments of a command, one reading for each argument it will have. */
export function readWords(node: Command, variables: KnownVariables): Reading[] {
  const nodes = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  return nodes.flatMap((each) => {
    if (each.type === "Word") return readWord(each, variables);
    // `export a=b`: an argument that assigns.
    if (each.value.type === "ArrayValue" || each.index !== undefined) return [unknownReading(each.text)];
    const prefix = `${each.name}${each.append === true ? "+" : ""}=`;
    return readWord(each.value, variables).map(({ value, ...reading }) => ({
      ...reading,
      text: each.text,
      ...(value !== undefined && { value: prefix + value }),
    }));
  });
}

/** Variables set for this command alone, or for the shell when it stands alone. */
export function readAssignments(node: Command, variables: KnownVariables): AssignedVariable[] {
  return node.prefix.flatMap((each) => {
    if (each.type !== "Assignment") return [];
    const reading =
      each.value.type === "Word" && each.index === undefined ? readWord(each.value, variables)[0] : undefined;
    return [{ name: each.name, reading: reading ?? unknownReading(each.text) }];
  });
}

/** The file a redirection opens, if any. */
export function readRedirection(node: RedirectionNode, reader: Reader): Redirection | undefined {
  if (node.type === "HereDoc") {
    // The parser does not call an unfinished here-document an error.
    if (node.closing === undefined) reader.findings.push(ask("unparsed", "a here-document is not finished"));
    return undefined;
  }
  if (node.type === "HereString") return undefined;
  const [target] = node.target === undefined ? [] : readWord(node.target, reader.variables);
  if (target === undefined) {
    reader.findings.push(ask("unparsed", "a redirection has no target"));
    return undefined;
  }
  // `2>&1` and `>&-` copy or close a descriptor and open nothing.
  if (/&$/.test(node.operator) && /^(\d+-?|-)$/.test(target.value ?? "")) return undefined;
  return { writes: node.operator !== "<" && node.operator !== "<&", target };
}

/** True when it gives the command something to read. */
export function isInput(node: RedirectionNode): boolean {
  return node.type !== "Redirect" || node.operator === "<" || node.operator === "<>" || node.operator === "<&";
}

function unknownReading(text: string): Reading {
  return { text, glob: false, harmless: false, splits: false };
}
