import { parseSync } from "oxc-parser";
import type { Finding } from "../repo/finding.ts";
import { Interfaces, type Member } from "../repo/interfaces.ts";
import type { Repo } from "../repo/repo.ts";

/** The page that explains what can stand around calls. */
export const EXTENSIONS_PAGE = "docs/reference/extensions.md";

/** Where the types of the page are, those of extensions first. */
const PACKAGES = ["packages/extensions", "packages/executor", "packages/core"];

const DOORS = /^packages\/extensions\/src\/[^/]+\.ts$/u;

/** What an extension is, beside the options of the doors. */
const TYPES: readonly string[] = ["Extension", "ExtensionCall"];

/** The heading above the table of stages. */
const STAGES_HEADING = "## The stages of a call";

interface Section {
  readonly heading: string;
  /** First and third cell of each row; the third says what holds unless the member is named. */
  readonly rows: readonly { readonly name: string; readonly fallback: string }[];
}

/**
 * Finds stages, members of `Extension` and options of doors that the page lacks, and rows that nothing has. Options are every
 * exported interface whose name ends with `Options`; other interfaces that the page gives a table are held to it too.
 */
export function checkExtensionsPage(repo: Repo, stages: readonly string[]): Finding[] {
  const sections = readSections(repo.read(EXTENSIONS_PAGE) ?? "");
  const tables = new Map(sections.flatMap((section) => toTable(section)));
  const interfaces = new Interfaces(repo, PACKAGES);
  const wanted = [...new Set([...TYPES, ...listOptionTypes(repo)])];
  return [
    ...judgeStages(sections, stages),
    ...wanted.filter((name) => !tables.has(name)).map((name) => tell(`Give \`${name}\` a heading and a table.`)),
    ...[...tables].flatMap(([name, section]) => judgeTable(name, section, interfaces.membersOf(name))),
  ];
}

function judgeStages(sections: readonly Section[], stages: readonly string[]): Finding[] {
  const rows = sections.find(({ heading }) => heading === STAGES_HEADING)?.rows.map(({ name }) => name) ?? [];
  if (rows.join() === stages.join()) return [];
  return [tell(`Under "${STAGES_HEADING}" write one row for each of, in this order: ${stages.join(", ")}.`)];
}

function judgeTable(type: string, { rows }: Section, members: readonly Member[] | undefined): Finding[] {
  if (members === undefined) return [tell(`No exported interface is called \`${type}\`: rename or remove its table.`)];
  const names = rows.map(({ name }) => name);
  const missing = members.filter(({ name }) => !names.includes(name));
  const stale = names.filter((name, at) => !members.some((one) => one.name === name) || names.indexOf(name) !== at);
  const wrong = members.filter(({ name, isOptional }) =>
    rows.some((row) => row.name === name && (row.fallback === "required") === isOptional),
  );
  return [
    ...missing.map(({ name }) => tell(`Explain \`${name}\` of \`${type}\`.`)),
    ...stale.map((name) => tell(`\`${type}\` has no further \`${name}\`: remove or correct its row.`)),
    ...(TYPES.includes(type) ? [] : wrong).map(({ name, isOptional }) =>
      tell(`\`${name}\` of \`${type}\` is ${isOptional ? "optional: say what holds without it" : "required: say so"}.`),
    ),
  ];
}

/** The interfaces named `…Options` that doors of the package give away. */
function listOptionTypes(repo: Repo): string[] {
  return repo.files
    .filter((file) => DOORS.test(file))
    .flatMap((file) =>
      parseSync(file, repo.read(file) ?? "").module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ exportName: { name } }) => (name?.endsWith("Options") === true ? [name] : [])),
      ),
    );
}

function readSections(page: string): Section[] {
  const sections: { heading: string; rows: { name: string; fallback: string }[] }[] = [];
  for (const line of page.split("\n")) {
    if (/^#{2,} /u.test(line)) sections.push({ heading: line, rows: [] });
    const cells = /^\| `(?<name>[^`]+)` \|(?<rest>.*)\|$/u.exec(line)?.groups;
    const others = (cells?.["rest"] ?? "").split(/(?<!\\)\|/u).map((cell) => cell.trim());
    if (cells !== undefined) sections.at(-1)?.rows.push({ name: cells["name"] ?? "", fallback: others[1] ?? "" });
  }
  return sections;
}

/** A heading that is a type's name in code is about that type. */
function toTable(section: Section): [string, Section][] {
  const name = /^#{2,} `(?<name>[A-Z]\w+)`/u.exec(section.heading)?.groups?.["name"];
  return name === undefined ? [] : [[name, section]];
}

function tell(repair: string): Finding {
  return {
    file: EXTENSIONS_PAGE,
    rule: "the page has one row for each stage, member and option, and no other",
    repair,
  };
}
