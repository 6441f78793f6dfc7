/** A repository on GitHub, where the workflows run that publish with provenance. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

const OWNER = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?";
const NAME = "[A-Za-z0-9._-]{1,100}";
const SPELLINGS = [
  new RegExp(`^(?:github:)?(?<owner>${OWNER})/(?<name>${NAME})$`),
  new RegExp(`^(?:git\\+)?https://github\\.com/(?<owner>${OWNER})/(?<name>${NAME})/?$`),
  new RegExp(`^(?:git\\+ssh://)?git@github\\.com[:/](?<owner>${OWNER})/(?<name>${NAME})$`),
];

/** Reads `owner/name` or an address of GitHub; undefined for anything else. */
export function toRepository(text: string): Repository | undefined {
  for (const spelling of SPELLINGS) {
    const { owner, name } = spelling.exec(text.trim())?.groups ?? {};
    const bare = name?.replace(/\.git$/, "");
    if (owner !== undefined && bare !== undefined && !/^\.*$/.test(bare)) return { owner, name: bare };
  }
  return undefined;
}
