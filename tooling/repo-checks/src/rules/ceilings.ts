import { parseSync, Visitor } from "oxc-parser";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { isSource } from "../repo/workspaces.ts";

/** Raw lines. `warn` is listed for the reader, `fail` is refused. */
export const CEILINGS = {
  file: { warn: 200, fail: 300 },
  function: { warn: 50, fail: 80 },
  /** Core behind each of its doors, tests left out; docs/decisions/007 says why two. */
  core: { anyRuntime: 8000, node: 6000 },
  /** Files in one room of core. */
  room: 12,
} as const;

/** Rooms of core that only `@aiw/core/node` reaches. */
const NODE_ROOMS = /^packages\/core\/src\/(?:node\.ts$|(?:discover|config|workspace)\/)/u;

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

/** Measures files, functions, and the size of core. */
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
    ...judgeCore(files),
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

function judgeCore(files: readonly Measured[]): Finding[] {
  const core = files.filter(({ file }) => file.startsWith("packages/core/src/"));
  const isNode = ({ file }: Measured): boolean => NODE_ROOMS.test(file);
  return [
    ...judgeDoor("the node door", core.filter(isNode), CEILINGS.core.node),
    ...judgeDoor(
      "the root door",
      core.filter((file) => !isNode(file)),
      CEILINGS.core.anyRuntime,
    ),
  ];
}

function judgeDoor(door: string, files: readonly Measured[], limit: number): Finding[] {
  const total = files.reduce((sum, { lines }) => sum + lines, 0);
  if (total <= limit) return [];
  const repair = `It has ${total}: ask which room has a release reason of its own and split it off.`;
  return [{ file: "packages/core/src", rule: `core has at most ${limit} lines behind ${door}`, repair }];
}

function crowdedRooms(files: readonly Measured[]): string[] {
  const rooms = new Map<string, number>();
  for (const { file } of files) {
    const room = /^packages\/core\/src\/[^/]+(?=\/)/u.exec(file)?.[0];
    if (room !== undefined) rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  return [...rooms]
    .filter(([, count]) => count > CEILINGS.room)
    .map(([room, count]) => `${room}: ${count} files in one room (${CEILINGS.room} opens the split question)`);
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
