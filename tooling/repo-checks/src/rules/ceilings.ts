import { posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { isSource } from "../repo/workspaces.ts";

/** Raw lines. `warn` is listed for the reader, `fail` is refused. */
export const CEILINGS = {
  file: { warn: 200, fail: 300 },
  function: { warn: 50, fail: 80 },
  /** Files directly in one folder of core, tests left out; docs/decisions/007 says why each folder has a budget. */
  room: { warnFiles: 12, failLines: 2500 },
} as const;

/** What is too large, and what is on its way there. */
export interface CeilingReport {
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

interface Measured {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
}

/** Measures files, functions, and the rooms of core. */
export function checkCeilings(repo: Repo): CeilingReport {
  const sources = repo.files.filter(
    (file) => /^(?:packages|plugins|apps|tooling|e2e)\/.*src\//u.test(file) && isSource(file),
  );
  const files = sources.map((file) => ({ file, name: "the file", lines: countLines(repo.read(file) ?? "") }));
  const functions = sources.flatMap((file) => measureFunctions(file, repo.read(file) ?? ""));
  const findings = [
    ...files.filter(({ lines }) => lines > CEILINGS.file.fail).map((item) => tooLong(item, CEILINGS.file.fail)),
    ...functions
      .filter(({ lines }) => lines > CEILINGS.function.fail)
      .map((item) => tooLong(item, CEILINGS.function.fail)),
    ...judgeRooms(files),
  ];
  const warnings = [
    ...files.filter(({ lines }) => lines > CEILINGS.file.warn),
    ...functions.filter(({ lines }) => lines > CEILINGS.function.warn),
  ].map(({ file, name, lines }) => `${file}: ${name} has ${lines} lines`);
  return { findings, warnings: [...warnings, ...crowdedRooms(files)] };
}

function tooLong({ file, name, lines }: Measured, limit: number): Finding {
  const repair = `${name} has ${lines}: find the second thing it does and give that a file or function of its own.`;
  return { file, rule: `at most ${limit} lines`, repair };
}

function roomsOf(files: readonly Measured[]): Map<string, Measured[]> {
  return Map.groupBy(
    files.filter(({ file }) => file.startsWith("packages/core/src/")),
    ({ file }) => posix.dirname(file),
  );
}

function judgeRooms(files: readonly Measured[]): Finding[] {
  return [...roomsOf(files)].flatMap(([room, inside]) => {
    const total = inside.reduce((sum, { lines }) => sum + lines, 0);
    if (total <= CEILINGS.room.failLines) return [];
    const repair = `It has ${total}: find the parts it has and give each a folder, or a package if it has a release reason.`;
    return [{ file: room, rule: `a room of core has at most ${CEILINGS.room.failLines} lines`, repair }];
  });
}

function crowdedRooms(files: readonly Measured[]): string[] {
  return [...roomsOf(files)]
    .filter(([, inside]) => inside.length > CEILINGS.room.warnFiles)
    .map(
      ([room, { length }]) =>
        `${room}: ${length} files in one room (${CEILINGS.room.warnFiles} opens the split question)`,
    );
}

function measureFunctions(file: string, text: string): Measured[] {
  const measured: Measured[] = [];
  const measure = (node: { start: number; end: number; id?: { name?: string } | null }): void => {
    const lines = text.slice(node.start, node.end).split("\n").length;
    if (lines <= CEILINGS.function.warn) return;
    const line = text.slice(0, node.start).split("\n").length;
    measured.push({ file, name: `the function ${node.id?.name ?? "without a name"} of line ${line}`, lines });
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(file, text).program);
  return measured;
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
