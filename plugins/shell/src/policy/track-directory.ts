import { forEachChild, type SyntaxNode } from "unbash";
import type { KnownVariables } from "./read-word.ts";
import { resolveLogical, resolvePhysical } from "./resolve-path.ts";
import { getProgram, type Directories, type SimpleCommand } from "./simple-command.ts";

/** Where the shell may be after a command that succeeded, and after one that failed. */
export interface After {
  readonly success: Directories;
  readonly failure: Directories;
}

const MAX_PLACES = 8;
/** Commands that may leave the shell in another directory, or run text we did not read. */
const MOVERS = new Set(["pushd", "popd", "eval", "source", "."]);
/** Prefixes behind which `cd` and the like still move this shell. */
const PREFIXES = new Set(["builtin", "command", "exec"]);

/** Where the shell is afterwards: `cd` moves it, some commands move it in ways not followed here. */
export function trackDirectory(command: SimpleCommand, variables: KnownVariables): After {
  const { directories } = command;
  const program = getProgram(command);
  if (command.words.length === 0) return { success: directories, failure: directories };
  if (program === undefined || isMover(program, command)) return { success: undefined, failure: undefined };
  if (program !== "cd") return { success: directories, failure: directories };
  return { success: resolveMove(command, directories, variables), failure: directories };
}

function isMover(program: string, command: SimpleCommand): boolean {
  if (!PREFIXES.has(program)) return MOVERS.has(program);
  const inner = command.words.slice(1).find((word) => word.value === undefined || !word.value.startsWith("-"));
  return (
    inner !== undefined &&
    (inner.value === undefined || inner.value === "cd" || MOVERS.has(inner.value) || PREFIXES.has(inner.value))
  );
}

function resolveMove(command: SimpleCommand, directories: Directories, variables: KnownVariables): Directories {
  const [target = { value: variables.get("HOME"), glob: false }, ...more] = command.words.slice(1);
  const { value } = target;
  if (value === undefined || target.glob || more.length > 0 || value.startsWith("-") || value === "") return undefined;
  if (command.assignments.length > 0) return undefined;
  return directories?.flatMap((each) => {
    const ways = new Set([resolveLogical(each, value), resolvePhysical(each, value)]);
    return [...ways];
  });
}

/** True when a loop or branch may move the shell, so that its parts start in places we do not follow. */
export function mentionsMove(node: SyntaxNode): boolean {
  if (node.type === "Command") {
    const name = node.name?.value;
    if (
      name === "cd" ||
      (name !== undefined && (MOVERS.has(name) || PREFIXES.has(name) || (node.name?.parts?.length ?? 0) > 0))
    )
      return true;
  }
  let found = false;
  forEachChild(node, (child) => {
    found ||= mentionsMove(child);
  });
  return found;
}

/** Both sets of places; too many count as unknown. */
export function unite(left: Directories, right: Directories): Directories {
  if (left === undefined || right === undefined) return undefined;
  const all = new Set([...left, ...right]);
  return all.size > MAX_PLACES ? undefined : [...all];
}
