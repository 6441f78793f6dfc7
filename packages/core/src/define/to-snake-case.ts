/** Turns `readFile2`, `HTMLPage` and `bound getURL` into `read_file2`, `html_page` and `get_url`. */
export function toSnakeCase(name: string): string {
  return name
    .replace(/^(?:bound |get |set )+/, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
