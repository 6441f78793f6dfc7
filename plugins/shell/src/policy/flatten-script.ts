import {
  forEachChild,
  parse,
  type AndOr,
  type Command,
  type CommandNode,
  type ParsedScript,
  type Pipeline,
  type Redirection as RedirectionNode,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { checkExpansion, checkSeparate, checkTest, checkWord, findTestedPaths, hasBackground } from "./check-syntax.ts";
import { isInput, readAssignments, readRedirection, readWords } from "./read-command.ts";
import { isConstant, readWord, type KnownVariables, type Reading } from "./read-word.ts";
import { getProgram, type Directories, type SimpleCommand } from "./simple-command.ts";
import { mentionsMove, trackDirectory, unite, type After } from "./track-directory.ts";
import { judgeVariable } from "./judge-variable.ts";
import { ask, deny, type Finding } from "./verdict.ts";

/** Where a script starts. */
export interface ScriptPlace {
  readonly directories: Directories;
  readonly variables: KnownVariables;
  readonly depth: number;
  readonly elevated: boolean;
  readonly hasInput: boolean;
}

/** Every simple command of a script, at every depth, and what its syntax alone gives away. */
export interface FlatScript {
  readonly commands: readonly SimpleCommand[];
  readonly findings: readonly Finding[];
}

interface Walk {
  readonly commands: SimpleCommand[];
  readonly findings: Finding[];
  readonly variables: KnownVariables;
  readonly place: ScriptPlace;
}

/** Where a command stands. */
interface Spot {
  readonly directories: Directories;
  readonly hasInput: boolean;
  readonly upstream: readonly string[];
  /** The text that positions of nodes refer to. */
  readonly source: string;
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Blank or invisible to people, part of a word to the shell. */
const ODD_SPACES = /[\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/;
const COMMAND_NODES: ReadonlySet<SyntaxNode["type"]> = new Set([
  ...([
    "AndOr",
    "Pipeline",
    "Command",
    "Redirected",
    "Function",
    "Coproc",
    "If",
    "For",
    "ArithmeticFor",
    "Select",
  ] as const),
  ...(["While", "Subshell", "BraceGroup", "Case", "TestCommand", "ArithmeticCommand"] as const),
]);
const MAX_JUDGED_LENGTH = 10_000;
/** What the file tests of `[[ … ]]`, and the words of a loop, are judged as. */
const TEST: Reading = { text: "test", value: "test", glob: false, harmless: true, splits: false };
const ECHO: Reading = { ...TEST, text: "for", value: "echo" };

/** Parses shell text and takes it apart; never throws. */
export function flattenScript(text: string, place: ScriptPlace): FlatScript {
  if (text.length > MAX_JUDGED_LENGTH) {
    return { commands: [], findings: [ask("too_long", `the text is longer than ${MAX_JUDGED_LENGTH} characters`)] };
  }
  const findings: Finding[] = [];
  if (CONTROLS.test(text)) findings.push(ask("control_character", "the text holds control characters"));
  // The shell joins such lines before it reads words, the parser afterwards.
  if (/\S\\\n\S|\\$/.test(text)) findings.push(ask("joined_lines", "a word goes on in the next line"));
  if (ODD_SPACES.test(text)) findings.push(ask("odd_space", "the text holds invisible or look-alike blanks"));
  const commands: SimpleCommand[] = [];
  try {
    const script = parse(text);
    const variables = withoutReassigned(place.variables, text, script);
    walkScript({ commands, findings, variables, place }, script, {
      directories: place.directories,
      hasInput: place.hasInput,
      upstream: [],
      source: text,
    });
  } catch {
    findings.push(ask("unparsed", "the text is not shell grammar we can read"));
  }
  return { commands, findings };
}

/** A known variable stays known only while the text does nothing with it but read it. */
function withoutReassigned(variables: KnownVariables, text: string, script: ParsedScript): KnownVariables {
  const moves = script.commands.some(mentionsMove);
  const kept = [...variables].filter(([name]) => {
    if (name === "PWD" && moves) return false;
    const read = new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, "g");
    return !text.replace(read, "").includes(name);
  });
  return new Map(kept);
}

function walkScript(walk: Walk, script: ParsedScript | undefined, spot: Spot): Directories {
  if (script === undefined || (script.errors !== undefined && script.errors !== null && script.errors.length > 0)) {
    walk.findings.push(ask("unparsed", "the text is not complete shell grammar"));
  }
  return walkStatements(walk, script?.commands ?? [], { ...spot, source: script?.source ?? spot.source });
}

function walkStatements(walk: Walk, statements: readonly Statement[], spot: Spot): Directories {
  let { directories } = spot;
  for (const statement of statements) {
    const after = walkNode(walk, statement.command, { ...spot, directories });
    // What runs in the background moves only itself.
    if (statement.background !== true) directories = unite(after.success, after.failure);
  }
  return directories;
}

function walkNode(walk: Walk, node: AndOr | Pipeline | CommandNode, spot: Spot): After {
  if (node.type === "AndOr") return walkAndOr(walk, node, spot);
  if (node.type === "Pipeline") return walkPipeline(walk, node, spot);
  if (node.type === "Command") return walkCommand(walk, node, spot);
  if (node.type === "Function") return walkFunction(walk, node, spot);
  if (node.type !== "Redirected") return walkCompound(walk, node, spot);
  for (const redirect of node.redirects) addRedirectionAlone(walk, redirect, spot);
  return walkNode(walk, node.command, { ...spot, hasInput: spot.hasInput || node.redirects.some(isInput) });
}

function walkAndOr(walk: Walk, node: AndOr, spot: Spot): After {
  let before: After = { success: spot.directories, failure: spot.directories };
  node.commands.forEach((command, index) => {
    const operator = node.operators[index - 1];
    const start = operator === undefined || operator === "&&" ? before.success : before.failure;
    // A command that is skipped leaves things as they were.
    const skipped = operator === "&&" ? before.failure : operator === "||" ? before.success : [];
    const after = walkNode(walk, command, { ...spot, directories: start });
    const isOr = operator === "||";
    before = {
      success: isOr ? unite(after.success, skipped) : after.success,
      failure: isOr ? after.failure : unite(after.failure, skipped),
    };
  });
  return before;
}

function walkPipeline(walk: Walk, node: Pipeline, spot: Spot): After {
  let upstream = spot.upstream;
  let after: After = { success: spot.directories, failure: spot.directories };
  node.commands.forEach((command, index) => {
    const first = walk.commands.length;
    after = walkNode(walk, command, { ...spot, hasInput: spot.hasInput || index > 0, upstream });
    upstream = [...upstream, ...walk.commands.slice(first).map((each) => getProgram(each) ?? "")];
  });
  // With several commands each has its own shell; alone (`! cd x`) it moves this one.
  if (node.commands.length > 1) return { success: spot.directories, failure: spot.directories };
  const either = unite(after.success, after.failure);
  return { success: either, failure: either };
}

function walkCommand(walk: Walk, node: Command, spot: Spot): After {
  forEachChild(node, (child) => walkInside(walk, child, spot));
  const redirections = node.redirects.map((redirect) => readRedirection(redirect, walk));
  const command: SimpleCommand = {
    ...aloneAt(walk, spot),
    words: readWords(node, walk.variables),
    assignments: readAssignments(node, walk.variables),
    redirections: redirections.filter((redirection) => redirection !== undefined),
    hasInput: spot.hasInput || node.redirects.some(isInput),
  };
  walk.commands.push(command);
  return trackDirectory(command, walk.variables);
}

function addRedirectionAlone(walk: Walk, node: RedirectionNode, spot: Spot): void {
  walkInside(walk, node, spot);
  const redirection = readRedirection(node, walk);
  if (redirection === undefined) return;
  walk.commands.push({ ...aloneAt(walk, spot), redirections: [redirection] });
}

/** A command without anything in it. */
function aloneAt({ place }: Walk, { directories, hasInput, upstream }: Spot): SimpleCommand {
  const { depth, elevated } = place;
  const nothing = { words: [], assignments: [], redirections: [] };
  return { ...nothing, directories, hasInput, upstream, depth, elevated, external: false };
}

/** A body runs wherever it is called from, with arguments nobody knows. */
function walkFunction(walk: Walk, node: Extract<CommandNode, { type: "Function" }>, spot: Spot): After {
  const first = walk.commands.length;
  const inside: Spot = { ...spot, directories: undefined };
  if (node.body.type === "CompoundList") walkStatements(walk, node.body.commands, inside);
  else walkNode(walk, node.body, inside);
  const calls = walk.commands.slice(first).filter((command) => getProgram(command) === node.name.value);
  const isPiped = calls.some((command) => command.upstream.includes(node.name.value));
  if (calls.length > 1 || isPiped || (calls.length > 0 && hasBackground(node.body))) {
    walk.findings.push(deny("fork_bomb", `the function ${node.name.value} starts copies of itself`));
  }
  walk.findings.push({ level: "unsafe", rule: "function", reason: "it defines a function" });
  return { success: spot.directories, failure: spot.directories };
}

type Compound = Exclude<CommandNode, { type: "Command" | "Redirected" | "Function" }>;

/** Loops, branches and groups: every part is judged from every place the shell may then be in. */
function walkCompound(walk: Walk, node: Compound, spot: Spot): After {
  judgeCompound(walk, node, spot);
  if (node.type === "BraceGroup") {
    const directories = walkStatements(walk, node.body.commands, spot);
    return { success: directories, failure: directories };
  }
  const moves = node.type !== "Subshell" && mentionsMove(node);
  walkInside(walk, node, moves ? { ...spot, directories: undefined } : spot);
  const directories = moves ? undefined : spot.directories;
  return { success: directories, failure: directories };
}

/** What a compound does by itself, without its parts. */
function judgeCompound(walk: Walk, node: Compound, spot: Spot): void {
  if (node.type === "Coproc" || node.type === "Select") {
    walk.findings.push(ask("unusual_syntax", `${node.type.toLowerCase()} is not followed`));
  }
  if (node.type === "ArithmeticCommand" && (node.expression === undefined || !isConstant(node.expression))) {
    walk.findings.push(ask("arithmetic", "arithmetic on variables can run commands"));
  }
  if (node.type === "ArithmeticFor") walk.findings.push(ask("arithmetic", "arithmetic on variables can run commands"));
  if (node.type === "For" || node.type === "Select") {
    walk.findings.push(...judgeVariable(node.name.value));
    const listed = (node.wordlist ?? []).flatMap((word) => readWord(word, walk.variables));
    if (listed.length > 0) walk.commands.push({ ...aloneAt(walk, spot), words: [ECHO, ...listed] });
  }
  if (node.type === "TestCommand") {
    walk.findings.push(...checkTest(node));
    const paths = findTestedPaths(node).flatMap((path) => readWord(path, walk.variables));
    if (paths.length > 0) walk.commands.push({ ...aloneAt(walk, spot), words: [TEST, ...paths] });
  }
}

/** Finds commands inside anything: substitutions in words, bodies of compounds. */
function walkInside(walk: Walk, node: SyntaxNode, spot: Spot): void {
  if (node.type === "ProcessSubstitution") walk.findings.push(...checkSeparate(node, spot.source));
  if (node.type === "FileDescriptorVariable")
    walk.findings.push(ask("shell_state", `a redirection sets the variable ${node.name}`));
  walk.findings.push(...(node.type === "Word" ? checkWord(node, walk.variables) : checkExpansion(node)));
  forEachChild(node, (child) => {
    if (child.type === "Script") walkScript(walk, child, spot);
    else if (child.type === "CompoundList") walkStatements(walk, child.commands, spot);
    else if (child.type === "Statement") walkStatements(walk, [child], spot);
    else if (isCommandNode(child)) walkNode(walk, child, spot);
    else walkInside(walk, child, spot);
  });
  const isSubstitution =
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion";
  if (isSubstitution && node.script === undefined)
    walk.findings.push(ask("unparsed", "a substitution could not be read"));
}

function isCommandNode(node: SyntaxNode): node is AndOr | Pipeline | CommandNode {
  return COMMAND_NODES.has(node.type);
}
