import { stemmer } from "stemmer";

/**
 * What different people call one thing: the verbs of keeping and running things, and objects that products name differently.
 * A line is a concept. Words of one trade alone do not belong here: their tools say them.
 */
const GROUPS = `
delete remove erase drop destroy purge
create make add new
get fetch retrieve read
show display view print
list enumerate browse
update edit modify change alter
find search locate
run execute launch start
stop abort cancel terminate kill
rename move
copy duplicate clone
send post submit
check validate verify
merge combine unite
folder directory
repository repo
image picture photo
page webpage website site
user member person people account
issue ticket bug
record row
field column
label tag
url link
command shell terminal
settings configuration config
error failure exception
metadata information info details
`;

const CONCEPTS: ReadonlyMap<string, readonly string[]> = toConcepts(GROUPS);

/** The concepts a stem stands for, as terms that no word can be. */
export function conceptsOf(stem: string): readonly string[] {
  return CONCEPTS.get(stem) ?? [];
}

function toConcepts(groups: string): Map<string, readonly string[]> {
  const concepts = new Map<string, readonly string[]>();
  for (const line of groups.trim().split("\n")) {
    const stems = new Set(line.split(" ").map((word) => stemmer(word)));
    const concept = `=${line.split(" ")[0] ?? ""}`;
    for (const stem of stems) concepts.set(stem, [...(concepts.get(stem) ?? []), concept]);
  }
  return concepts;
}
