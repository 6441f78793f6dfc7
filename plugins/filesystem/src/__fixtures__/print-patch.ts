import type { Hunk, Patch, PatchSection } from "../patch/patch-file.ts";

const NO_NEWLINE = "\\ No newline at end of file\n";

/** Writes a patch in the format with asterisks. */
export function printMarked({ sections }: Patch): string {
  const files = sections.map((section) => {
    if (section.op === "add") return `*** Add File: ${section.path}\n${printLines(section.lines, section.isBare)}`;
    const hunks = section.hunks.map(printMarkedHunk).join("");
    if (section.op === "delete") return `*** Delete File: ${section.path}\n${hunks}`;
    const move = section.movedTo === undefined ? "" : `*** Move to: ${section.movedTo}\n`;
    return `*** Update File: ${section.path}\n${move}${hunks}`;
  });
  return `*** Begin Patch\n${files.join("")}*** End Patch\n`;
}

/** Writes a patch as git does. */
export function printUnified({ sections }: Patch): string {
  return sections.map(printUnifiedSection).join("");
}

function printUnifiedSection(section: PatchSection): string {
  const name = section.path;
  const head = (to: string): string => `diff --git ${quote(`a/${name}`)} ${quote(`b/${to}`)}\n`;
  if (section.op === "add") {
    const mode = section.executable === true ? "100755" : "100644";
    const body = printLines(section.lines, section.isBare);
    const names = section.lines.length === 0 ? "" : `--- /dev/null\n+++ ${mark(`b/${name}`)}\n`;
    return `${head(name)}new file mode ${mode}\n${names}${names === "" ? "" : `@@ -0,0 +1,${section.lines.length} @@\n`}${body}`;
  }
  const hunks = section.hunks.map(printUnifiedHunk).join("");
  if (section.op === "delete") {
    const names = hunks === "" ? "" : `--- ${mark(`a/${name}`)}\n+++ /dev/null\n`;
    return `${head(name)}deleted file mode 100644\n${names}${hunks}`;
  }
  const to = section.movedTo ?? name;
  const mode = section.executable === true ? "old mode 100644\nnew mode 100755\n" : "";
  const rename = to === name ? "" : `similarity index 90%\nrename from ${quote(name)}\nrename to ${quote(to)}\n`;
  const names = hunks === "" ? "" : `--- ${mark(`a/${name}`)}\n+++ ${mark(`b/${to}`)}\n`;
  return `${head(to)}${mode}${rename}${names}${hunks}`;
}

function printLines(lines: Extract<PatchSection, { op: "add" }>["lines"], isBare: boolean): string {
  const text = lines.map(({ text: line, hasReturn }) => `+${line}${hasReturn ? "\r" : ""}\n`).join("");
  return text + (isBare ? NO_NEWLINE : "");
}

function printMarkedHunk(hunk: Hunk): string {
  const headers = hunk.anchors.length === 0 ? "@@\n" : hunk.anchors.map((anchor) => `@@ ${anchor}\n`).join("");
  return `${headers}${printHunkLines(hunk)}${hunk.isAtEnd ? "*** End of File\n" : ""}`;
}

function printUnifiedHunk(hunk: Hunk): string {
  const old = hunk.lines.filter(({ sign }) => sign !== "+").length;
  const young = hunk.lines.filter(({ sign }) => sign !== "-").length;
  const start = (hunk.oldStart ?? 1) - (old === 0 ? 1 : 0);
  const anchor = hunk.anchors.length === 0 ? "" : ` ${hunk.anchors[0]}`;
  return `@@ -${start},${old} +${start},${young} @@${anchor}\n${printHunkLines(hunk)}`;
}

function printHunkLines({ lines, oldIsBare, newIsBare }: Hunk): string {
  const lastOld = lines.findLastIndex(({ sign }) => sign !== "+");
  const lastNew = lines.findLastIndex(({ sign }) => sign !== "-");
  return lines
    .map(({ sign, text, hasReturn }, at) => {
      const isBare = (oldIsBare && at === lastOld) || (newIsBare && at === lastNew);
      return `${sign}${text}${hasReturn ? "\r" : ""}\n${isBare ? NO_NEWLINE : ""}`;
    })
    .join("");
}

/** Names that hold a space are ended by a tab. */
function mark(name: string): string {
  const quoted = quote(name);
  return quoted === name && name.includes(" ") ? `${name}\t` : quoted;
}

function quote(name: string): string {
  if (/^[\x20-\x7e]*$/u.test(name) && !/["\\]/u.test(name)) return name;
  const bytes = [...Buffer.from(name)].map((byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${bytes.join("")}"`;
}
