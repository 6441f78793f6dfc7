import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../contract/json.ts";
import { defineTool, type ToolDefinition } from "../define/define-tool.ts";
import { describeParameters } from "./describe-parameters.ts";
import { toAllPromptInstructions, toPromptInstructions } from "./to-prompt-instructions.ts";

/** Effects about which there is nothing to say. */
const SILENT = { readOnly: false, destructive: false, openWorld: false };

const specOf = (input: JsonSchema, more: Partial<ToolDefinition<JsonSchema, unknown, undefined>> = {}) =>
  defineTool({
    name: "tool",
    description: "Does it.",
    effects: SILENT,
    ...more,
    input,
    execute: () => 1,
  } as ToolDefinition<JsonSchema, unknown, undefined>).spec;

const parameterLines = (input: JsonSchema): string[] => {
  const lines = toPromptInstructions(specOf(input)).split("\n");
  const from = lines.findIndex((line) => line.startsWith("*   **Parameters"));
  const to = lines.findIndex((line) => line.startsWith("*   **Example"));
  return lines.slice(from, to);
};

describe("toPromptInstructions", () => {
  it("writes the block of a reading tool exactly", () => {
    const { spec } = defineTool({
      name: "read_file",
      description: "Reads the whole of one text file.",
      input: z.object({
        path: z.string().describe("Path of the file, relative to the working directory."),
        encoding: z.string().default("utf-8").describe("Text encoding."),
      }),
      effects: "read",
      instructions: {
        purpose: "Use it to see a file before changing it.",
        expectedOutput: "The content of the file as one string.",
        examples: [{ need: "know what a file says", when: "read 'src/main.ts'", input: { path: "src/main.ts" } }],
      },
      execute: () => "",
    });
    expect(toPromptInstructions(spec)).toBe(
      [
        "**Tool: `read_file`**",
        "*   **Description:** Reads the whole of one text file.",
        "*   **Purpose:** Use it to see a file before changing it. Reads only.",
        "*   **Parameters:**",
        "    *   `path` (string, required): Path of the file, relative to the working directory.",
        '    *   `encoding` (string, optional, default: `"utf-8"`): Text encoding.',
        "*   **Expected Output:** The content of the file as one string.",
        "*   **Example (for AI to understand usage):**",
        "    If you need to know what a file says, use this tool.",
        "    For example, to read 'src/main.ts':",
        '    Call: `read_file` with `path="src/main.ts"`',
      ].join("\n"),
    );
  });

  it("writes the classic read_file block line for line", () => {
    const spec = specOf(
      {
        type: "object",
        properties: {
          path: {
            type: "string",
            description: "The relative or absolute path to the file. Ensure the path is correct and accessible.",
          },
          encoding: {
            type: "string",
            default: "utf-8",
            description: "The character encoding of the file (e.g., 'utf-8', 'ascii').",
          },
        },
        required: ["path"],
      },
      {
        name: "read_file",
        description: "Reads the entire content of a specified text file.",
        instructions: {
          purpose:
            "Use this tool when you need to access the textual content of a file from the local filesystem. This is useful for understanding code, reading documentation, or extracting information from text-based data files.",
          expectedOutput:
            "A string containing the full content of the file. If the file is not found or cannot be read, an error message will be returned as a string.",
          examples: [
            { when: "read the content of 'src/main.py'", input: { path: "src/main.py" } },
            { when: "read 'config.txt' with 'ascii' encoding", input: { path: "config.txt", encoding: "ascii" } },
          ],
        },
      },
    );
    expect(toPromptInstructions(spec)).toBe(`**Tool: \`read_file\`**
*   **Description:** Reads the entire content of a specified text file.
*   **Purpose:** Use this tool when you need to access the textual content of a file from the local filesystem. This is useful for understanding code, reading documentation, or extracting information from text-based data files.
*   **Parameters:**
    *   \`path\` (string, required): The relative or absolute path to the file. Ensure the path is correct and accessible.
    *   \`encoding\` (string, optional, default: \`"utf-8"\`): The character encoding of the file (e.g., 'utf-8', 'ascii').
*   **Expected Output:** A string containing the full content of the file. If the file is not found or cannot be read, an error message will be returned as a string.
*   **Example (for AI to understand usage):**
    If you need to read the content of 'src/main.py':
    Call: \`read_file\` with \`path="src/main.py"\`
    If you need to read 'config.txt' with 'ascii' encoding:
    Call: \`read_file\` with \`path="config.txt"\`, \`encoding="ascii"\``);
  });

  it("writes the classic execute_command block line for line", () => {
    const spec = specOf(
      {
        type: "object",
        properties: {
          command: {
            type: "string",
            description: `The complete command string to execute (e.g., "python my_script.py --arg1 value1", "ls -l /tmp", "grep 'error' logs.txt | wc -l").`,
          },
          cwd: {
            type: "string",
            default: ".",
            description:
              "The working directory from which to execute the command. If not specified, it defaults to the current workspace directory of the AIWhisperer application.",
          },
        },
        required: ["command"],
      },
      {
        name: "execute_command",
        description:
          "Executes a CLI command on the system and returns its standard output, standard error, and return code.",
        instructions: {
          purpose:
            "Use this tool when you need to run an external program, script, or shell command on the system. This is useful for tasks like compiling code, running scripts (e.g., Python, shell), executing utility commands, or performing automated tasks that involve command-line operations. The command is executed using `shell=True` internally, so shell-specific features like pipes (`|`) or complex redirection (`>>`) within the command string are supported.",
          expectedOutput: `A dictionary containing:
*   \`stdout\` (string): The standard output (stdout) captured from the command.
*   \`stderr\` (string): The standard error (stderr) captured from the command.
*   \`returncode\` (integer): The exit status code of the command. \`0\` typically indicates success. Non-zero codes usually indicate an error or specific status.`,
          examples: [
            { when: "list files in the 'src' directory", input: { command: "ls -l src" } },
            {
              when: "run a Python script 'data_processor.py' with an argument, and the script is in a 'scripts' subdirectory",
              input: { command: "python data_processor.py --input data.csv", cwd: "scripts" },
            },
            {
              when: "find all Python files in the current directory and its subdirectories, then count them",
              input: { command: "find . -name '*.py' | wc -l" },
            },
          ],
        },
      },
    );
    expect(toPromptInstructions(spec)).toBe(`**Tool: \`execute_command\`**
*   **Description:** Executes a CLI command on the system and returns its standard output, standard error, and return code.
*   **Purpose:** Use this tool when you need to run an external program, script, or shell command on the system. This is useful for tasks like compiling code, running scripts (e.g., Python, shell), executing utility commands, or performing automated tasks that involve command-line operations. The command is executed using \`shell=True\` internally, so shell-specific features like pipes (\`|\`) or complex redirection (\`>>\`) within the command string are supported.
*   **Parameters:**
    *   \`command\` (string, required): The complete command string to execute (e.g., "python my_script.py --arg1 value1", "ls -l /tmp", "grep 'error' logs.txt | wc -l").
    *   \`cwd\` (string, optional, default: \`"."\`): The working directory from which to execute the command. If not specified, it defaults to the current workspace directory of the AIWhisperer application.
*   **Expected Output:** A dictionary containing:
    *   \`stdout\` (string): The standard output (stdout) captured from the command.
    *   \`stderr\` (string): The standard error (stderr) captured from the command.
    *   \`returncode\` (integer): The exit status code of the command. \`0\` typically indicates success. Non-zero codes usually indicate an error or specific status.
*   **Example (for AI to understand usage):**
    If you need to list files in the 'src' directory:
    Call: \`execute_command\` with \`command="ls -l src"\`
    If you need to run a Python script 'data_processor.py' with an argument, and the script is in a 'scripts' subdirectory:
    Call: \`execute_command\` with \`command="python data_processor.py --input data.csv"\`, \`cwd="scripts"\`
    If you need to find all Python files in the current directory and its subdirectories, then count them:
    Call: \`execute_command\` with \`command="find . -name '*.py' | wc -l"\``);
  });

  it("generates what the author left out", () => {
    const { spec } = defineTool({
      name: "close_ticket",
      description: "Closes\na ticket.",
      input: z.object({ id: z.number().int().min(1) }),
      output: z.object({ closed: z.boolean().describe("Whether it was open."), labels: z.array(z.string()) }),
      requiresApproval: true,
      execute: () => ({ closed: true, labels: [] }),
    });
    expect(toPromptInstructions(spec)).toBe(
      [
        "**Tool: `close_ticket`**",
        "*   **Description:** Closes a ticket.",
        "*   **Purpose:** Use it when the task calls for what the description says. May overwrite or delete. Reaches systems outside this project. A person may be asked first.",
        "*   **Parameters:**",
        "    *   `id` (integer, required): [min 1]",
        "*   **Expected Output:** A JSON object containing:",
        "    *   `closed` (boolean): Whether it was open.",
        "    *   `labels` (array of string)",
        "*   **Example (for AI to understand usage):**",
        "    For example:",
        "    Call: `close_ticket` with `id=1`",
      ].join("\n"),
    );
  });

  it("says that there are no parameters", () => {
    const { spec } = defineTool({ name: "ping", description: "Pings.", effects: "pure", execute: () => 1 });
    expect(toPromptInstructions(spec).split("\n").slice(3)).toEqual([
      "*   **Parameters:** none",
      "*   **Example (for AI to understand usage):**",
      "    For example:",
      "    Call: `ping`",
    ]);
  });

  it("gives nested parameters lines of their own, required ones first", () => {
    const lines = parameterLines({
      type: "object",
      properties: {
        note: { type: ["string", "null"], maxLength: 5 },
        edits: {
          type: "array",
          minItems: 1,
          description: "What to change.",
          items: {
            type: "object",
            properties: { all: { type: "boolean", default: false }, old_text: { type: "string" } },
            required: ["old_text"],
          },
        },
        mode: { enum: ["a", "b"] },
        tree: { $ref: "#/$defs/tree" },
        sizes: { type: "array", items: { type: "integer", minimum: 2 } },
        any: {},
      },
      required: ["edits"],
      $defs: {
        tree: {
          type: "object",
          description: "A tree.",
          properties: { below: { type: "array", items: { $ref: "#/$defs/tree" } } },
        },
      },
    });
    expect(lines).toEqual([
      "*   **Parameters:**",
      "    *   `edits` (array of object, required): What to change. [at least 1 item]",
      "    *   `edits[].old_text` (string, required)",
      "    *   `edits[].all` (boolean, optional, default: `false`)",
      "    *   `note` (string or null, optional): [at most 5 characters]",
      '    *   `mode` (one of "a", "b", optional)',
      "    *   `tree` (object, optional): A tree.",
      "    *   `tree.below` (array of object, optional)",
      "    *   `sizes` (array of integer, optional): [each min 2]",
      "    *   `any` (any, optional)",
    ]);
  });

  it("is replaced whole by the author's own text", () => {
    expect(toPromptInstructions(specOf({ type: "object" }, { instructions: { text: "tool: use it.\nWell." } }))).toBe(
      "tool: use it.\nWell.",
    );
  });

  it("uses the names of a format", () => {
    const spec = specOf(
      { type: "object", properties: { "file-path": { type: "string" } }, required: ["file-path"] },
      { instructions: { examples: [{ when: "look", input: { "file-path": "a" } }] } },
    );
    expect(toPromptInstructions(spec, { format: "openrouter" })).toContain('Call: `tool` with `file_path="a"`');
    expect(toPromptInstructions(spec, { format: "openrouter" })).toContain("`file_path` (string, required)");
    expect(toPromptInstructions(spec, { format: "mcp" })).toContain('`file-path="a"`');
  });

  it("shows hidden characters escaped and emoji as they are (SEC-META-1)", () => {
    const hidden = { ...specOf({ type: "object" }), description: "Safe\u202e text" };
    expect(toPromptInstructions(hidden)).toContain("Safe\\u{202e} text");
    expect(toPromptInstructions({ ...hidden, description: "A 👩‍💻 tool" })).toContain("A 👩‍💻 tool");
  });
});

