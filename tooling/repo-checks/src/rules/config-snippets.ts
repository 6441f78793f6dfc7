import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";
import { CONFIG_SCHEMA_FILE } from "./config-page.ts";
import { findSnippets } from "./snippets.ts";

/** Refuses what is no configuration by throwing, as the loader of the file does. */
export type AssertConfig = (value: unknown) => unknown;

/** Finds JSON snippets of a configuration that nobody could load. */
export function checkConfigSnippets(repo: Repo, assertConfig: AssertConfig): Finding[] {
  const { properties = {} } = JSON.parse(repo.read(CONFIG_SCHEMA_FILE) ?? "{}") as { readonly properties?: object };
  const keys = new Set(Object.keys(properties));
  return findSnippets(repo).flatMap(({ language, page, line, text }) => {
    const value = language === "json" ? parse(text) : undefined;
    if (!isConfig(value, keys)) return [];
    const problem = explain(value, assertConfig);
    return problem === undefined
      ? []
      : [{ file: `${page}:${line}`, rule: "configurations in pages are valid", repair: problem }];
  });
}

/** An object at least half of whose members are keys of a configuration; one of them misspelt does not make it another thing. */
function isConfig(value: unknown, keys: ReadonlySet<string>): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = Object.keys(value);
  const known = members.filter((member) => keys.has(member)).length;
  return known > 0 && known * 2 >= members.length;
}

function explain(value: object, assertConfig: AssertConfig): string | undefined {
  try {
    assertConfig(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** JSON that does not parse is for another rule to tell. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
