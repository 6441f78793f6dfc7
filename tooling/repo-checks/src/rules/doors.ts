import { parseSync, type Statement } from "oxc-parser";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { findPublished, type Workspace } from "../repo/workspaces.ts";

/** Finds `exports` without a door file, misdirected conditions, and doors that do more than re-export. */
export function checkDoors(repo: Repo): Finding[] {
  return findPublished(repo).flatMap((workspace) =>
    Object.entries(workspace.manifest.exports ?? {})
      .filter(([key]) => key !== "./package.json")
      .flatMap(([key, target]) =>
        key.endsWith(".json")
          ? judgeData(repo, workspace, { key, target })
          : [...judgeTarget(workspace, key, target), ...judgeDoor(repo, workspace, key)],
      ),
  );
}

/** Data is published as the file it is. */
function judgeData(
  repo: Repo,
  { file, folder, manifest }: Workspace,
  door: { key: string; target: unknown },
): Finding[] {
  const { key, target } = door;
  const name = key.slice(2);
  if (target === key && repo.read(`${folder}/${name}`) !== undefined && manifest.files?.includes(name) === true)
    return [];
  const rule = "a data file in `exports` is a file of its name, and is published";
  return [{ file, rule, repair: `Write "${key}": "${key}", list ${name} in files, and write ${folder}/${name}.` }];
}

function doorName(key: string): string {
  return key === "." ? "index" : key.slice(2);
}

function judgeTarget({ file }: Workspace, key: string, target: unknown): Finding[] {
  const name = doorName(key);
  const wanted = { "aiw-source": `./src/${name}.ts`, types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` };
  if (JSON.stringify(target) === JSON.stringify(wanted)) return [];
  const rule = "each key of `exports` leads to the door file of its name, sources first";
  return [{ file, rule, repair: `Write "${key}": ${JSON.stringify(wanted)}.` }];
}

function judgeDoor(repo: Repo, workspace: Workspace, key: string): Finding[] {
  const file = `${workspace.folder}/src/${doorName(key)}.ts`;
  const text = repo.read(file);
  if (text === undefined) {
    const repair = `Write ${file}, or remove "${key}" from ${workspace.file}.`;
    return [{ file, rule: "each key of `exports` has its door file", repair }];
  }
  const { program, comments } = parseSync(file, text);
  const plugin = workspace.folder.startsWith("plugins/");
  const findings = program.body
    .filter((statement) => !isReexport(statement) && !(plugin && isToolPackage(statement)))
    .map((statement) => ({
      file,
      rule: "a door holds named re-exports only",
      repair: `Move line ${lineOf(text, statement.start)} into a file of a room and re-export it by name.`,
    }));
  const first = comments[0];
  if (first !== undefined && text.slice(0, first.start).trim() === "") return findings;
  const repair = "Begin the file with one sentence of comment that says who enters here.";
  return [...findings, { file, rule: "a door says who enters", repair }];
}

function isReexport(statement: Statement): boolean {
  return statement.type === "ExportNamedDeclaration" && statement.source !== null;
}

/** A plugin's door may also hold its default tool package and what that needs. */
function isToolPackage(statement: Statement): boolean {
  if (statement.type === "ImportDeclaration") return true;
  return (
    statement.type === "ExportDefaultDeclaration" &&
    statement.declaration.type === "CallExpression" &&
    statement.declaration.callee.type === "Identifier" &&
    statement.declaration.callee.name === "defineToolPackage"
  );
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
