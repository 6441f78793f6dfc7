/** A patch as a model sends it, and what becomes of the file `src/app.ts`, which was read before. */
export interface ModelPatch {
  readonly name: string;
  readonly patch: string;
  readonly path?: string;
  /** The file afterwards; absent where it stays as it is. */
  readonly after?: string;
  /** Another file that is there afterwards, and what it holds. */
  readonly other?: readonly [path: string, text: string];
  /** The code of the failure; absent where it is applied. */
  readonly code?: string;
}

/** What `src/app.ts` holds before. */
export const APP =
  'import { load } from "./load.ts";\n\nexport function start(name: string): void {\n  const app = load(name);\n  app.run();\n}\n\nexport function stop(name: string): void {\n  const app = load(name);\n  app.stop();\n}\n';

const RUN = APP.replace("app.run();", "app.run({ quiet: true });");
const HUNK = "   const app = load(name);\n-  app.run();\n+  app.run({ quiet: true });\n";
const UPDATE = `*** Begin Patch\n*** Update File: src/app.ts\n@@ export function start(name: string): void {\n${HUNK}*** End Patch`;
const NAMES = "--- a/src/app.ts\n+++ b/src/app.ts\n";
const UNIFIED = `${NAMES}@@ -4,2 +4,2 @@ export function start(name: string): void {\n${HUNK}`;

