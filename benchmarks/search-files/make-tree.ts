import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Words that lines are made of. */
const WORDS =
  "alpha beta gamma delta epsilon zeta eta theta const return function import export value index length string number boolean object array promise await async class".split(
    " ",
  );
const ENDINGS = ["ts", "js", "md", "json"];
const IN_FOLDER = 20;
/** Files that ignore rules hide, as a build leaves them. */
const BUILT = 500;

/** What is found in a tree. */
export interface Tree {
  readonly folder: string;
  readonly files: number;
  readonly typescript: number;
  /** Lines that hold each text. */
  readonly lines: Readonly<Record<"needleRare" | "epsilon promise" | "alpha" | "absentWord", number>>;
}

/** Makes a tree of so many files in folders of twenty, the same each time, with some more that ignore rules hide. */
export function makeTree(folder: string, files: number): Tree {
  const random = createRandom();
  const lines = { needleRare: 0, "epsilon promise": 0, alpha: 0, absentWord: 0 };
  for (let index = 0; index < files; index += 1) {
    const text = makeText(random, index % 4000 === 17);
    for (const line of text)
      for (const wanted of Object.keys(lines) as (keyof typeof lines)[]) if (line.includes(wanted)) lines[wanted] += 1;
    const parent = path.join(
      folder,
      `package${Math.floor(index / 1000)}`,
      `module${Math.floor(index / IN_FOLDER) % 50}`,
    );
    if (index % IN_FOLDER === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(path.join(parent, `file${index % IN_FOLDER}.${ENDINGS[index % 4] ?? ""}`), `${text.join("\n")}\n`);
  }
  mkdirSync(path.join(folder, "built"));
  for (let index = 0; index < BUILT; index += 1)
    writeFileSync(path.join(folder, "built", `${index}.js`), `${makeText(random, false).join("\n")}\n`);
  writeFileSync(path.join(folder, ".gitignore"), "built\nnode_modules\n*.log\n");
  // With the rule file, which is found like any other.
  return { folder, files: files + 1, typescript: files / ENDINGS.length, lines };
}

function makeText(random: () => number, hasNeedle: boolean): string[] {
  const lines = Array.from({ length: 20 + Math.floor(random() * 80) }, () => {
    const words = Array.from({ length: 8 }, () => WORDS[Math.floor(random() * WORDS.length)] ?? "");
    return `  ${words.join(" ")};`;
  });
  return hasNeedle ? [...lines, "needleRare();"] : lines;
}

function createRandom(): () => number {
  let seed = 7;
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
}
