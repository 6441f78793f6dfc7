const MAX_LENGTH = 64;
const GRAMMAR = /^[a-z][a-z0-9]*(?:_[a-z][a-z0-9]*)*$/;

/** Words of the language, which name no function. */
const WORDS =
  "abstract any arguments as async await boolean break case catch class const constructor continue debugger declare default delete do " +
  "else enum eval export extends false finally for from function get if implements import in infer instanceof interface is keyof let " +
  "module namespace never new null number object of package private protected prototype public readonly require return satisfies set " +
  "static string super switch symbol this throw true try type typeof undefined unique unknown var void while with yield";

/** Members that give what has them another meaning: a module, or an instance, with `then` is taken for a promise. */
const MEANINGS = "then";

/** Names that stand beside the tool's in files of the templates. */
const TEMPLATES =
  "add_comment add_days address asked assert assert_failure assert_success base calendar call call_tool chunk client code contract create_server " +
  "date define_tool define_tool_package describe earlier index it later listener many next none options parse_date port request resolve " +
  "response result sent server session_key status test test_tool_package ticket tickets to_tool_error tool tool_error with_service z";

const TAKEN: ReadonlySet<string> = new Set(`${WORDS} ${MEANINGS} ${TEMPLATES}`.split(" "));

/** Says why a scaffolded tool cannot have a name; undefined for one that is also a function's, in camelCase. */
export function toolNameProblem(name: string): string | undefined {
  if (name === "") return "A tool needs a name.";
  if (name.length > MAX_LENGTH) return `A tool's name has at most ${MAX_LENGTH} characters.`;
  if (!GRAMMAR.test(name)) {
    const proposal = toToolName(name);
    const hint = proposal === undefined ? "" : `: ${proposal}`;
    return `A tool is called in snake_case: words of a-z and digits that begin with a letter, joined by _${hint}.`;
  }
  if (TAKEN.has(name)) return `${name} is taken, by JavaScript or by the template: say more, such as ${name}_item.`;
  return undefined;
}

/** The nearest legal spelling; undefined where none is near. */
function toToolName(text: string): string | undefined {
  const words = text
    .normalize("NFKD")
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const joined = words.reduce(
    (name, word) => (name === "" ? word : `${name}${/^\d/.test(word) ? "" : "_"}${word}`),
    "",
  );
  const name = joined.slice(0, MAX_LENGTH).replace(/_+$/, "");
  return GRAMMAR.test(name) && !TAKEN.has(name) ? name : undefined;
}

/** `find_tickets` as a function: `findTickets`. */
export function toFunctionName(tool: string): string {
  return tool.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** `find_tickets` as a class: `FindTickets`. */
export function toClassName(tool: string): string {
  return toFunctionName(`_${tool}`);
}

/** `find_tickets` as a file: `find-tickets`. */
export function toFileName(tool: string): string {
  return tool.replaceAll("_", "-");
}