/** Patches of both formats, with the mistakes that models make. */
export const MODEL_PATCHES: readonly ModelPatch[] = [
  { name: "the format with asterisks as it should be", patch: UPDATE, after: RUN },
  { name: "inside a here-document of a shell command", patch: `apply_patch <<'EOF'\n${UPDATE}\nEOF\n`, after: RUN },
  { name: "inside a quoted shell command with a here-document", patch: `bash -lc "apply_patch <<'PATCH'\n${UPDATE}\nPATCH"\n`, after: RUN },
  { name: "a here-document that is never closed", patch: `apply_patch << EOF\n${UPDATE}\n`, after: RUN },
  { name: "inside a code fence", patch: `\`\`\`diff\n${UPDATE}\n\`\`\`\n`, after: RUN },
  { name: "a code fence that is never closed", patch: `\`\`\`\n${UNIFIED}`, after: RUN },
  { name: "without Begin and End", patch: UPDATE.replace("*** Begin Patch\n", "").replace("*** End Patch", ""), after: RUN },
  { name: "without End", patch: UPDATE.replace("*** End Patch", ""), after: RUN },
  { name: "without @@", patch: `*** Update File: src/app.ts\n${HUNK}`, after: RUN },
  { name: "@@ with the line's beginning only", patch: UPDATE.replace("start(name: string): void {", "start"), after: RUN },
  { name: "@@ before and behind the text", patch: UPDATE.replace("void {\n", "void { @@\n"), after: RUN },
  { name: "@@ ... @@", patch: UPDATE.replace(/@@ .*/u, "@@ ... @@"), after: RUN },
  { name: "the line after @@ repeated as a kept line", patch: UPDATE.replace("void {\n", "void {\n export function start(name: string): void {\n"), after: RUN },
  { name: "names and numbers of a unified diff under an Update line", patch: `*** Begin Patch\n*** Update File: src/app.ts\n${UNIFIED}*** End Patch\n`, after: RUN },
  { name: "a unified diff between Begin and End", patch: `*** Begin Patch\n${UNIFIED}*** End Patch\n`, after: RUN },
  { name: "a unified diff whose header counts wrong", patch: UNIFIED.replace("-4,2 +4,2", "-4,9 +4,7"), after: RUN },
  { name: "a unified diff with wrong line numbers and one place", patch: UNIFIED.replace("-4,2 +4,2", "-40,2 +40,2"), after: RUN },
  { name: "a unified diff without numbers", patch: `${NAMES}@@\n${HUNK}`, after: RUN },
  { name: "a unified diff without prefixes", patch: UNIFIED.replace("a/src", "src").replace("b/src", "src"), after: RUN },
  { name: "a unified diff with timestamps", patch: UNIFIED.replaceAll("app.ts\n", "app.ts\t2026-01-01 10:00:00.000000000 +0000\n"), after: RUN },
  { name: "a unified diff without its last line feed", patch: UNIFIED.trimEnd(), after: RUN },
  { name: "a unified diff with CR LF", patch: UNIFIED.replaceAll("\n", "\r\n"), after: RUN },
  { name: "a letter of git", patch: `From 0a1b2c Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nSubject: [PATCH] Be quiet\n\n- says less\n---\n src/app.ts | 2 +-\n\ndiff --git a/src/app.ts b/src/app.ts\nindex 1..2 100644\n${UNIFIED}-- \n2.39.5\n\n`, after: RUN },
  { name: "hunks alone, with a path", patch: `@@ -4,2 +4,2 @@\n${HUNK}`, path: "src/app.ts", after: RUN },
  { name: "hunks alone, without a path", patch: `@@ -4,2 +4,2 @@\n${HUNK}`, code: "invalid_patch" },
  {
    name: "blank kept lines that lost their space",
    patch: '*** Update File: src/app.ts\n@@\n import { load } from "./load.ts";\n\n-export function start(name: string): void {\n+export function begin(name: string): void {\n',
    after: APP.replace("start", "begin"),
  },
  {
    name: "an old line with trailing spaces",
    patch: UPDATE.replace("app.run();", "app.run();   "),
    after: RUN,
  },
  {
    name: "kept and added lines without their indentation",
    patch: "*** Update File: src/app.ts\n@@\n-app.run();\n+app.run({ quiet: true });\n",
    after: RUN,
  },
  { name: "a kept line that lost its space", patch: UPDATE.replace("   const app", "const app"), code: "invalid_patch" },
  { name: "a place that is there twice", patch: "*** Update File: src/app.ts\n@@\n   const app = load(name);\n+  check(app);\n", code: "ambiguous_match" },
  { name: "an old line that is misremembered", patch: UPDATE.replace("-  app.run();", "-  app.start();"), code: "no_match" },
  { name: "a change that is there already", patch: UPDATE.replace("-  app.run();", "-  app.walk();").replace("+  app.run({ quiet: true });", "+  app.run();"), code: "already_applied" },
  { name: "new lines of a new file without +", patch: "*** Begin Patch\n*** Add File: src/b.ts\nexport {};\n*** End Patch\n", code: "invalid_patch" },
  { name: "a blank line of a new file without +", patch: "*** Add File: src/b.ts\n+a\n\n+b\n", other: ["src/b.ts", "a\n\nb\n"] },
  { name: "a word that the format does not have", patch: `*** Begin Patch\n*** Modify File: src/app.ts\n@@\n${HUNK}*** End Patch\n`, code: "invalid_patch" },
  { name: "a second file whose header is misspelt", patch: `${UPDATE.replace("*** End Patch", "")}*** Update Fil: src/b.ts\n-a\n+b\n*** End Patch`, code: "invalid_patch" },
  { name: "prose and no patch", patch: "I would change app.run() to be quiet.", code: "invalid_patch" },
  { name: "two patches one after the other", patch: `${UPDATE}\n*** Begin Patch\n*** Add File: b.ts\n+b\n*** End Patch\n`, after: RUN, other: ["b.ts", "b\n"] },
  { name: "a binary patch", patch: "diff --git a/x.png b/x.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQzU|\n", code: "invalid_patch" },
  { name: "a copy", patch: "diff --git a/src/app.ts b/src/b.ts\nsimilarity index 100%\ncopy from src/app.ts\ncopy to src/b.ts\n", code: "invalid_patch" },
  { name: "a symbolic link", patch: "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n", code: "invalid_patch" },
  { name: "a rename of git", patch: "diff --git a/src/app.ts b/src/main.ts\nsimilarity index 100%\nrename from src/app.ts\nrename to src/main.ts\n", other: ["src/main.ts", APP] },
  { name: "two names and no rename lines", patch: UNIFIED.replace("+++ b/src/app.ts", "+++ b/src/main.ts"), code: "invalid_patch" },
  { name: "a combined diff of a merge", patch: "diff --git a/src/app.ts b/src/app.ts\n--- a/src/app.ts\n+++ b/src/app.ts\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n", code: "invalid_patch" },
];
