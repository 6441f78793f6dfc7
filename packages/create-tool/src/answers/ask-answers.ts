import type { Readable, Writable } from "node:stream";
import { confirm, intro, isCancel, select, text } from "@clack/prompts";
import { CreateError, EXIT } from "../create-error.ts";
import { packageNameProblem, toFolderName } from "../names/package-name.ts";
import { descriptionProblem } from "../names/plain-text.ts";
import { toolNameProblem } from "../names/tool-name.ts";
import type { Given } from "./answers.ts";
import { LANGUAGES, TEMPLATES, type Language, type PackageManager, type Template } from "./choices.ts";
import { defaultName } from "./complete-answers.ts";
import { TEMPLATE_FACTS } from "./template-facts.ts";

/** A terminal with a person at it, and what the questions depend on. */
export interface Questioner {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  readonly cwd: string;
  readonly manager: PackageManager;
  /** Says why nothing can be made in a folder; undefined for a good one. */
  judgeFolder(directory: string): string | undefined;
}

interface Question {
  readonly message: string;
  /** What Enter gives. */
  readonly initial: string;
  judge(answer: string): string | undefined;
}

const LABELS: Readonly<Record<Language, string>> = { ts: "TypeScript", js: "JavaScript" };

/**
 * Asks for what no flag said; Enter takes the default.
 * @throws CreateError with exit code 130 when the person leaves.
 */
export async function askAnswers(given: Given, questioner: Questioner): Promise<Given> {
  const { cwd, manager, judgeFolder } = questioner;
  const line = (message: string, initial: string, judge: Question["judge"]): Promise<string> =>
    askLine(questioner, { message, initial, judge });
  intro("A tool package for AI agents", { output: questioner.output });
  const folder = given.name === undefined ? "my-tool" : toFolderName(given.name);
  const directory = given.directory ?? (await line("Where shall it go?", folder, judgeFolder));
  const template = given.template ?? (await askTemplate(questioner));
  const language = given.language ?? (await askLanguage(questioner));
  const facts = TEMPLATE_FACTS[template];
  const tool = given.tool ?? (await line("What is the tool called?", facts.tool, toolNameProblem));
  const name =
    given.name ?? (await line("What is the package called on npm?", defaultName(directory, cwd), packageNameProblem));
  const description =
    given.description ?? (await line("What does it do, in a sentence?", facts.description, descriptionProblem));
  const git = given.git ?? (await askYes(questioner, "Make a git repository?"));
  const install = given.install ?? (await askYes(questioner, `Install the dependencies with ${manager}?`));
  return { ...given, directory, template, language, tool, name, description, git, install };
}

async function askLine({ input, output, signal }: Questioner, { message, initial, judge }: Question): Promise<string> {
  const answerOf = (typed: string | undefined): string => typed?.trim() || initial;
  const answer = await text({
    input,
    output,
    signal,
    message,
    placeholder: initial,
    defaultValue: initial,
    validate: (typed) => judge(answerOf(typed)),
  });
  return answerOf(requireAnswer(answer));
}

async function askTemplate({ input, output, signal }: Questioner): Promise<Template> {
  const options = TEMPLATES.map((value) => ({
    value,
    label: TEMPLATE_FACTS[value].label,
    hint: TEMPLATE_FACTS[value].hint,
  }));
  return requireAnswer(
    await select<Template>({ input, output, signal, message: "What shall it be made of?", options }),
  );
}

async function askLanguage({ input, output, signal }: Questioner): Promise<Language> {
  const options = LANGUAGES.map((value) => ({ value, label: LABELS[value] }));
  return requireAnswer(await select<Language>({ input, output, signal, message: "In which language?", options }));
}

async function askYes({ input, output, signal }: Questioner, message: string): Promise<boolean> {
  return requireAnswer(await confirm({ input, output, signal, message }));
}

/** Escape and Ctrl-C are no answer. */
function requireAnswer<Value>(answer: Value): Exclude<Value, symbol> {
  if (isCancel(answer)) throw new CreateError(EXIT.interrupted, "Nothing was made.");
  return answer as Exclude<Value, symbol>;
}
