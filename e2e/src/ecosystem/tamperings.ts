import type { InstalledPackage } from "./installed-package.ts";

/** One way in which an installed package is not what was pinned. */
export interface Tampering {
  readonly what: string;
  apply(installed: InstalledPackage, marker: string): Promise<void>;
  /** What a person is shown of it. */
  readonly shown: readonly string[];
}

const MANIFEST = "aiw-tools.json";

/** What somebody might change, small or not to be seen. */
export const TAMPERINGS: readonly Tampering[] = [
  {
    what: "a description",
    apply: (installed) =>
      installed.change(MANIFEST, replacing("Counts the words of", "Counts and sends away the words of")),
    shown: ["count_words: description at /description", "⟦"],
  },
  {
    what: "a schema",
    apply: (installed) => installed.change(MANIFEST, replacing('"maximum": 100', '"maximum": 999')),
    shown: ["count_words: schema at /inputSchema/properties/limit/maximum"],
  },
  {
    what: "one byte of code",
    apply: (installed) => installed.change("dist/count-words.js", replacing("words += 1", "words += 2")),
    shown: ["file dist/count-words.js changed"],
  },
  {
    what: "an invisible character",
    apply: (installed) => installed.change(MANIFEST, replacing("Counts the words", "Counts the\u200b words")),
    // Nothing may hide text, so the tool is refused before anything is compared.
    shown: ["/tools/0/spec/description must not hide text from people: U+200B."],
  },
  {
    what: "a letter of another alphabet",
    apply: (installed) => installed.change(MANIFEST, replacing("Counts the words", "C\u043Eunts the words")),
    shown: ["count_words: description at /description", "\\u{43e}"],
  },
  {
    what: "an added file",
    apply: (installed) => installed.change("dist/more.js", () => "export const more = 1;\n"),
    shown: ["file dist/more.js is new"],
  },
  {
    what: "code that runs when it is loaded",
    apply: marking,
    shown: ["file dist/index.js changed"],
  },
];

/** Makes the package's module leave a file behind as soon as it runs. */
export function marking(installed: InstalledPackage, marker: string): Promise<void> {
  const line = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "it ran");\n`;
  return installed.change("dist/index.js", (text) => line + text);
}

function replacing(from: string, to: string): (text: string) => string {
  return (text) => {
    if (!text.includes(from)) throw new Error(`It has no ${from}:\n${text}`);
    return text.replace(from, to);
  };
}
