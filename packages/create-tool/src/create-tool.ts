import { basename } from "node:path";
import { makeRepository } from "./after/make-repository.ts";
import { nextSteps } from "./after/next-steps.ts";
import { detectManager, MANAGERS } from "./after/package-managers.ts";
import type { Answers, Given } from "./answers/answers.ts";
import { completeAnswers } from "./answers/complete-answers.ts";
import { HELP } from "./arguments/flags.ts";
import { readArguments } from "./arguments/read-arguments.ts";
import { CreateError, EXIT, type ExitCode } from "./create-error.ts";
import { folderNameProblem } from "./names/folder-name.ts";
import { oneLine } from "./names/plain-text.ts";
import { renderFiles } from "./render/render-files.ts";
import { readOwnVersion } from "./render/versions.ts";
import type { World } from "./world.ts";
import { inspectTarget } from "./write/inspect-target.ts";
import { writePackage } from "./write/write-package.ts";

/** Runs one command line and says how it ended; whatever stands in its way becomes a sentence and a code. */
export async function createTool(words: readonly string[], world: World): Promise<ExitCode> {
  try {
    const request = readArguments(words, detectManager(world.environment));
    if (request.wants === "package") return await createPackage(request.given, world);
    say(world.stdout, request.wants === "help" ? HELP : readOwnVersion());
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof CreateError)) throw error;
    say(world.stderr, `create-tool: ${error.message}${error.fix === undefined ? "" : `\nFix: ${error.fix}`}`);
    return error.exitCode;
  }
}

async function createPackage(given: Given, world: World): Promise<ExitCode> {
  const place = { cwd: world.cwd, force: given.force };
  const manager = given.packageManager ?? detectManager(world.environment);
  // Before any question, so that nobody answers them in vain.
  if (given.directory !== undefined) inspectTarget(given.directory, place);
  const said = world.interactive && !given.yes ? await ask(given, world) : given;
  const answers = completeAnswers(said, { cwd: world.cwd, manager });
  const target = inspectTarget(answers.directory, place);
  const files = renderFiles(answers, world.year);
  const { kept } = await writePackage(target, files, world.signal);
  say(world.stdout, `\nMade ${oneLine(answers.name)} in ${oneLine(target.dir)}: ${files.length - kept.length} files.`);
  if (isRenamed(said, answers, target.dir))
    say(
      world.stdout,
      `${oneLine(basename(target.dir))} is no name of a package; another one: --name, or package.json.`,
    );
  if (kept.length > 0) say(world.stderr, `Kept what was there: ${kept.join(", ")}.`);
  return await finish(answers, target.dir, world);
}

/** Nobody chose the name, and it is not the folder's. */
function isRenamed({ name }: Given, answers: Answers, dir: string): boolean {
  return name === undefined && answers.name !== basename(dir);
}

/** Prompts are loaded for a person alone. */
async function ask(given: Given, world: World): Promise<Given> {
  const { askAnswers } = await import("./answers/ask-answers.ts");
  const { stdin: input, stdout: output, signal, cwd } = world;
  const manager = given.packageManager ?? detectManager(world.environment);
  const judgeFolder = (directory: string): string | undefined => {
    try {
      const problem = folderNameProblem(directory);
      if (problem === undefined) inspectTarget(directory, { cwd, force: given.force });
      return problem;
    } catch (error) {
      if (error instanceof CreateError) return error.message;
      throw error;
    }
  };
  return await askAnswers(given, { input, output, signal, cwd, manager, judgeFolder });
}

/** What was asked for beyond the files; the package is there whatever comes of it. */
async function finish(answers: Answers, dir: string, world: World): Promise<ExitCode> {
  const problems: string[] = [];
  if (answers.git) problems.push(...[await makeRepository(dir, world.run)].filter((problem) => problem !== undefined));
  const installed = answers.install && !world.signal.aborted && (await install(answers, dir, world));
  if (answers.install && !installed) problems.push("The dependencies were not installed.");
  for (const problem of problems) say(world.stderr, `create-tool: ${problem}`);
  const steps = nextSteps(answers, { dir, cwd: world.cwd, installed });
  say(world.stdout, `\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}`);
  if (world.signal.aborted) return EXIT.interrupted;
  return problems.length > 0 ? EXIT.failed : EXIT.ok;
}

async function install({ packageManager }: Answers, dir: string, world: World): Promise<boolean> {
  const [program = "", ...args] = MANAGERS[packageManager].install.split(" ");
  return (await world.run({ program, args, cwd: dir })) === 0;
}

function say(stream: World["stdout"], text: string): void {
  stream.write(`${text}\n`);
}
