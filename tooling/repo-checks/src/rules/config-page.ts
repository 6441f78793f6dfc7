import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";

/** The page that explains every key of the configuration. */
export const CONFIG_PAGE = "docs/reference/config.md";

/** The schema that is published, from which the table is made. */
export const CONFIG_SCHEMA_FILE = "packages/core/aiw.config.schema.json";

/** The parts of the schema that the table shows. */
interface Key {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly properties?: { readonly [name: string]: Key };
  readonly additionalProperties?: Key | false;
  readonly items?: Key;
  readonly "x-aiw-effect"?: string;
  readonly "x-aiw-widening"?: readonly string[];
  readonly "x-aiw-merge"?: string;
}

const RULE = `${CONFIG_PAGE} has one row for each key of ${CONFIG_SCHEMA_FILE}, and no other`;

const EFFECTS: ReadonlyMap<string | undefined, string> = new Map([
  ["narrows", "narrows"],
  ["widens", "waits for trust"],
  ["widens_above_default", "waits for trust above the default"],
  ["widens_unless_default", "waits for trust unless the default"],
  ["by_decision", "`ask` and `deny` hold, `allow` waits for trust"],
]);

const MERGES: ReadonlyMap<string | undefined, string> = new Map([
  ["replace", "replaces"],
  ["union", "adds"],
  ["append", "comes first, the file's after"],
  ["members", "wins by member"],
  ["options", "wins by option"],
  ["strictest", "the stricter of both holds"],
]);

/** Finds rows that the page lacks, and rows that no key has. */
export function checkConfigPage(repo: Repo): Finding[] {
  const [page, schema] = [repo.read(CONFIG_PAGE), repo.read(CONFIG_SCHEMA_FILE)];
  if (schema === undefined) return [{ file: CONFIG_SCHEMA_FILE, rule: RULE, repair: "Write the published schema." }];
  const expected = toConfigRows(JSON.parse(schema) as Key);
  const found = (page ?? "")
    .split("\n")
    .filter((line) => /^\| `[^`]+` \| [^|]* \| [^|]* \| [^|]* \| [^|]* \|/u.test(line));
  return [
    ...expected
      .filter((row) => !found.includes(row))
      .map((row) => ({ file: CONFIG_PAGE, rule: RULE, repair: `Write the row: ${row}` })),
    ...found
      .filter((row) => !expected.includes(row))
      .map((row) => ({ file: CONFIG_PAGE, rule: RULE, repair: `No key has the row, remove or correct it: ${row}` })),
  ];
}

/** The rows of the table: key, type, default, in the project's file, given in code, meaning. */
export function toConfigRows(schema: object): string[] {
  return listKeys(schema, "").map(([name, key]) => {
    const cells = [
      toType(key),
      key.default === undefined ? "" : `\`${JSON.stringify(key.default)}\``,
      toEffect(key),
      MERGES.get(key["x-aiw-merge"]) ?? "",
      (key.description ?? "").replaceAll("|", "\\|"),
    ];
    return `| \`${name}\` | ${cells.join(" | ")} |`;
  });
}

/** What the project's own file achieves by the key. */
function toEffect({ "x-aiw-effect": effect, "x-aiw-widening": widening = [] }: Key): string {
  if (effect !== "widens_for_some") return EFFECTS.get(effect) ?? "";
  return `${widening.map((value) => `\`${value}\``).join(", ")} waits for trust`;
}

/** What is listed is told where it stands first; another list of the very same says so. */
function listKeys(key: Key, name: string, told: Map<string, string> = new Map()): [string, Key][] {
  const { items, additionalProperties: others } = key;
  const same = items?.properties === undefined ? undefined : told.get(JSON.stringify(items));
  if (same !== undefined)
    return [[name, { ...key, description: `${key.description ?? ""} Each is as in \`${same}\`.` }]];
  if (items?.properties !== undefined) told.set(JSON.stringify(items), name);
  const named = Object.entries(key.properties ?? {}).flatMap(([member, below]) =>
    listKeys(below, name === "" ? member : `${name}.${member}`, told),
  );
  const listed = items === undefined ? [] : listKeys(items, `${name}[]`, told);
  const mapped = others === undefined || others === false ? [] : listKeys(others, `${name}.*`, told);
  const own: [string, Key][] = name === "" || key.description === undefined ? [] : [[name, key]];
  return [...own, ...named, ...listed, ...mapped];
}

function toType({ type = "any JSON", enum: choices, minimum, additionalProperties: others }: Key): string {
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(", ");
  if (type === "array") return "list";
  if (type === "integer") return `whole number from ${minimum ?? 0}`;
  if (type === "object" && others !== false && others !== undefined) return "map";
  return type === "string" ? "text" : type;
}
