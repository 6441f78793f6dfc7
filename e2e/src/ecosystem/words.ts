import type { AuthoredPackage } from "./author.ts";

/** What the package is published as. */
export const WORDS = "@fx/words";

const SOURCE = "src/count-words.ts";

/** What an author does first: other words for models, and a parameter more, with its test. */
export async function makeItsOwn(words: AuthoredPackage): Promise<void> {
  await words.edit(
    SOURCE,
    ["names the most frequent ones.\n *\n", "names the most frequent ones, short words left out if asked.\n *\n"],
    [
      " * @returns",
      " * @param shortest - How many letters a word has at least to count.\n * @integer\n * @minimum 1\n * @returns",
    ],
    ["limit: number = 3)", "limit: number = 3, shortest: number = 1)"],
    ["    counts.set(word", "    if (word.length < shortest) continue;\n    counts.set(word"],
  );
  await words.edit("src/count-words.test.ts", [
    '  it("names three words',
    '  it("leaves short words out", () => {\n    assert.equal(countWords("to be or not", 3, 3).words, 1);\n  });\n\n  it("names three words',
  ]);
}

/** The next version: a tool more, and other words for models. */
export async function writeNextVersion(words: AuthoredPackage): Promise<void> {
  await words.write(
    "src/shout.ts",
    `/**
 * Writes a text in capitals.
 *
 * @param text - The text to write.
 * @example write a title in capitals
 * shout("hello")
 * @effects pure
 * @category text
 */
export function shout(text: string): string {
  return text.toUpperCase();
}
`,
  );
  await words.edit("src/index.ts", ["export {", 'export { shout } from "./shout.ts";\nexport {']);
  await words.edit(SOURCE, ["Counts the words of a text", "Counts the words of a text in any language"]);
  await words.write("README.md", `${await words.read("README.md")}\n## More\n\n\`shout\` writes a text in capitals.\n`);
  await words.npm("version", "1.1.0", "--no-git-tag-version");
}

/** What an author may get wrong, and what says so. */
export interface Mistake {
  readonly what: string;
  readonly file: string;
  readonly edit: readonly [from: string, to: string];
  /** What tells of it. */
  readonly by: "npm run build" | "aiw check";
  readonly said: readonly (string | RegExp)[];
}

/** Each is made alone, in a package that is right otherwise. */
export const MISTAKES: readonly Mistake[] = [
  {
    what: "a parameter that JSON cannot say",
    file: SOURCE,
    edit: ["shortest: number = 1)", "shortest: number = 1, weights: Map<string, number> = new Map())"],
    by: "npm run build",
    said: [/src\/count-words\.ts:\d+:\d+ error \w+/, "Map", "was removed, so that it cannot be packed"],
  },
  {
    what: "a character that nobody sees",
    file: SOURCE,
    edit: ["Counts the words", "Counts the\u200b words"],
    by: "npm run build",
    said: [/src\/count-words\.ts:\d+:\d+ error hidden_text/, "\\u{200b}", "Delete the character."],
  },
  {
    what: "a manifest that is not packed",
    file: "package.json",
    edit: ['    "aiw-tools.json",\n', ""],
    by: "aiw check",
    said: ["fail manifest", 'Fix: Write it with aiw build and list it in "files".', "1 blocks publishing"],
  },
];
