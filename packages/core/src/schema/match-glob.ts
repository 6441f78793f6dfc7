/** True when `text` fits a pattern of `*` (any run, `/` included) and `?` (one character); linear in the text for each star. */
export function matchGlob(pattern: string, text: string): boolean {
  let at = 0;
  let index = 0;
  let star = -1;
  let resume = 0;
  while (index < text.length) {
    if (pattern[at] === "*") {
      star = at;
      resume = index;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      resume += 1;
      at = star + 1;
      index = resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
