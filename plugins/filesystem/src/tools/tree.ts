import { defineTool, type ToolResult } from "@aiw/core";
import { showTrees } from "../tree/show-trees.ts";
import { treeInput, treeOutput, type TreeOutput } from "../tree/tree-schema.ts";

/** Shows what lies below folders. */
export const tree = defineTool({
  name: "tree",
  title: "Show a folder tree",
  description:
    "Shows folders and what they hold, several levels deep, as indented text: a folder's files first, then its folders. What does not fit is counted " +
    "(`… 37 more`), and folders that were not opened end in `…`. Ignore files such as .gitignore are heeded unless no_ignore=true. Links are told, " +
    "not followed.",
  input: treeInput,
  output: treeOutput,
  effects: "read",
  permissions: ["fs:read"],
  category: "filesystem",
  tags: ["filesystem", "tree", "list", "directory", "extra"],
  timeoutMs: 30_000,
  instructions: {
    purpose:
      "Get an idea of how a project or a part of it is laid out. For one folder use list; to find files by name, glob.",
    expectedOutput:
      "`content`, the tree as text, with how many `entries` it shows and how many of the opened folders it has `omitted`.",
    examples: [
      { need: "see how a project is laid out", when: "get to know a project", input: {} },
      {
        need: "see its folders alone",
        when: "see the folders of a project with many files",
        input: { dirs_only: true, depth: 5 },
      },
      {
        need: "compare two parts",
        when: "look at 'src' and 'docs' alone",
        input: { paths: ["src", "docs"], depth: 2 },
      },
    ],
  },
  execute: showTrees,
  preview: previewTree,
});

function previewTree(result: ToolResult<TreeOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { entries, omitted, content } = result.value;
  const fact = `${entries} ${entries === 1 ? "entry" : "entries"}${omitted > 0 ? `, ${omitted} more not shown` : ""}`;
  return [fact, ...content.split("\n")].slice(0, maxLines);
}
