/** Characters that HFS+ ignores when it compares names. */
export const IGNORED_BY_VOLUMES: RegExp = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * One spelling for all names that some volume may take for the same: letter case, composed characters, ignored ones.
 * Rules that forbid are compared by it on every system, since a volume's own rule cannot be asked for.
 */
export function foldForRules(name: string): string {
  return name.normalize("NFC").replaceAll(IGNORED_BY_VOLUMES, "").toUpperCase().toLowerCase().normalize("NFC");
}