describe("toAllPromptInstructions", () => {
  it("joins sorted blocks with one blank line", () => {
    const [a, b] = ["a", "b"].map((name) => specOf({ type: "object" }, { name }));
    if (a === undefined || b === undefined) throw new Error("two specs");
    expect(toAllPromptInstructions([b, a])).toBe(`${toPromptInstructions(a)}\n\n${toPromptInstructions(b)}`);
  });
});

describe("describeParameters", () => {
  it("describes each parameter as data", () => {
    const spec = specOf({
      type: "object",
      properties: { a: { type: "integer", minimum: 1, default: 2, description: "Count." }, b: { type: "string" } },
      required: ["b"],
    });
    expect(describeParameters(spec)).toEqual([
      { name: "b", path: "b", type: "string", required: true, constraints: [] },
      {
        name: "a",
        path: "a",
        type: "integer",
        required: false,
        default: 2,
        description: "Count.",
        constraints: ["min 1"],
      },
    ]);
  });

  it("takes what all branches require as required", () => {
    const spec = specOf({
      type: "object",
      properties: { id: {} },
      oneOf: [
        { properties: { path: { type: "string" }, kind: { const: "p" } }, required: ["kind", "path"] },
        { properties: { url: { type: "string" }, kind: { const: "u" } }, required: ["kind", "url"] },
      ],
    });
    expect(describeParameters(spec).map(({ path, type, required }) => [path, type, required])).toEqual([
      ["kind", '"p" or "u"', true],
      ["id", "any", false],
      ["path", "string", false],
      ["url", "string", false],
    ]);
  });
});
