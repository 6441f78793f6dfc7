/** Visible text on one line as Markdown that shows exactly it: no markup, no HTML, no list or heading. */
export function toMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>&|~$]/g, "\\$&")
    .replace(/^(?:[#+=:-]|\d{1,9}(?=[.)]))/, (start) => (/^\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d{1,9})([.)])/, "$1\\$2");
}
