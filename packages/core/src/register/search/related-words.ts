import { stemmer } from "stemmer";

/** Words that name one thing where tools are spoken of; each line is a group. */
const GROUPS = `
delete remove erase drop destroy
create make new
`;

const RELATED: ReadonlyMap<string, readonly string[]> = relate(GROUPS);

/** The stems that mean what a stem means. */
export function relatedWords(stem: string): readonly string[] {
  return RELATED.get(stem) ?? [];
}

function relate(groups: string): Map<string, readonly string[]> {
  const related = new Map<string, readonly string[]>();
  for (const line of groups.trim().split("\n")) {
    const stems = [
      ...new Set(
        line
          .trim()
          .split(/\s+/u)
          .map((word) => stemmer(word)),
      ),
    ];
    for (const stem of stems) {
      const others = stems.filter((other) => other !== stem);
      related.set(stem, [...new Set([...(related.get(stem) ?? []), ...others])]);
    }
  }
  return related;
}
