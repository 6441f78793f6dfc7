import path from "node:path";
import type { Finding } from "../repo/finding.ts";
import type { Repo } from "../repo/repo.ts";

/** Finds relative links of pages that lead to no file or folder, or to no heading of it. */
export function checkLinks(repo: Repo): Finding[] {
  const pages = repo.files.filter((file) => file.endsWith(".md") && !file.startsWith(".changeset/"));
  return pages.flatMap((page) =>
    readLinks(repo.read(page) ?? "").flatMap(({ line, target }) => {
      const repair = judge(repo, page, target);
      return repair === undefined ? [] : [{ file: `${page}:${line}`, rule: "every link leads somewhere", repair }];
    }),
  );
}

function judge(repo: Repo, page: string, target: string): string | undefined {
  const [file = "", heading] = target.split("#");
  const found = file === "" ? page : path.posix.join(path.posix.dirname(page), file).replace(/\/$/u, "");
  if (!repo.files.some((one) => one === found || one.startsWith(`${found}/`)))
    return `Nothing is at ${found}: correct or remove ${target}.`;
  const isKnown = heading === undefined || readAnchors(repo.read(found) ?? "").has(heading);
  return isKnown ? undefined : `${found} has no heading #${heading}.`;
}

/** Links outside of fences and code; addresses of the web are no business of this repository. */
function readLinks(text: string): { line: number; target: string }[] {
  return withoutFences(text).flatMap((line, index) =>
    [...line.replaceAll(/`[^`]*`/gu, "``").matchAll(/\]\((?<target>[^)\s]+)\)/gu)].flatMap(([, target = ""]) =>
      /^[a-z][a-z0-9+.-]*:/iu.test(target) ? [] : [{ line: index + 1, target }],
    ),
  );
}

/** What a page shown on the web calls its headings. */
function readAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const line of withoutFences(text)) {
    const title = /^#{1,6} (?<title>.+)$/u.exec(line)?.groups?.["title"];
    if (title === undefined) continue;
    const words = title.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "");
    anchors.add(words.trim().replaceAll(/\s/gu, "-"));
  }
  return anchors;
}

/** The lines of a page, those of fences emptied. */
function withoutFences(text: string): string[] {
  let fence: string | undefined;
  return text.split("\n").map((line) => {
    const mark = /^\s*(?<mark>`{3,}|~{3,})/u.exec(line)?.groups?.["mark"];
    if (fence === undefined && mark === undefined) return line;
    if (fence === undefined) fence = mark;
    else if (line.trim() === fence) fence = undefined;
    return "";
  });
}
