import { IGNORED_BY_VOLUMES } from "./fold-for-rules.ts";

/** What `.git`, `.gitattributes` and `.aiw`, where records of calls are, may be called, short names of NTFS included. */
const PROTECTED = /^(?:\.git|git~\d+|\.gitattributes|gitatt~\d+|gi[0-9a-f]{4}~\d+|\.aiw|aiw~\d+)$/u;
const LOCK = /^(?:aiw\.lock|aiw~\d+\.loc)$/u;
const REPOSITORY = /^(?:\.git|git~\d+)$/u;

/** Whether writing an entry of this name is refused at any depth (SEC-FS-9), however a volume may spell it. */
export function isProtectedName(name: string): boolean {
  const spelling = volumeSpelling(name);
  return PROTECTED.test(spelling) || LOCK.test(spelling);
}

/** Whether a name is that of the file that pins tool packages. */
export function isLockName(name: string): boolean {
  return LOCK.test(volumeSpelling(name));
}

/** Whether a name is that of a git repository's own folder. */
export function isRepositoryName(name: string): boolean {
  return REPOSITORY.test(volumeSpelling(name));
}

/** Lowercase, without ignorable characters, NTFS streams and trailing dots or spaces. */
function volumeSpelling(name: string): string {
  const plain = name.normalize("NFKC").replaceAll(IGNORED_BY_VOLUMES, "").toLowerCase();
  return plain.replace(/:.*$/su, "").replace(/[. ]+$/u, "");
}
