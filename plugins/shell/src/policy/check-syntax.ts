import { forEachChild, type SyntaxNode, type Word } from "unbash";
import { isConstant, isHarmlessOperation, readWord, type KnownVariables } from "./read-word.ts";
import { ask, type Finding } from "./verdict.ts";

const ARITHMETIC = ask("arithmetic", "arithmetic on variables can run commands");

/** `[[ … ]]` evaluates numbers as arithmetic and `-v` subscripts; tests of text and files are harmless. */
export function checkTest(node: SyntaxNode): Finding[] {
  const findings: Finding[] = [];
  if (node.type === "TestBinary" && /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
    if (![node.left, node.right].every((side) => /^-?\d+$/.test(side.value))) findings.push(ARITHMETIC);
  }
  if (node.type === "TestUnary" && node.operator === "-v") findings.push(ARITHMETIC);
  forEachChild(node, (child) => {
    if (child.type.startsWith("Test")) findings.push(...checkTest(child));
  });
  return findings;
}

/** The files that `[[ … ]]` asks about. */
export function findTestedPaths(node: SyntaxNode): Word[] {
  const paths: Word[] = [];
  if (node.type === "TestUnary" && /^-[abcdefghkprsuwxGLNOS]$/.test(node.operator)) paths.push(node.operand);
  if (node.type === "TestBinary" && /^-(nt|ot|ef)$/.test(node.operator)) paths.push(node.left, node.right);
  forEachChild(node, (child) => {
    if (child.type.startsWith("Test")) paths.push(...findTestedPaths(child));
  });
  return paths;
}

/** Expansions that run or assign something while a word is made. */
export function checkWord(word: Word, variables: KnownVariables): Finding[] {
  return readWord(word, variables)
    .filter((reading) => !reading.harmless)
    .map((reading) => ask("expansion", `${reading.text} takes its meaning at run time`));
}

/** Expansions with effects wherever they stand; the text of a here-document is no word. */
export function checkExpansion(node: SyntaxNode): Finding[] {
  const isArithmetic =
    node.type === "ArithmeticExpansion" && (node.expression === undefined || !isConstant(node.expression));
  const isEffective = node.type === "ParameterExpansion" && !isHarmlessOperation(node);
  return isArithmetic || isEffective ? [ask("expansion", `${node.text} takes its meaning at run time`)] : [];
}

/** A process substitution that touches its neighbours is one word to the shell, but several to the parser. */
export function checkSeparate({ pos, end }: { pos: number; end: number }, source: string): Finding[] {
  const isSeparate = /^[\s(]?$/.test(source.slice(Math.max(pos - 1, 0), pos)) && /^[\s;|&)]?$/.test(source.charAt(end));
  return isSeparate ? [] : [ask("unparsed", "a process substitution touches other words")];
}

/** True when any statement inside runs in the background. */
export function hasBackground(node: SyntaxNode): boolean {
  if (node.type === "Statement" && node.background === true) return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= hasBackground(child);
  });
  return found;
}
