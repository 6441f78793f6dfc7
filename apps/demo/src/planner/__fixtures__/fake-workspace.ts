import { dynamicTool, jsonSchema } from "ai";
import type { ToolSet } from "ai";

/** A call a fake tool received. */
export interface SeenCall {
  name: string;
  input: Record<string, unknown>;
}

interface FakeOptions {
  files: Record<string, string>;
  /** Writes to these paths, and all commands but `git status`, are refused as with nobody to ask. */
  refused?: readonly string[];
  extra?: ToolSet;
}

type Properties = Record<string, Record<string, unknown>>;
type Answer = (input: Record<string, unknown>) => unknown;

/** What a failed call throws: its text is what the model reads. */
class Failure extends Error {
  override toString(): string {
    return this.message;
  }
}

/** Tools over files in memory, with the parameters and result fields of the real ones. */
export function fakeWorkspace({ files, refused = [], extra = {} }: FakeOptions): { tools: ToolSet; seen: SeenCall[]; files: Map<string, string> } {
  const store = new Map(Object.entries(files));
  const seen: SeenCall[] = [];
  const define = (name: string, [properties, required]: readonly [Properties, string[]], answer: Answer): ToolSet => ({
    [name]: dynamicTool({
      description: `The ${name} tool.`,
      inputSchema: jsonSchema({ type: "object", properties, required, additionalProperties: false } as never),
      execute: (input) => {
        const values = input as Record<string, unknown>;
        seen.push({ name, input: values });
        const unknown = Object.keys(values).filter((key) => !Object.hasOwn(properties, key));
        if (unknown.length > 0) throw new Failure(`${name}: 1 problem with the arguments.\n- ${unknown.join(", ")}: not a parameter.`);
        return answer(values);
      },
      toModelOutput: ({ output }) => {
        const json = output as { success?: boolean; error_type?: string; error?: string };
        return json.success === false && json.error_type === "permission_error"
          ? { type: "execution-denied", reason: json.error ?? "" }
          : { type: "json", value: output as never };
      },
    }),
  });
  const text = { type: "string" };
  const list = { type: "array", items: text, minItems: 1, maxItems: 20 };
  const tools: ToolSet = {
    ...define("bash", [{ command: text, timeout: { type: "number", maximum: 60 } }, ["command"]], ({ command }) =>
      command === "git status"
        ? { success: true, error: "", output: "On branch main\nnothing to commit\n", return_code: 0 }
        : denied(`bash(command=${JSON.stringify(command)}): This needs approval and nobody can answer; policy.rules would allow it.`),
    ),
    ...define("glob", [{ patterns: list, path: text, limit: { type: "integer" } }, ["patterns"]], ({ patterns }) => {
      const paths = [...store.keys()].filter((path) => (patterns as string[]).some((pattern) => toRegExp(pattern).test(path)));
      return { success: true, error: "", paths, total: paths.length };
    }),
    ...define("grep", [{ pattern: text, path: text, literal: { type: "boolean" }, output_mode: { type: "string", enum: ["content", "matches"] }, case: { type: "string", enum: ["smart", "sensitive", "insensitive"] } }, ["pattern"]], ({ pattern, literal }) => {
      const matches = [...store].flatMap(([path, content]) =>
        content.split("\n").flatMap((line, index) => (literal === true ? line.includes(String(pattern)) : new RegExp(String(pattern)).test(line)) ? [{ path, line: index + 1, text: line }] : []),
      );
      return { success: true, error: "", matches, total_matches: matches.length };
    }),
    ...define("list", [{ path: text }, []], () => {
      const names = [...new Set([...store.keys()].map((path) => path.split("/")[0] ?? ""))];
      const entries = names.map((name) => ({ name, kind: store.has(name) ? "file" : "dir" }));
      return { success: true, error: "", entries, total: entries.length };
    }),
    ...define("read", [{ file_paths: list, limit: { type: "integer" }, offset: { type: "integer" }, line_numbers: { type: "boolean" } }, ["file_paths"]], ({ file_paths }) => {
      const paths = file_paths as string[];
      const found = paths.filter((path) => store.has(path));
      if (found.length > 0) return { success: true, error: "", content: found.map((path) => `=== ${path} ===\n${store.get(path) ?? ""}`).join("\n"), files: found.map((path) => ({ path })) };
      const near = [...store.keys()].find((path) => path.toLowerCase() === paths[0]?.toLowerCase());
      throw new Failure(`read(file_paths=${JSON.stringify(paths)}): File not found: ${paths[0]}${near === undefined ? "" : `\nread(file_paths=${JSON.stringify([near])})\n${JSON.stringify({ candidates: [near] })}`}`);
    }),
    ...define("web_fetch", [{ url: { type: "string" } }, ["url"]], ({ url }) => ({
      success: true, error: "", url, status_code: 200, title: "A page", content: `<untrusted-web-content source="${String(url)}">\nHello from the page\n</untrusted-web-content>`,
    })),
    ...define("write", [{ path: text, content: text, mode: { type: "string", enum: ["create", "overwrite", "append"] } }, ["path", "content"]], ({ path, content, mode }) => {
      const target = String(path);
      if (refused.includes(target)) return denied(`write(path=${JSON.stringify(target)}): ${target} is outside the workspace roots.`);
      if (store.has(target) && mode !== "overwrite") throw new Failure(`write(path=${JSON.stringify(target)}): The file already exists.`);
      if (store.has(target) && !seen.some(({ name, input }) => name === "read" && String(input["file_paths"]) === target)) throw new Failure(`write(path=${JSON.stringify(target)}): The file was not read in this conversation.`);
      store.set(target, String(content));
      return { success: true, error: "", path: target, bytes_written: String(content).length };
    }),
    ...extra,
  };
  return { tools, seen, files: store };
}

function denied(error: string) {
  return { success: false, error, error_type: "permission_error", code: "approval_required" };
}

function toRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(".", String.raw`\.`).replaceAll("**/", "\u0000").replaceAll("*", "[^/]*").replaceAll("\u0000", "(?:.*/)?");
  return new RegExp(`^${source}$`);
}
